"""Native ports of the benchmark programs by both kinds of unfolding: the same events as their models, but for one more for
each thread that main starts; the same deadlocks; and executions within the bars of Kähkönen 2015 Table 8.1."""
import pathlib
import re
import subprocess
import sys

heddle, source = sys.argv[1], pathlib.Path(sys.argv[2])
# port, its definitions; threads; events (place-replicated, contextual), 0: not stated; executions at most; deadlocks
ROWS = [
    ("fib.c", [], 3, (87454, 9110), (19605, 4950), 0),
    ("fib.c", ["OBSERVE=0"], 2, (6096, 3424), (1107, 1107), 0),
    ("szymanski.c", [], 2, (322488, 210888), (65138, 56487), 0),
    ("dining.c", ["N=4"], 4, (8044, 8044), (798, 798), 45),
    ("dining.c", ["N=5"], 5, (0, 0), (5746, 5749), 121),
    ("dining.c", ["N=6"], 6, (306150, 306150), (36075, 36058), 320),
    ("filesystem.c", ["N=16"], 16, (0, 0), (3, 3), 0),
    ("filesystem.c", ["N=18"], 18, (0, 0), (3, 3), 0),
]
failures = []


def run(program, defines, algorithm):
    options = [word for d in defines for word in ("-D", d)]
    done = subprocess.run([heddle, "run", source / "bench/native/programs" / program, "--races=explore", "--all",
                           f"--algorithm={algorithm}", *options], capture_output=True, text=True)
    return done.stdout + done.stderr


for program, defines, threads, events, executions, deadlocks in ROWS:
    for variant, algorithm in enumerate(("unfolding", "contextual-unfolding")):
        text = run(program, defines, algorithm)
        name = f"{program} {' '.join(defines)} {algorithm}"
        note = re.search(r"unfolding of (\d+) events and \d+ objects?, (\d+) bytes each; (\d+) executions? to cover it", text)
        if not note or ", exhausted" not in text:
            failures.append(f"{name}: {text[-400:]}")
            continue
        match = re.search(r"(\d+) deadlocked", text)
        found = int(match.group(1)) if match else 0
        if found != deadlocks:
            failures.append(f"{name}: {found} deadlocks, not {deadlocks}")
        if events[variant] and int(note.group(1)) != events[variant] + threads:
            failures.append(f"{name}: {note.group(1)} events, not {events[variant]} and {threads} spawns")
        if int(note.group(3)) > executions[variant]:
            failures.append(f"{name}: {note.group(3)} executions, more than {executions[variant]}")
        if int(note.group(2)) >= 200:
            failures.append(f"{name}: {note.group(2)} bytes each")

for failure in failures:
    print(failure)
sys.exit(bool(failures))
