"""The stateful algorithms, `heddle unfold --model` and `heddle compare` on the command line: what they print, write and
refuse; and that their findings replay."""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

heddle, source = sys.argv[1], pathlib.Path(sys.argv[2])
native = "--native" in sys.argv
failures = []


def run(*arguments):
    return subprocess.run([heddle, *map(str, arguments)], capture_output=True, text=True)


def expect(condition, what):
    if not condition:
        failures.append(what)


programs = source / "bench/programs"
figures = source / "test/stateful/programs"

# The net, drawn.
done = run("unfold", figures / "fig_7_3.hed", "--model", "--dot")
expect(done.returncode == 0 and done.stdout.count("shape=box") == 6 and done.stdout.count("shape=circle") == 13, "dot: " + done.stdout)
with tempfile.TemporaryDirectory() as folder:
    svg, html = pathlib.Path(folder, "n.svg"), pathlib.Path(folder, "n.html")
    done = run("unfold", figures / "fig_7_4.hed", "--model", "--svg", svg, "--html", html)
    expect("10 places, 9 transitions, 13 markings" in done.stdout, "summary: " + done.stdout + done.stderr)
    expect(svg.read_text().count("<rect") == 10 and "<svg" in html.read_text(), "drawing")
done = run("unfold", programs / "fib.hed", "--model", "--dot")
expect(done.returncode == 3 and "too many to draw" in done.stderr, "large net: " + done.stderr)
done = run("unfold", figures / "fig_7_3.hed", "--model", "--contextual")
expect(done.returncode == 3 and "--contextual" in done.stderr, "contextual net: " + done.stderr)

# Of a C or C++ program, too.
with tempfile.TemporaryDirectory() as folder:
    source_file = pathlib.Path(folder, "writes.c")
    source_file.write_text("#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n"
                           "static void* w(void* p) { x = 1; x = 2; return p; }\n"
                           "int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);\n"
                           "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n")
    if native:
        done = run("unfold", source_file, "--model", "--dot")
        expect(done.returncode == 0 and "x = 2" in done.stdout and "T2" in done.stdout, "native net: " + done.stdout + done.stderr)
    done = run("unfold", source_file, "--dot")
    expect(done.returncode == 3 and "--model draws the Petri net" in done.stderr, "native unfolding: " + done.stderr)

# Findings replay.
for algorithm in ("stateful", "stateful-unfolding"):
    with tempfile.TemporaryDirectory() as folder:
        schedule = pathlib.Path(folder, "bug.schedule")
        done = run("run", programs / "dining.hed", f"--algorithm={algorithm}", f"--save={schedule}")
        expect(done.returncode == 1 and "deadlock" in done.stdout, f"{algorithm}: {done.stdout}")
        expect(run("replay", schedule).returncode == 1, f"{algorithm}: the deadlock does not replay")
    done = run("run", programs / "lost_update.hed", "-D", "check=1", f"--algorithm={algorithm}", "--all")
    expect(done.returncode == 1 and "an update was lost" in done.stdout, f"{algorithm}: {done.stdout}")
    done = run("run", programs / "locking_thesis.hed", f"--algorithm={algorithm}")
    expect(done.returncode == 0 and "net of 200 places and 386 transitions" in done.stdout, f"{algorithm}: {done.stdout}")
    # What is not modelled is said.
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "assume.hed")
        model.write_text("shared int x; thread a { int r = x; assume(r == 1); } thread b { x = 1; }\n")
        done = run("run", model, f"--algorithm={algorithm}")
        expect(done.returncode == 2 and "assumption" in done.stdout, f"{algorithm}, assumption: {done.stdout}")

# Also where data under a lock is what the net is made of.
for algorithm in ("unfolding", "contextual-unfolding", "stateful", "stateful-unfolding") if native else ():
    for program, kind in (("bank.cpp", "assertion"), ("rw_cache.cpp", ""), ("thread_pool_shutdown.cpp", "")):
        with tempfile.TemporaryDirectory() as folder:
            schedule = pathlib.Path(folder, "bug.schedule")
            done = run("run", source / "examples" / program, f"--algorithm={algorithm}", f"--save={schedule}")
            expect(done.returncode == 1 and kind in done.stdout, f"{algorithm}: {program}: {done.stdout}{done.stderr}")
            again = run("replay", schedule)
            expect(again.returncode == 1, f"{algorithm}: {program} does not replay: {again.stdout[-300:]}")

# Values instead of origins.
done = run("run", programs / "locking_thesis.hed", "--algorithm=stateful", "--match=values", "--json=-")
expect(json.loads(done.stdout)["states"] == 4434, "values: " + done.stdout[:300])
done = run("run", programs / "fib.hed", "--match=values")
expect(done.returncode == 3 and "remembers none" in done.stderr, "values without states: " + done.stderr)
done = run("run", programs / "fib.hed", "--algorithm=stateful", "--match=places")
expect(done.returncode == 3 and "origins" in done.stderr, "bad word: " + done.stderr)

# Side by side.
done = run("compare", programs / "lost_update.hed", "-D", "n=3", "--csv=-")
rows = list(csv.DictReader(io.StringIO(done.stdout)))
expect(done.returncode == 0 and len(rows) > 10, "compare: " + done.stdout + done.stderr)
classes = {row["algorithm"]: int(row["classes"]) for row in rows}
expect(classes.get("optimal-dpor") == classes.get("exhaustive") == classes.get("dpor") == 36, f"classes: {classes}")
events = {row["algorithm"]: int(row["events"]) for row in rows}
expect(events.get("unfolding") == 111 and events.get("optimal-dpor") == 0, f"events: {events}")
with tempfile.TemporaryDirectory() as folder:
    page, values = pathlib.Path(folder, "c.html"), pathlib.Path(folder, "c.json")
    done = run("compare", programs / "dining.hed", "--algorithms=optimal-dpor,stateful", f"--html={page}", f"--json={values}")
    expect(done.returncode == 1 and "█" in done.stdout, "compare finds the deadlock: " + done.stdout + done.stderr)
    expect([r["findings"] for r in json.loads(values.read_text())["algorithms"]] == [1, 1], "findings: " + values.read_text())
    expect(page.read_text().count("<tr") == 3, "page")
done = run("compare", programs / "fib.hed", "--algorithms=optimal-dpr")
expect(done.returncode == 3 and "did you mean" in done.stderr, "misspelt: " + done.stderr)
done = run("compare")
expect(done.returncode == 3 and "needs a program" in done.stderr, "no program: " + done.stderr)
done = run("compare", programs / "nothing.hed")
expect(done.returncode == 3 and "no file" in done.stderr, "missing: " + done.stderr)
done = run("compare", programs / "fib.hed", "--algorithms=optimal-dpor", "--max-executions=5")
expect(done.returncode == 2 and "budget" in done.stdout, "budget: " + done.stdout)

# An algorithm that is not for such a program is said, and does not count; properties are checked by all others.
with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder, "c.html")
    model = pathlib.Path(folder, "input.hed")
    model.write_text("shared int x; thread a { int i = input(); if (i > 3) x = i; } thread b { int r = x; }\n")
    done = run("compare", model, "--algorithms=optimal-dpor,trust,stateful", f"--html={page}")
    expect(done.returncode == 0 and "trust: trust does not explore inputs" in done.stdout, "refused: " + done.stdout + done.stderr)
    expect("trust does not explore inputs" in page.read_text(), "refused, on the page")
    model = pathlib.Path(folder, "m.hed")
    model.write_text("shared int x, y; thread a { x = 1; y = 1; } thread b { x = 2; y = 2; }\n")
    for condition, code, bugs in (("x == 1 && y == 2", 1, {"1"}), ("x == 0 && y == 1", 0, {"0"})):
        done = run("compare", model, f"--never={condition}", "--csv=-")
        rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["algorithm"] != "trust"]
        expect(done.returncode == code and len(rows) > 10 and {row["findings"] for row in rows} == bugs,
               f"compare --never={condition}: {done.stdout}{done.stderr}")
    done = run("compare", model, "--never=x + > 1")
    expect(done.returncode == 3 and "  x + > 1\n      ^" in done.stderr, "bad property: " + done.stderr)
    done = run("compare", model, "--when=x > 1")
    expect(done.returncode == 3 and "--when goes with" in done.stderr, "--when alone: " + done.stderr)

for failure in failures:
    print(failure)
sys.exit(bool(failures))
