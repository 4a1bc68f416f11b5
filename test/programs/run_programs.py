"""Runs C and C++ programs through `heddle run` and compares with what their heads promise.

Usage: run_programs.py HEDDLE [--full | --plain | --levels] [--only=TEXT] FILE...

A program's head has lines

    // expect: [options of heddle run] words
    // slow: the same, but only with --full
    // flags: flags for the compiler
    // counts: WHY    class counts differ: `spinning` with gcc, which marks no loops (how many idle turns are told apart
                      depends on what it keeps in registers and on the stack), `results` with gcc, of which is not known whether
                      anybody looks at the result of a wait at a barrier, `optimiser` between compilers and levels
                      (it removes or adds visible operations, or variables). Counts that are stated hold where clang's
                      -O1 goes through the pass
    // algorithms: every | NAME...   its lines hold for these algorithms, too. Unfoldings cover local states and deadlocks,
                      with at most one execution per class: their counts are not compared
    // exempt: rewound   it cannot be rewound, and heddle may run it in processes
    // exempt: gcc       built with gcc, which marks neither loops nor scopes, it does not come to an end, or no bug is found
    // exempt: isolation   with a kernel thread per thread, or a process per execution, it takes minutes: only with --full

where the words are

    none           no finding, everything explored
    inconclusive   no finding, and not everything explored
    KIND           a finding of this kind (assertion, deadlock, data-race, ...)
    classes=N, deadlocked=N, failed=N, executions=N, cut=N, findings=N
    assumes=KIND   the verdict rests on this assumption, `KIND@3,5`: with places in exactly these lines;
                   assumes=nothing: on none
    stronger=LINE:ORDER,...   the first finding is gone if accesses and fences in these lines have these orders, and that is what
                   its explanation says; stronger=nothing: no orders help
    reason=TEXT    why it is inconclusive has this text in it
    error:TEXT     heddle refuses with this text

Where a run explores everything, its class count is the same in all configurations.

Each program is built at -O0, -O1 and -O2 by both instrumentation routes and run by the three ways of executing. --full does
all of that for every line; by default a program gets a part of it that depends on its name, so that the whole matrix is
covered by the whole suite. --plain is one configuration only. --levels is the pass at every level, alone and beside
ThreadSanitizer's instrumentation: the same findings and the same counts.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time
import zlib

TIMEOUT = 240

BASE = ("-O1", "pass", [], {})
GCC = {"HEDDLE_CC": "gcc", "HEDDLE_CXX": "g++"}
OTHERS = [
    ("-O0", "pass", [], {}),
    ("-O2", "pass", [], {}),
    ("-O0", "tsan", [], {}),
    ("-O1", "tsan", [], {}),
    ("-O2", "tsan", [], {}),
    ("-O1", "tsan", [], GCC),
    ("-O2", "tsan", [], GCC),
]
LEVELS = [(level, "pass", [], {}) for level in ("-O0", "-O1", "-O2", "-O3", "-Os")] + \
         [(level, "tsan", [], {}) for level in ("-O0", "-O1", "-O2", "-O3")]
ALGORITHMS = ["source-dpor", "dpor", "unfolding", "contextual-unfolding"]
ISOLATED = [
    ("-O1", "pass", ["--isolation=process"], {}),
    ("-O1", "pass", ["--backend=threads"], {}),
]


class Program:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.expectations, self.slow, self.flags, self.only_base, self.counts = [], [], [], False, ""
        self.exempt, self.algorithms = "", []
        for line in self.path.read_text().splitlines():
            if not line.startswith("//"):
                break
            key, _, rest = line[2:].strip().partition(":")
            if key == "expect":
                self.expectations.append(shlex.split(rest))
            elif key == "slow":
                self.slow.append(shlex.split(rest))
            elif key == "flags":
                self.flags += shlex.split(rest)
            elif key == "counts":
                self.counts = rest.strip()
            elif key == "algorithms":
                self.algorithms = ALGORITHMS if rest.strip() == "every" else rest.split()
            elif key == "exempt":
                self.exempt = rest.strip()
            elif key == "configurations":
                self.only_base = rest.strip() == "one"

    def counts_differ(self, configuration):
        level, route, _, environment = configuration
        if self.counts in ("spinning", "results"):
            return environment == GCC
        return self.counts == "optimiser" and (level, route, environment) != (BASE[0], BASE[1], BASE[3])

    def configurations(self, mode):
        level, route, extra, environment = BASE
        return self.builds(mode) + [(level, route, [*extra, f"--algorithm={a}"], environment) for a in self.algorithms]

    def builds(self, mode):
        others = [o for o in OTHERS if o[3] is not GCC or "gcc" not in self.exempt]
        if mode == "plain" or self.only_base:
            return [BASE]
        if mode == "levels":
            return LEVELS
        if mode == "full":
            return [BASE] + others + ISOLATED
        pick = zlib.crc32(self.path.name.encode())
        isolated = [] if "isolation" in self.exempt else [ISOLATED[pick // 16 % len(ISOLATED)]]
        return [BASE, others[pick % len(others)], *isolated]


def split(words):
    """Options of heddle, and what is expected."""
    options, expected = [], []
    pending = False
    for word in words:
        if pending or word.startswith("-"):
            options.append(word)
            pending = word == "-D"
        else:
            expected.append(word)
    return options, expected


def run(heddle, program, words, configuration):
    """The first thing wrong or None, the command, and the class count where everything was explored."""
    options, expected = split(words)
    level, route, extra, environment = configuration
    unfolds = any(option.endswith("unfolding") or option.endswith("stateful") for option in extra)
    if unfolds or program.counts_differ(configuration):
        expected = [word for word in expected if "=" not in word]
    error = next((w for w in expected if w.startswith("error:")), None)
    command = [heddle, "run", str(program.path), "--json=-", f"--instrument={route}", *options, *extra, "--", level,
               *program.flags]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return f"not finished after {TIMEOUT} s", command, None
    if error is not None:
        wanted = error.partition(":")[2]
        ok = done.returncode == 3 and wanted in done.stderr
        return (None if ok else f"expected exit code 3 and \"{wanted}\", got {done.returncode}: {done.stderr[:300]}"), command, None
    if done.returncode == 3 or not done.stdout.startswith("{"):
        return f"exit code {done.returncode}: {done.stderr.strip()[-400:]}", command, None
    if "every execution runs in a process of its own" in done.stderr and "rewound" not in program.exempt:
        return f"the program could not be rewound: {done.stderr.strip()[-400:]}", command, None
    result = json.loads(done.stdout)
    counted = any("=" in word for word in expected)
    if counted and result["algorithm"].endswith("unfolding") and not any(w.startswith("--algorithm") for w in options + extra):
        # By default an unfolding runs beside, and where it ends first the counts are its own.
        return run(heddle, program, ["--algorithm=optimal-dpor", *words], configuration)
    if environment:   # a compiler that cannot load the pass: the verdict of every program with threads says so
        result["assumptions"] = [a for a in result["assumptions"] if a["kind"] != "as-compiled"]
    return compare(result, expected), command, result["classes"] if result["exhausted"] and not unfolds else None


def stronger_orders(result):
    explanation = result["findings"][0]["explanation"] if result["findings"] else {}
    if "orders" not in explanation:
        return "unknown"
    return ",".join(sorted(f"{o['where'].split(':')[-2]}:{o['wanted']}" for o in explanation["stronger_orders"])) or "nothing"


def compare(result, expected):
    kinds = [finding["kind"] for finding in result["findings"]]
    said = f"{result['verdict']}, findings {kinds}, {result['classes']} classes, " \
           f"{result['deadlocked']} deadlocked, {result['failed']} failed, {result['executions']} executions" + \
           (f" ({result['reason']})" if result["reason"] else "")
    for word in expected:
        key, equals, value = word.partition("=")
        if key == "findings" and equals:
            if len(kinds) != int(value):
                return f"expected {word}, got {said}"
        elif key == "assumes":
            if wrong := compare_assumptions(result["assumptions"], value):
                return f"expected {word}, got {wrong}"
        elif key == "stronger" and equals:
            if (said_orders := stronger_orders(result)) != ",".join(sorted(value.split(","))):
                return f"expected {word}, got stronger={said_orders}, {said}"
        elif key == "reason" and equals:
            if value not in result["reason"]:
                return f"expected {word}, got {said}"
        elif equals:
            if result[key] != int(value):
                return f"expected {word}, got {said}"
        elif word == "none":
            if kinds or not result["exhausted"] or result["verdict"] != "no bug":
                return f"expected no finding and everything explored, got {said}"
        elif word == "inconclusive":
            if result["exhausted"] or result["verdict"] != "inconclusive":
                return f"expected no finding and a search that was not exhausted, got {said}"
        elif word not in kinds:
            return f"expected {word}, got {said}"
    kinds_expected = [w for w in expected if "=" not in w and w not in ("none", "inconclusive")]
    extra = [k for k in kinds if k not in kinds_expected]
    if extra:
        return f"expected {kinds_expected or 'none'}, got also {extra}: {said}"
    return None


def compare_assumptions(assumptions, expected):
    said = [f"{a['kind']}@{','.join(a['places'])}" for a in assumptions]
    kind, _, lines = expected.partition("@")
    if kind == "nothing":
        return ", ".join(said)
    for assumption in assumptions:
        found = {re.sub(r".*?:(\d+)(:\d+)?$", r"\1", place) for place in assumption["places"]}
        if assumption["kind"] == kind and (not lines or found == set(lines.split(","))):
            return None
    return ", ".join(said) or "no assumption"


def timed(*job):
    started = time.time()
    return run(*job), time.time() - started


def main(arguments):
    heddle = arguments[0]
    mode = "full" if "--full" in arguments else "plain" if "--plain" in arguments else \
        "levels" if "--levels" in arguments else "normal"
    only = next((a.partition("=")[2] for a in arguments if a.startswith("--only=")), "")
    programs = [Program(a) for a in arguments[1:] if not a.startswith("--") and re.search(only, a)]
    jobs = []
    for program in programs:
        if not program.expectations:
            print(f"{program.path}: no expectation in its head")
            return 1
        for words in program.expectations + (program.slow if mode == "full" else []):
            jobs += [(program, words, configuration) for configuration in program.configurations(mode)]
    failed = 0
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        started = time.time()
        futures = {pool.submit(timed, heddle, *job): job for job in jobs}
        slow = []
        for future in concurrent.futures.as_completed(futures):
            program, words, configuration = futures[future]
            (wrong, command, classes), seconds = future.result()
            slow.append((seconds, shlex.join(command[1:])))
            if not wrong and classes is not None and not program.counts_differ(configuration):
                other, before = counts.setdefault((program, *words), (classes, command))
                if other != classes:
                    wrong = f"{classes} classes, but {other} with {shlex.join(before[1:])}"
            if wrong:
                failed += 1
                print(f"FAILED {program.path.name}: {' '.join(words)}\n  {wrong}\n  {shlex.join(command[1:])}", flush=True)
    print(f"{len(jobs) - failed} of {len(jobs)} runs of {len(programs)} programs as expected, {time.time() - started:.0f} s")
    for seconds, command in sorted(slow, reverse=True)[:3]:
        print(f"  {seconds:.0f} s: {command}")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
