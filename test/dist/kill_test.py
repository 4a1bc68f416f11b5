#!/usr/bin/env python3
"""kill_test.py HEDDLE MODELS [KILLS]: a search in a journal is killed with -9 again and again, and goes on each time. In the end
its totals are those of an undisturbed search by one explorer. Likewise with a disk that is full, a second process on
the same journal, a model that has changed, and other options."""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

heddle, models = sys.argv[1], Path(sys.argv[2])
kills_wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 20
TOTALS = ["executions", "classes", "asleep", "deadlocked", "failed", "exhausted", "verdict"]


def fail(why):
    print("FAILED:", why)
    sys.exit(1)


def run(arguments, **how):
    return subprocess.run([heddle, *map(str, arguments)], capture_output=True, text=True, timeout=300, **how)


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
    return flat | {"findings": [(f["kind"], f.get("count"), f.get("inputs")) for f in report.get("findings", [])]}


def expect_error(done, words, what):
    if done.returncode != 3 or words not in done.stderr:
        fail(f"{what}: exit code {done.returncode}, {done.stderr}")


def killed_again_and_again(folder, name, arguments, jobs, seed):
    """How often it was killed."""
    plain = run(["run", *arguments, "--all", "--json=-", "--quiet"])
    expected = totals(plain.stdout)
    journal = folder / f"{name}-{jobs}.db"
    command = ["run", *arguments, "--all", "--json=-", "--quiet", f"--journal={journal}", "-j", jobs]
    kills, dice, delay = 0, random.Random(seed), 0.03
    while True:
        process = subprocess.Popen([heddle, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            # Longer each time, so that it comes to an end on a slow machine, too.
            out, err = process.communicate(timeout=dice.uniform(0.2, 1.0) * delay)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            if kills > kills_wanted:
                delay *= 1.5
    if process.returncode != plain.returncode:
        fail(f"{name}: exit code {process.returncode}, {err}")
    if totals(out) != expected:
        fail(f"{name} with {jobs} explorers after {kills} kills:\n{totals(out)}\ninstead of\n{expected}")
    # Said once more, it is over and the same.
    again = run(command)
    if totals(again.stdout) != expected:
        fail(f"{name}: the search that is over has other totals")
    status = run(["status", journal])
    if status.returncode != 0 or "the search is over" not in status.stdout:
        fail(f"{name}: {status.stdout}{status.stderr}")
    print(f"{name} with {jobs}: {kills} kills, {expected}")
    return kills


def no_room(folder, arguments):
    """The disk is full: an error, and nothing is lost."""
    journal = folder / "full.db"
    command = ["run", *arguments, "--all", "--json=-", "--quiet", f"--journal={journal}"]
    expected = totals(run(["run", *arguments, "--all", "--json=-", "--quiet"]).stdout)
    first = run([*command, "--max-executions=20"])
    if totals(first.stdout)["executions"] != 20:
        fail(f"a budget of 20 executions: {first.stdout}{first.stderr}")
    limit = journal.stat().st_size + 8192

    def restrict():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    full = subprocess.run([heddle, *map(str, command)], capture_output=True, text=True, timeout=300, preexec_fn=restrict,
                          restore_signals=False)
    # It may have come to its end within the limit.
    if full.returncode == 3 and "make room" not in full.stderr:
        fail(f"disk full: {full.stderr}")
    after = run(command)
    if totals(after.stdout) != expected:
        fail(f"after the disk was full: {totals(after.stdout)} instead of {expected}, {after.stderr}")
    print("disk full:", full.returncode, full.stderr.strip())


def refused(folder):
    model = folder / "own.hed"
    model.write_text((models / "fib.hed").read_text())
    journal = folder / "own.db"
    command = ["run", model, "-D", "k=3", "--all", f"--journal={journal}"]
    run([*command, "--max-executions=5"])
    expect_error(run([*command, "--algorithm=dpor"]), "other options", "another algorithm")
    expect_error(run(["run", model, "-D", "k=2", "--all", f"--journal={journal}"]), "has changed", "another constant")
    model.write_text(model.read_text() + "\n// changed\n")
    expect_error(run(command), "has changed", "a changed model")
    expect_error(run(["run", model, f"--journal={model}"]), "would write over", "the model itself")
    for algorithm, words in [("unfolding", "one net"), ("random", "no search to keep"), ("race-flip", "whole search")]:
        expect_error(run(["run", model, f"--algorithm={algorithm}", f"--journal={folder / 'new.db'}"]), words, algorithm)
    expect_error(run(["status", model]), "damaged", "no journal")
    expect_error(run(["status", folder / "none.db"]), "check the path", "no file")


def two_at_once(folder):
    journal = folder / "busy.db"
    command = ["run", models / "fib.hed", "-D", "k=6", "--all", "--quiet", f"--journal={journal}"]
    process = subprocess.Popen([heddle, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while "at work" not in run(["status", journal]).stdout:
            if process.poll() is not None or time.monotonic() > until:
                fail("the first process ended before the second one came")
        expect_error(run(command), "in use", "two at once")
    finally:
        process.kill()
        process.wait()


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    # A fast machine is done before it is killed often: then once more.
    kills = seed = 0
    while kills < kills_wanted:
        kills += killed_again_and_again(folder, f"fib{seed}", [models / "fib.hed", "-D", "k=4"], 1, seed)
        kills += killed_again_and_again(folder, f"fib{seed}", [models / "fib.hed", "-D", "k=4"], 2, seed + 1)
        kills += killed_again_and_again(folder, f"dining{seed}", [models / "dining.hed", "-D", "n=5"], 3, seed + 2)
        kills += killed_again_and_again(folder, f"updater{seed}", [models / "updater.hed", "-D", "swapped=1", "--no-minimize"], 2, seed + 3)
        seed += 4
        if seed > 300:
            fail(f"only {kills} kills")
    no_room(folder, [models / "fib.hed", "-D", "k=3"])
    refused(folder)
    two_at_once(folder)
