#!/usr/bin/env python3
"""machines_test.py HEDDLE SOURCE [KILLS]: a search that several machines share, here processes around a nats-server: whoever is
killed with -9, its totals are those of one explorer. And who is not let in."""
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

heddle, source = sys.argv[1], Path(sys.argv[2])
kills_wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 6
TOTALS = ["executions", "classes", "asleep", "deadlocked", "failed", "states", "steps", "exhausted", "verdict"]
MODEL = [source / "bench/programs/fib.hed", "-D", "k=5"]
INPUTS = [source / "bench/programs/updater.hed", "-D", "swapped=1", "--no-minimize"]
NATIVE_INPUTS = [source / "test/programs/inputs/pairs.c", "-D", "N=4"]
NATIVE = [source / "bench/native/programs/fib.c", "--", "-DK=5", "-DLIMIT=143"]
server_program = shutil.which("nats-server") or "/usr/sbin/nats-server"


def fail(why):
    print("FAILED:", why)
    sys.exit(1)


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
    return flat | {"findings": [(f["kind"], f.get("count"), f.get("inputs")) for f in report["findings"]]}


def command(program, more):
    options = [heddle, "run", program[0], "--all", "--json=-", "--quiet", *more]
    return [str(word) for word in options + program[1:]]


def alone(program):
    done = subprocess.run(command(program, []), capture_output=True, text=True, timeout=120)
    return done.returncode, totals(done.stdout)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cast:
    """Whoever takes part; all are gone in the end."""

    def __init__(self):
        self.all = []

    def start(self, words, **how):
        process = subprocess.Popen([str(word) for word in words], text=True, **how)
        self.all.append(process)
        return process

    def quietly(self, words):
        return self.start(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.all:
            if process.poll() is None:
                process.kill()
            process.wait()


def listening(port):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    fail("the nats-server does not listen")


def killed_all_over(folder, program, seed):
    """Hands, the server and the keeper of the search are killed and started again."""
    code, expected = alone(program)
    port, dice, kills = free_port(), random.Random(seed), 0
    journal = folder / f"search{seed}.db"
    with Cast() as cast:
        words = {"server": [server_program, "-a", "127.0.0.1", "-p", port],
                 "keeper": command(program, ["-j", "1", f"--serve=nats://127.0.0.1:{port}", f"--journal={journal}"]),
                 "hand": [heddle, "work", f"nats://127.0.0.1:{port}"]}
        server = cast.quietly(words["server"])
        listening(port)
        keep = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        keeper = cast.start(words["keeper"], **keep)
        hands = [cast.quietly(words["hand"]) for _ in range(2)]
        while kills < kills_wanted:
            try:
                keeper.wait(timeout=dice.uniform(0.1, 0.5))
                break
            except subprocess.TimeoutExpired:
                kills += 1
            victim = dice.choice(["server", "keeper", "hand", "hand"])
            if victim == "server":
                server.kill()
                server.wait()
                server = cast.quietly(words["server"])
                listening(port)
            elif victim == "keeper":
                keeper.kill()
                keeper.communicate()
                keeper = cast.start(words["keeper"], **keep)
            else:
                hands[0].kill()
                hands = [hands[1], cast.quietly(words["hand"])]
        out, err = keeper.communicate(timeout=200)
        if keeper.returncode != code or totals(out) != expected:
            fail(f"{program} after {kills} kills: exit code {keeper.returncode}, {err}\n{out and totals(out)}\n"
                 f"instead of\n{expected}")
    print(f"{kills} kills, {expected['executions']} executions")
    return kills


def shared_by_certificates(folder):
    team, port = folder / "team", free_port()
    subprocess.run([source / "scripts/team-certificates", team, "localhost"], check=True, stdout=subprocess.DEVNULL)
    config = team / "nats.conf"
    config.write_text(config.read_text().replace("port: 4222", f'listen: "127.0.0.1:{port}"'))
    code, expected = alone(MODEL)
    url = f"nats://localhost:{port}"
    with Cast() as cast:
        cast.quietly([server_program, "-c", config])
        listening(port)
        keeper = cast.start(command(MODEL, ["-j", "1", f"--serve={url}", f"--tls={team}"]), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
        time.sleep(0.3)
        hand = subprocess.run([heddle, "work", url, f"--tls={team}"], capture_output=True, text=True, timeout=60)
        out, err = keeper.communicate(timeout=60)
        if keeper.returncode != code or totals(out) != expected:
            fail(f"with certificates: {out}{err}")
        if hand.returncode != 0 or "parts were explored" not in hand.stdout or hand.stdout.startswith("the search is over: 0"):
            fail(f"a hand with a certificate: {hand.stdout}{hand.stderr}")
        for words, reason in [([url], "no nats-server answers"), ([f"nats://example.org:{port}"], "certificate"),
                              ([url, f"--tls={folder}"], "team-certificates"), (["http://x"], "needs the server"),
                              ([url, "-j", "0"], "give a number")]:
            done = subprocess.run([heddle, "work", *words], capture_output=True, text=True, timeout=60)
            if done.returncode != 3 or reason not in done.stderr:
                fail(f"{words}: exit code {done.returncode}, {done.stderr}")


def refused():
    for more, reason in [(["--serve=here"], "takes nats://"), (["--serve=nats://example.org:4222"], "certificate"),
                         (["--tls=x"], "is for --serve"), (["--serve=local", "--check"], "does not go with"),
                         (["--serve=local", "--algorithm=surw"], "for one explorer")]:
        done = subprocess.run(command(MODEL, more), capture_output=True, text=True, timeout=60)
        if done.returncode != 3 or reason not in done.stderr:
            fail(f"{more}: exit code {done.returncode}, {done.stderr}")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    refused()
    shared_by_certificates(folder)
    for seed, program in enumerate([MODEL, NATIVE, INPUTS, NATIVE_INPUTS]):
        killed_all_over(folder, program, seed)
