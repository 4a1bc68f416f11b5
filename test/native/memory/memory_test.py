"""Litmus tests as C++ programs under sc, tso and c++20: as many graphs as brute force has, each once, and the same races.

Usage: memory_test.py EMIT_LITMUS HEDDLE HEDDLE_CXX [--count=N] [--seed=N]

First those of the literature, then N random ones. They are the tests of one binary, so compiling costs little.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

AT_ONCE = 100   # programs in one file


def option(name, default):
    return next((int(a.partition("=")[2]) for a in sys.argv if a.startswith(f"--{name}=")), default)


def truths_of(source):
    for line in source.splitlines():
        if line.startswith("// truth: "):
            name, model, *words = line[len("// truth: "):].split()
            yield name, model, {key: int(value) for key, value in (word.split("=") for word in words)}


def run(heddle, binary, name, model, truth):
    """What is wrong, or None."""
    done = subprocess.run([heddle, "run", str(binary), f"--test={name}", "--all", "--json=-", "--algorithm=trust",
                           f"--memory={model}"], capture_output=True, text=True, timeout=300)
    if not done.stdout.startswith("{"):
        return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    result = json.loads(done.stdout)
    kinds = {finding["kind"] for finding in result["findings"]}
    found = {key: result[key] for key in truth if key in result}
    truth = dict(truth)
    racy = truth.pop("racy", None)
    truth["executions"] = truth["classes"] + truth["infeasible"]
    found["executions"] = result["executions"]
    if found != truth or not result["exhausted"]:
        return f"brute force has {truth}, the program {found}{'' if result['exhausted'] else ', ' + result['reason']}"
    if racy is not None and model == "c++20" and truth["infeasible"] == 0 and (racy > 0) != ("data-race" in kinds):
        return f"{racy} racy graphs, but findings {sorted(kinds)}"
    return None


def compare(emit, heddle, compiler, arguments, level):
    """Failures, and runs."""
    source = subprocess.run([emit, *arguments], capture_output=True, text=True, check=True).stdout
    failed = runs = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        path = pathlib.Path(scratch)
        (path / "litmus.cpp").write_text(source)
        subprocess.run([compiler, level, "-std=c++20", "-mcx16", "-Wno-everything", str(path / "litmus.cpp"), "-o",
                        str(path / "litmus")], check=True)
        jobs = {(name, model): pool.submit(run, heddle, path / "litmus", name, model, truth)
                for name, model, truth in truths_of(source)}
        for (name, model), job in jobs.items():
            runs += 1
            if wrong := job.result():
                failed += 1
                print(f"FAILED {name} under {model}: {wrong}", flush=True)
    return failed, runs


def main():
    emit, heddle, compiler = sys.argv[1:4]
    count, seed = option("count", 100), option("seed", 1)
    failed, runs = compare(emit, heddle, compiler, [], "-O1")
    print(f"{runs - failed} of {runs} runs of litmus tests of the literature")
    for number in range(0, count, AT_ONCE):
        some = min(AT_ONCE, count - number)
        wrong, more = compare(emit, heddle, compiler, [str(seed + 10 * number), str(some)],
                              ["-O1", "-O0", "-O2"][number // AT_ONCE % 3])
        print(f"{more - wrong} of {more} runs of {some} random programs", flush=True)
        failed, runs = failed + wrong, runs + more
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
