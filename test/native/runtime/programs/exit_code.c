// expect: verdict=bug finding:exit-code=1
// options: --all
int main(void) { return 2; }
