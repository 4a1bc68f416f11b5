#!/usr/bin/env python3
"""inputs_test.py HEDDLE SOURCE [KILLS]: C and C++ programs with inputs, and models, by several explorers: totals, findings and the
inputs that these are shown with are those of one. With a journal that is killed with -9 again and again, too."""
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

heddle, source = sys.argv[1], Path(sys.argv[2])
kills_wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 4
TOTALS = ["executions", "classes", "asleep", "deadlocked", "failed", "infeasible", "cut", "states", "steps", "exhausted", "verdict",
          "reason"]
INPUTS = source / "test/programs/inputs"
# (Shorter schedules are looked for as long as there is time; with many findings that is not always the same.)
PROGRAMS = [
    [INPUTS / "updater.c"],
    [INPUTS / "synthetic1.c"],
    [INPUTS / "pairs.c"],
    [INPUTS / "nondet.c"],
    [INPUTS / "bytes.cpp"],
    [INPUTS / "heap_objects.c", "-D", "CASE=1"],
    [INPUTS / "heap_objects.c", "-D", "CASE=1", "--algorithm=source-dpor"],
    [INPUTS / "exit_beside_branches.c", "-D", "ASSUME=1"],
    [INPUTS / "exit_beside_branches.c", "-D", "COMPARE=1", "--algorithm=dpor"],
    [INPUTS / "compare_and_swap.c"],
    [INPUTS / "sized_by_an_input.c", "-D", "ANY=1"],
    [INPUTS / "arguments.c", "--symbolic-args=1:3"],
    [source / "bench/programs/updater.hed", "--algorithm=dpor-cr", "--sleep-sets", "-D", "swapped=1", "--no-minimize"],
    [source / "bench/programs/synthetic3.hed"],
    [source / "examples/limit.hed", "--branches=random:5"],
]


def fail(why):
    print("FAILED:", why)
    sys.exit(1)


def command(program, more):
    return [heddle, "run", *map(str, program), "--all", "--json=-", "--quiet", *map(str, more)]


def totals(done, what):
    if not done.stdout.startswith("{"):
        fail(f"{what}: exit code {done.returncode}, {done.stderr}")
    report = json.loads(done.stdout)
    findings = [(f["kind"], f["where"], f["count"], f.get("inputs"), f["schedule"]) for f in report["findings"]]
    return {key: report.get(key) for key in TOTALS} | {"findings": findings}


def run(program, more):
    done = subprocess.run(command(program, more), capture_output=True, text=True, timeout=300)
    return totals(done, f"{program} {more}")


def compare(program, found, expected, what):
    for key, value in expected.items():
        if found[key] != value:
            fail(f"{program} {what}: {key} is {found[key]}\ninstead of {value}")


def killed(folder, program):
    expected = run(program, [])
    kills, dice, delay = 0, random.Random(7), 0.2
    words = command(program, ["-j", 2, f"--journal={folder / 'search.db'}"])
    while True:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=dice.uniform(0.5, 1) * delay if kills < kills_wanted else 300)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills, delay = kills + 1, delay * 1.3
    compare(program, totals(subprocess.CompletedProcess(words, process.returncode, out, err), "killed"), expected,
            f"after {kills} kills")
    print(f"{kills} kills, {expected['executions']} executions")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    for number, program in enumerate(PROGRAMS):
        begin = time.monotonic()
        expected = run(program, [])
        for more in [["-j", 1, f"--journal={folder / f'{number}.db'}"], ["-j", 2], ["-j", 3], ["-j", 4]]:
            compare(program, run(program, more), expected, more)
        print(f"{program[0].name}: {expected['executions']} executions, {len(expected['findings'])} findings, "
              f"{time.monotonic() - begin:.1f} s")
    killed(folder, [INPUTS / "updater.c", "-D", "ROUNDS=2"])
    for words, reason in [(["--branches=new-coverage", "-j", "2"], "what the whole search has seen")]:
        for program in [[INPUTS / "updater.c"], [source / "bench/programs/updater.hed"]]:
            done = subprocess.run(command(program, words), capture_output=True, text=True, timeout=60)
            if done.returncode != 3 or reason not in done.stderr:
                fail(f"{program} {words}: exit code {done.returncode}, {done.stderr}")
