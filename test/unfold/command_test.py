"""`heddle unfold` and the two algorithms on the command line: what they print, write and refuse; and that their findings
are those of optimal-dpor."""
import json
import pathlib
import subprocess
import sys
import tempfile

heddle, source = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []


def run(*arguments):
    return subprocess.run([heddle, *map(str, arguments)], capture_output=True, text=True)


def expect(condition, what):
    if not condition:
        failures.append(what)


small = source / "bench/programs/lost_update.hed"
done = run("unfold", small, "--dot")
expect(done.returncode == 0 and done.stdout.startswith("digraph") and done.stdout.count("shape=box") == 12, "dot")
done = run("unfold", small, "--contextual", "--dot")
expect(done.stdout.count("shape=box") == 10 and "dir=none" in done.stdout, "contextual dot")
with tempfile.TemporaryDirectory() as folder:
    svg, html = pathlib.Path(folder, "n.svg"), pathlib.Path(folder, "n.html")
    done = run("unfold", small, "--svg", svg, "--html", html)
    expect(done.returncode == 0 and "12 events" in done.stdout, "summary: " + done.stdout + done.stderr)
    expect(svg.read_text().startswith("<svg") and svg.read_text() in html.read_text(), "drawing")
for arguments, word in [
    (["unfold"], "needs a model"),
    (["unfold", "x.cpp"], "not a model"),
    (["unfold", source / "bench/programs/dining.hed", "--dot"], "too many to draw"),
    (["unfold", small, "--svg", "/nowhere/n.svg"], "cannot write"),
    (["run", small, "--algorithm=unfolding", "--sleep-sets"], "search tree"),
]:
    done = run(*arguments)
    expect(done.returncode == 3 and word in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")


def findings(program, algorithm, options):
    done = run("run", program, f"--algorithm={algorithm}", "--all", "--json=-", *options)
    report = json.loads(done.stdout)
    return {(f["kind"], f.get("position"), f.get("message")) for f in report["findings"]}, report


for name, options in [("dining.hed", []), ("synthetic1.hed", []), ("airline.hed", []), ("bounded_buffer.hed", []),
                      ("reorder.hed", []), ("synchronous_queue.hed", []), ("lost_update.hed", ["-D", "check=1"]),
                      ("updater.hed", ["-D", "swapped=1"])]:
    program = source / "bench/programs" / name
    if run("run", program, "--max-executions=1", *options).returncode == 3:
        continue
    wanted, _ = findings(program, "optimal-dpor", options)
    for algorithm in ("unfolding", "contextual-unfolding"):
        found, report = findings(program, algorithm, options)
        expect(found == wanted, f"{name} {algorithm}: found {found}, not {wanted}")
        expect(report["exhausted"], f"{name} {algorithm}: not exhausted")

for failure in failures:
    print(failure)
sys.exit(bool(failures))
