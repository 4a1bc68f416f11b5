"""The findings of both unfoldings are those of optimal-dpor, on every program of test/programs/findings and test/programs/unfold:
the same kinds at the same places, and everything explored by all three or by none."""
import json
import pathlib
import subprocess
import sys

heddle, source = sys.argv[1], pathlib.Path(sys.argv[2])
# Covering all local states remembers accesses over executions, so two frees that nothing orders also show as a race
# (docs/unfolding.md).
ALSO_RACES = {"double_free.c"}


def explore(program, algorithm):
    command = [heddle, "run", program, "--all", "--json=-", f"--algorithm={algorithm}"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return {(f["kind"], f.get("position")) for f in report["findings"]}, report["exhausted"]


failures = []
programs = [p for folder in ("findings", "unfold") for p in sorted((source / "test/programs" / folder).iterdir())]
for program in programs:
    wanted, exhausted = explore(program, "optimal-dpor")
    for algorithm in ("unfolding", "contextual-unfolding"):
        found, all_explored = explore(program, algorithm)
        if program.name in ALSO_RACES:
            found = {f for f in found if f[0] != "data-race" or f in wanted}
        if found != wanted:
            failures.append(f"{program.name} {algorithm}: missed {wanted - found}, found besides {found - wanted}")
        if all_explored != exhausted:
            failures.append(f"{program.name} {algorithm}: exhausted is {all_explored}, not {exhausted}")

if len(programs) < 20:
    failures.append(f"only {len(programs)} programs")
for failure in failures:
    print(failure)
sys.exit(bool(failures))
