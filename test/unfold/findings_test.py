"""The findings of both unfoldings are those of optimal-dpor: the same kinds at the same places, and everything explored by
all three or by none, with at most as many executions as optimal-dpor needs. With --stateful the same for the algorithms that
remember states, which may say that they could not go through everything (docs/algorithms/stateful.md); what they find is still real.

Usage: findings_test.py HEDDLE SOURCE [--full] [--stateful] [--only=FOLDER]

The programs are those of test/programs (each with the options of its `expect:` lines) and the examples. Without --full those
are left out that take optimal-dpor itself long."""
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys

heddle, source, full = sys.argv[1], pathlib.Path(sys.argv[2]), "--full" in sys.argv
stateful = "--stateful" in sys.argv
only = [a.partition("=")[2] for a in sys.argv if a.startswith("--only=")]
ALGORITHMS = ("stateful", "stateful-unfolding") if stateful else ("unfolding", "contextual-unfolding")
# More than 50,000 classes.
LARGE = {"barrier.cpp", "semaphores.cpp"}
# Goes on until the step bound, and the net of that is large.
if stateful:
    LARGE.add("sleeps_in_loop.c")


def options_of(program):
    """The options of each `expect:` line, without those that choose another search."""
    found, lines = [], program.read_text().splitlines()
    flags = [flag for line in lines if line.startswith("// flags:") for flag in shlex.split(line.partition(":")[2])]
    for line in lines:
        if not line.startswith(("// expect:", "// slow:")) or (line.startswith("// slow:") and not full):
            continue
        words = shlex.split(line.partition(":")[2])
        if any(w.startswith(("error:", "--algorithm", "-j", "--preemption")) for w in words):
            continue
        options, words = [], iter(words)
        for word in words:
            if word == "-D":
                options += [word, next(words)]
            elif word.startswith("-") and word != "--all":
                options.append(word)
        if flags:
            options += ["--", *flags]
        if options not in found:
            found.append(options)
    return found


def programs():
    for folder in only or ("findings", "unfold", "inputs", "c", "cxx"):
        for program in sorted((source / "test/programs" / folder).iterdir()):
            if program.name in LARGE and not full:
                continue
            for options in options_of(program):
                yield program, options
    for program in sorted((source / "examples").iterdir()) if not only else ():
        if program.suffix in (".cpp", ".c", ".hed"):
            yield program, []


def explore(program, options, algorithm):
    command = [heddle, "run", program, "--all", "--no-minimize", "--json=-", "--max-seconds=120", f"--algorithm={algorithm}", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    report = json.loads(done.stdout)
    findings = {(f["kind"], f.get("position")) for f in report["findings"]}
    return findings, report["exhausted"], report["executions"]


def compare(case):
    program, options = case
    name = f"{program.name} {' '.join(options)}"
    failures = []
    try:
        wanted, exhausted, most = explore(program, options, "optimal-dpor")
        for algorithm in ALGORITHMS:
            found, all_explored, executions = explore(program, options, algorithm)
            if stateful and exhausted and not all_explored and found <= wanted:
                left_open.append(f"{name} {algorithm}")
                continue
            # What a program does to memory that is another object by then is not foreseen, and the search says so.
            if "\n// unfoldings: open" in program.read_text() and not all_explored and found <= wanted:
                continue
            if found != wanted:
                failures.append(f"{name} {algorithm}: missed {wanted - found}, found besides {found - wanted}")
            # How often a waiting loop goes round is not always foreseen; then the search says that it is not exhausted.
            waits = "\n// counts: spinning" in program.read_text()
            if all_explored != exhausted and (all_explored or not waits):
                failures.append(f"{name} {algorithm}: exhausted is {all_explored}, not {exhausted}")
            # Two frees of one block are events in either order, and the class counts of some programs depend on which turns of
            # a waiting loop are told apart (`counts:` in their heads, run_programs.py). Memory that threads share is visible to
            # an unfolding though a lock guards it, and tables in it are read index by index.
            one_term = any(o.startswith("--symbolic-reads") for o in options)
            comparable = exhausted and not one_term and "\n// counts:" not in program.read_text() and not any("free" in f[0] for f in wanted)
            if comparable and executions > most and not stateful:
                failures.append(f"{name} {algorithm}: {executions} executions, more than {most}")
    except json.JSONDecodeError:
        failures.append(f"{name}: no report")
    return failures


left_open = []
cases = list(programs())
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    failures = [line for lines in pool.map(compare, cases) for line in lines]
if len(left_open) > len(cases):   # of two algorithms on each
    failures.append(f"{len(left_open)} searches left something open")
if len(cases) < 100 and not only:
    failures.append(f"only {len(cases)} programs")
for failure in failures:
    print(failure)
sys.exit(bool(failures))
