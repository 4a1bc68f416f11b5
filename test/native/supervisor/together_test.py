#!/usr/bin/env python3
"""together_test.py HEDDLE SOURCE [KILLS]: one search of a native program by several explorers, in a journal or not, whoever is
killed with -9 on the way, has the totals of one explorer that nobody disturbs."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

heddle, source = sys.argv[1], Path(sys.argv[2])
kills_wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 8
native, programs = source / "bench/native/programs", source / "test/programs"
TOTALS = ["executions", "classes", "asleep", "deadlocked", "failed", "cut", "states", "steps", "exhausted", "verdict"]

# Programs whose shared memory becomes visible on the way, that fail, wait, and allocate; and each algorithm.
CASES = [
    ([native / "fib.c", "--", "-DK=3"], []),
    ([native / "fib.c", "--", "-DK=2"], ["--algorithm=source-dpor"]),
    ([native / "fib.c", "--", "-DK=2"], ["--algorithm=dpor"]),
    ([native / "fib.c", "--", "-DK=2"], ["--algorithm=dpor", "--sleep-sets"]),
    ([native / "fib.c", "--", "-DK=1"], ["--algorithm=dpor-cr"]),
    ([native / "fib.c", "--", "-DK=1"], ["--algorithm=exhaustive"]),
    ([native / "fib.c", "--", "-DK=3"], ["--preemptions=2"]),
    ([native / "dining.c"], []),
    ([native / "fib.c", "--", "-DK=1"], ["--isolation=process"]),
    ([source / "examples/bank.cpp"], []),
]


def fail(why):
    print("FAILED:", why)
    sys.exit(1)


def command(case, more):
    program, options = case
    rest = program[1:]
    return [str(word) for word in [heddle, "run", program[0], "--all", "--json=-", "--quiet", *options, *more, *rest]]


def run(words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


def totals(text):
    report = json.loads(text)
    flat = {}

    def walk(node):
        for key, value in node.items():
            if isinstance(value, dict):
                walk(value)
            elif key in TOTALS:
                flat.setdefault(key, value)

    walk(report)
    flat["findings"] = [(f["kind"], f.get("message"), f.get("count"), json.dumps(f.get("trace"))) for f in report["findings"]]
    flat["assumptions"] = report.get("assumptions")
    return flat


def explorers(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return [int(child) for child in children.read().split()]
    except OSError:
        return []


def same_totals(folder):
    for number, case in enumerate(CASES):
        alone = run(command(case, []))
        if alone.returncode not in (0, 1, 2):
            fail(f"{case}: {alone.stderr}")
        expected = totals(alone.stdout)
        for more in (["-j", "2"], ["-j", "3", f"--journal={folder}/{number}.db"]):
            together = run(command(case, more))
            if together.returncode != alone.returncode or totals(together.stdout) != expected:
                fail(f"{case} {more}: exit code {together.returncode}, {together.stderr}\n"
                     f"{together.stdout and totals(together.stdout)}\ninstead of\n{expected}")


def killed(folder, case, jobs, seed):
    """An explorer or the whole command, again and again. How often."""
    alone = run(command(case, []))
    journal = folder / f"killed{seed}.db"
    dice, kills, delay = random.Random(seed), 0, 0.15
    while True:
        words = command(case, ["-j", str(jobs), f"--journal={journal}"])
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 600
        while process.poll() is None and time.monotonic() < until:
            try:
                process.wait(timeout=dice.uniform(0.3, 1.0) * delay)
                break
            except subprocess.TimeoutExpired:
                pass
            if kills > kills_wanted:
                delay *= 1.5
            kills += 1
            workers = explorers(process.pid)
            if workers and dice.random() < 0.7:
                try:
                    os.kill(dice.choice(workers), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            else:
                process.send_signal(signal.SIGKILL)
                break
        out, err = process.communicate(timeout=300)
        if process.returncode != -signal.SIGKILL:
            break
    if process.returncode != alone.returncode or totals(out) != totals(alone.stdout):
        fail(f"{case} after {kills} kills: exit code {process.returncode}, {err}\n{out and totals(out)}\n"
             f"instead of\n{totals(alone.stdout)}")
    status = run([heddle, "status", str(journal)])
    if "the search is over" not in status.stdout:
        fail(f"status: {status.stdout}{status.stderr}")
    print(f"{kills} kills, {totals(alone.stdout)['executions']} executions")
    return kills


def stopped(case):
    """An explorer that hangs loses its item only."""
    expected = totals(run(command(case, [])).stdout)
    process = subprocess.Popen(command(case, ["-j", "2"]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    hung = explorers(process.pid)[:1]
    for pid in hung:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(0.5)
    for pid in hung:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    out, err = process.communicate(timeout=300)
    if totals(out) != expected:
        fail(f"an explorer that hung: {totals(out)} instead of {expected}, {err}")


def refused(folder):
    program = folder / "own.c"
    program.write_text((native / "fib.c").read_text())
    (folder / "start.h").write_text((native / "start.h").read_text())
    journal = folder / "own.db"

    def words(*more, rest=()):
        return [heddle, "run", str(program), "--all", "--quiet", f"--journal={journal}", *more, *rest]

    if run(words("--max-executions=50")).returncode != 2:
        fail("a budget of 50 executions")
    for more, rest, reason in [(["--algorithm=dpor"], [], "other options"), (["--races=explore"], [], "other options"),
                               ([], ["--", "-DK=2"], "other options"), (["--algorithm=unfolding"], [], "one net"),
                               (["--algorithm=trust"], [], "drop -j and --journal")]:
        done = run(words(*more, rest=rest))
        if done.returncode != 3 or reason not in done.stderr:
            fail(f"{more} {rest}: exit code {done.returncode}, {done.stderr}")
    program.write_text(program.read_text().replace("int main", "int more = 7;\nint main"))
    done = run(words())
    if done.returncode != 3 or "has changed" not in done.stderr:
        fail(f"a changed program: exit code {done.returncode}, {done.stderr}")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    same_totals(folder)
    kills = seed = 0
    while kills < kills_wanted:
        kills += killed(folder, ([native / "fib.c", "--", "-DK=4"], []), 1 + seed % 3, seed)
        seed += 1
    stopped(([native / "fib.c", "--", "-DK=5"], []))
    refused(folder)
