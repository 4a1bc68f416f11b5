"""Random programs, as C and as models: the native front end must find the same classes, deadlocks and failures.

Usage: oracle_test.py EMIT_SCRIPTS HEDDLE HEDDLE_CC [--count=N] [--seed=N] [--states=N] [--barriers=N] [--full]

The programs are the tests of one binary, so compiling costs little. It is built with atomics, and once more with plain
accesses, explored with --races=explore: accesses that never race are not visible, and that must not lose a class.
Programs with inputs, attempts at all kinds of locks, assumptions and ends of the process have no models; on them the
algorithms must agree with each other, and every first finding must replay.

Programs in which threads meet at a barrier are compared with their models under every algorithm in turn (--barriers=N of them).

Programs in C++ with accesses of all sizes at all addresses, with containers under a lock, and with threads that wait for each other in
many ways, meet, end early or are cancelled, must end in exactly the states in which brute force sees them end (--states=N of them):
each is a finding of its own; and threads that may wait for ever are one.

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
    # Models are interleavings; an attempt at a lock that fails would ask for graphs.
    command = [heddle, "run", str(binary), f"--test={name}", "--all", "--json=-", "--memory=sc", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if not done.stdout.startswith("{"):
        return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    result = json.loads(done.stdout)
    found = {key: result[key] for key in truth}
    if found != truth or not result["exhausted"]:
        return f"the model has {truth}, the program {found}{'' if result['exhausted'] else ', not exhausted'}"
    return None


def failures(jobs, title):
    """How many of the jobs, by the name of their program, say that something is wrong; each is shown."""
    failed = 0
    for name, job in jobs.items():
        if wrong := job.result():
            failed += 1
            print(f"FAILED {name} ({title}): {wrong}", flush=True)
    return failed


EXACT = ["optimal-dpor", "source-dpor", "dpor", "dpor-cr", "race-flip"]
UNFOLDINGS = ["unfolding", "contextual-unfolding"]
MOST_EXECUTIONS = 4000


def explore(heddle, binary, name, algorithm, scratch):
    """What an algorithm finds: counts, and kinds of findings; or what is wrong."""
    saved = scratch / f"{name}-{algorithm}.schedule"
    done = subprocess.run([heddle, "run", str(binary), f"--test={name}", "--all", "--json=-", "--no-minimize",
                           f"--algorithm={algorithm}", f"--max-executions={MOST_EXECUTIONS}", f"--save={saved}"],
                          capture_output=True, text=True, timeout=300)
    if not done.stdout.startswith("{"):
        return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    result = json.loads(done.stdout)
    kinds = [finding["kind"] for finding in result["findings"]]
    if kinds:
        replayed = subprocess.run([heddle, "replay", str(saved), "--json=-"], capture_output=True, text=True, timeout=300)
        if not replayed.stdout.startswith("{") or \
                kinds[0] not in [finding["kind"] for finding in json.loads(replayed.stdout)["findings"]]:
            return f"the schedule does not lead to the {kinds[0]}: {replayed.stderr.strip()[-300:]}"
    return result["exhausted"], (result["classes"], result["deadlocked"], result["failed"]), set(kinds)


def disagreement(heddle, binary, name, scratch):
    """What is wrong, or None."""
    wanted = explore(heddle, binary, name, "exhaustive", scratch)
    if isinstance(wanted, str):
        return wanted
    if not wanted[0]:
        return None   # too large
    for algorithm in EXACT + UNFOLDINGS:
        found = explore(heddle, binary, name, algorithm, scratch)
        if isinstance(found, str):
            return f"{algorithm}: {found}"
        if not found[0] or found[2] != wanted[2] or (algorithm in EXACT and found[1] != wanted[1]):
            return f"{algorithm} finds {found}, exhaustive {wanted}"
    return None


def compare_algorithms(emit, heddle, compiler, seed, count):
    """Failures, and programs compared."""
    source = subprocess.run([emit, str(seed), str(count), "mixed"], capture_output=True, text=True, check=True).stdout
    names = truths_of(source)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        path = pathlib.Path(scratch)
        (path / "mixed.c").write_text(source)
        subprocess.run([compiler, "-O1", "--heddle-symbolic=on", str(path / "mixed.c"), "-o", str(path / "mixed")],
                       check=True)
        jobs = {name: pool.submit(disagreement, heddle, path / "mixed", name, path) for name in names}
        failed = failures(jobs, "mixed")
    print(f"{len(names) - failed} of {len(names)} programs on which all algorithms agree")
    return failed, len(names)


ALGORITHMS = ["optimal-dpor", "source-dpor", "unfolding", "dpor", "contextual-unfolding", "exhaustive"]
AT_ONCE = 100   # programs in one file


def run_states(heddle, binary, name, truth, algorithm):
    """What is wrong, or None."""
    command = [heddle, "run", str(binary), f"--test={name}", "--all", "--json=-", "--no-minimize", f"--algorithm={algorithm}"]
    if truth["races"]:
        command.append("--races=explore")
    if algorithm != "optimal-dpor":
        command.append(f"--max-executions={10 * MOST_EXECUTIONS}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if not done.stdout.startswith("{"):
        return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    result = json.loads(done.stdout)
    kinds = [finding["kind"] for finding in result["findings"]]
    others = set(kinds) - {"assertion"}
    if algorithm != "optimal-dpor" and result["executions"] == 10 * MOST_EXECUTIONS:
        return None   # too large
    stuck = bool(others) if others <= {"deadlock", "livelock"} else None
    if kinds.count("assertion") != truth["findings"] or stuck != bool(truth["stuck"]) or not result["exhausted"]:
        others = sorted(others)
        return f"{truth['findings']} states, {algorithm} finds {kinds.count('assertion')} {others}, {result['reason']}"
    return None


def compare_states(emit, heddle, compiler, seed, count):
    """Failures, and programs compared."""
    failed = compared = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        path = pathlib.Path(scratch)
        for number in range(0, count, AT_ONCE):
            some = min(AT_ONCE, count - number)
            source = subprocess.run([emit, str(seed + 10 * number), str(some), "states"], capture_output=True, text=True,
                                    check=True).stdout
            (path / "states.cpp").write_text(source)
            level = ["-O1", "-O0", "-O2"][number // AT_ONCE % 3]
            subprocess.run([compiler.replace("heddle-cc", "heddle-c++"), level, "-std=c++20", str(path / "states.cpp"), "-o",
                            str(path / "states")], check=True)
            jobs = {name: pool.submit(run_states, heddle, path / "states", name, truth,
                                      ALGORITHMS[index % len(ALGORITHMS)])
                    for index, (name, truth) in enumerate(truths_of(source).items())}
            compared += len(jobs)
            failed += failures(jobs, level)
    print(f"{compared - failed} of {compared} programs end in the states of brute force")
    return failed, compared


def compare_barriers(emit, heddle, compiler, seed, count):
    """Failures, and programs compared."""
    source = subprocess.run([emit, str(seed), str(count), "barriers"], capture_output=True, text=True, check=True).stdout
    truths = truths_of(source)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        path = pathlib.Path(scratch)
        (path / "barriers.c").write_text(source)
        subprocess.run([compiler, "-O1", str(path / "barriers.c"), "-o", str(path / "barriers")], check=True)
        jobs = {name: pool.submit(run, heddle, path / "barriers", name, truth,
                                  [f"--algorithm={EXACT[index % len(EXACT)]}"])
                for index, (name, truth) in enumerate(truths.items())}
        failed = failures(jobs, "barriers")
    print(f"{len(truths) - failed} of {len(truths)} programs with barriers as their models")
    return failed, len(truths)


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
            runs += len(jobs)
            failed += failures(jobs, title)
    print(f"{runs - failed} of {runs} runs of {len(truths)} programs as their models")
    disagreed, compared = compare_algorithms(emit, heddle, compiler, seed, count // 2)
    met, meetings = compare_barriers(emit, heddle, compiler, seed, option("barriers", 1000 if full else count))
    differ, judged = compare_states(emit, heddle, compiler, seed, option("states", 2000 if full else count))
    wrong = failed or disagreed or differ or met
    return 1 if wrong or not truths or not compared or not judged or not meetings else 0


if __name__ == "__main__":
    sys.exit(main())
