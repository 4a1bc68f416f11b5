"""Runs every benchmark program of up to 250,000 classes with optimal-dpor and compares with the `// expect:` lines
in its head. Also the cumulative counts under pre-emption bounds, and on the small ones every algorithm."""
import json
import pathlib
import re
import subprocess
import sys

heddle, folder = sys.argv[1], pathlib.Path(sys.argv[2])
LARGEST = 250_000
ALL_ALGORITHMS_UP_TO = 300
failures = []
checked = 0


def run(program, *options):
    done = subprocess.run([heddle, "run", program, "--all", "--json=-", *options], capture_output=True, text=True)
    if done.returncode not in (0, 1, 2):
        return {"error": done.stderr.strip()}
    return json.loads(done.stdout)


def compare(program, options, wanted, strict=True):
    global checked
    checked += 1
    result = run(program, *options)
    for key, value in wanted.items():
        if result.get(key) != value:
            failures.append(f"{program.name} {' '.join(options)}: {key} is {result.get(key, result)}, not {value}")
    if strict and result.get("asleep") != 0:
        failures.append(f"{program.name} {' '.join(options)}: {result.get('asleep')} executions asleep")
    if not result.get("exhausted"):
        failures.append(f"{program.name} {' '.join(options)}: not exhausted")


for program in sorted(folder.glob("*.hed")):
    for line in re.findall(r"^// expect: (.*)$", program.read_text(), re.M):
        defines = re.findall(r"-D (\S+)", line)
        wanted = {k: int(v) for k, v in re.findall(r"\b(classes|deadlocked)=(\d+)", line)}
        if wanted["classes"] > LARGEST:
            continue
        options = [word for d in defines for word in ("-D", d)]
        compare(program, options, wanted)
        if wanted["classes"] <= ALL_ALGORITHMS_UP_TO:
            for algorithm in ("source-dpor", "dpor-cr", "dpor", "race-flip"):
                compare(program, [*options, f"--algorithm={algorithm}", "--sleep-sets"], wanted, strict=False)

bounded = {
    ("lost_update.hed", "n=2"): [2, 4, 4],
    ("lost_update.hed", "n=3"): [6, 24, 36, 36],
    ("store_buffering.hed", None): [2, 3, 3],
}
for (name, define), counts in bounded.items():
    for k, count in enumerate(counts):
        options = (["-D", define] if define else []) + [f"--preemptions={k}"]
        compare(folder / name, options, {"classes": count}, strict=False)

for failure in failures:
    print(failure)
print(f"{checked} runs compared")
assert checked > 80, "the expectations were not found"
sys.exit(bool(failures))
