// The runtime's own trees and lists against sorted vectors, with the rules of red-black trees; two threads, each with its
// own containers.
// expect: none classes=1
#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <thread>
#include <unordered_set>
#include <vector>
using Node = std::_Rb_tree_node_base;
int black_height(const Node* n) {
  if (n == nullptr) return 0;
  for (const Node* child : {n->_M_left, n->_M_right})
    if (child != nullptr) {
      assert(child->_M_parent == n);
      assert(n->_M_color == std::_S_black || child->_M_color == std::_S_black);
    }
  const int left = black_height(n->_M_left), right = black_height(n->_M_right);
  assert(left == right);
  return left + (n->_M_color == std::_S_black);
}
void check(const std::map<int, int>& map, std::vector<int> keys) {
  std::sort(keys.begin(), keys.end());
  std::size_t i = 0;
  for (const auto& [key, value] : map) assert(i < keys.size() && key == keys[i++] && value == -key);
  assert(i == keys.size());
  for (auto it = map.end(); it != map.begin();) assert((--it)->first == keys[--i]);
  if (map.empty()) return;
  const Node* root = map.begin()._M_node;
  while (root->_M_parent->_M_parent != root) root = root->_M_parent;
  assert(root->_M_color == std::_S_black);
  black_height(root);
}
void trees(unsigned seed) {
  std::map<int, int> map;
  std::vector<int> keys;
  for (int i = 0; i < 300; ++i) {
    seed = seed * 1664525 + 1013904223;
    const int key = static_cast<int>(seed >> 16) % 64;
    const auto known = std::find(keys.begin(), keys.end(), key);
    if (known == keys.end()) {
      map[key] = -key;
      keys.push_back(key);
    } else {
      map.erase(key);
      keys.erase(known);
    }
    if (i % 7 == 0) check(map, keys);
  }
  while (!map.empty()) {
    keys.erase(std::find(keys.begin(), keys.end(), map.begin()->first));
    map.erase(map.begin());
    check(map, keys);
  }
}
void lists() {
  std::list<int> a{3, 1, 2}, b{6, 5}, empty;
  a.sort();
  b.reverse();
  a.merge(b);
  assert((a == std::list<int>{1, 2, 3, 5, 6}) && b.empty());
  b.splice(b.end(), a, std::next(a.begin()), std::prev(a.end()));
  assert((b == std::list<int>{2, 3, 5}) && (a == std::list<int>{1, 6}));
  a.swap(b);
  a.swap(empty);
  assert(a.empty() && (empty == std::list<int>{2, 3, 5}) && (b == std::list<int>{1, 6}));
  empty.remove(3);
  assert(empty.size() == 2 && *std::prev(empty.end()) == 5);
}
void hashes() {
  std::unordered_set<int> set;
  for (int i = 0; i < 100; ++i) set.insert(i * 7);
  for (int i = 0; i < 700; ++i) assert(set.count(i) == (i % 7 == 0));
}
int main() {
  std::thread other([] { trees(1); });
  trees(2);
  lists();
  hashes();
  other.join();
}
