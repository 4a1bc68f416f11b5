"""Random programs, as C and as models: the native front end must find the same classes, deadlocks and failures.

Usage: oracle_test.py EMIT_SCRIPTS HEDDLE HEDDLE_CC [--count=N] [--seed=N] [--full]

The programs are the tests of one binary, so compiling costs little. It is built with atomics, and once more with plain
accesses, explored with --races=explore: accesses that never race are not visible, and that must not lose a class.
--full builds it at all levels by both routes and runs it isolated, too.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GCC = {"HEDDLE_CC": "gcc"}
CONFIGURATIONS = [
    ("atomic", ["-O1"], [], {}),
    ("plain", ["-O1", "-DPLAIN"], ["--races=explore"], {}),
]
MORE = [
    ("atomic -O0", ["-O0"], [], {}),
    ("atomic -O2", ["-O2"], [], {}),
    ("plain -O2", ["-O2", "-DPLAIN"], ["--races=explore"], {}),
    ("tsan", ["-O1", "--heddle-instrument=tsan"], [], {}),
    ("tsan plain -O0", ["-O0", "-DPLAIN", "--heddle-instrument=tsan"], ["--races=explore"], {}),
    ("gcc", ["-O2", "--heddle-instrument=tsan"], [], GCC),
    ("gcc plain", ["-O1", "-DPLAIN", "--heddle-instrument=tsan"], ["--races=explore"], GCC),
    ("isolated", ["-O1"], ["--isolation=process"], {}),
    ("dpor-cr", ["-O1"], ["--algorithm=dpor-cr"], {}),
]


def option(name, default):
    return next((int(a.partition("=")[2]) for a in sys.argv if a.startswith(f"--{name}=")), default)


def truths_of(source):
    truths = {}
    for line in source.splitlines():
        if line.startswith("// truth: "):
            name, *words = line[len("// truth: "):].split()
            truths[name] = {key: int(value) for key, value in (word.split("=") for word in words)}
    return truths


def run(heddle, binary, name, truth, options):
    """What is wrong, or None."""
    command = [heddle, "run", str(binary), f"--test={name}", "--all", "--json=-", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if not done.stdout.startswith("{"):
        return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    result = json.loads(done.stdout)
    found = {key: result[key] for key in truth}
    if found != truth or not result["exhausted"]:
        return f"the model has {truth}, the program {found}{'' if result['exhausted'] else ', not exhausted'}"
    return None


def main():
    emit, heddle, compiler = sys.argv[1:4]
    full = "--full" in sys.argv
    count, seed = option("count", 50), option("seed", 1)
    source = subprocess.run([emit, str(seed), str(count)], capture_output=True, text=True, check=True).stdout
    truths = truths_of(source)
    failed = runs = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        path = pathlib.Path(scratch)
        (path / "scripts.c").write_text(source)
        for number, (title, flags, options, environment) in enumerate(CONFIGURATIONS + (MORE if full else [])):
            binary = path / f"scripts{number}"
            subprocess.run([compiler, *flags, str(path / "scripts.c"), "-o", str(binary)], check=True,
                           env={**os.environ, **environment})
            jobs = {name: pool.submit(run, heddle, binary, name, truth, options) for name, truth in truths.items()}
            for name, job in jobs.items():
                runs += 1
                if wrong := job.result():
                    failed += 1
                    print(f"FAILED {name} ({title}): {wrong}", flush=True)
    print(f"{runs - failed} of {runs} runs of {len(truths)} programs as their models")
    return 1 if failed or not truths else 0


if __name__ == "__main__":
    sys.exit(main())
