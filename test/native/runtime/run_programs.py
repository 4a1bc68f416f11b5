#!/usr/bin/env python3
"""Compiles the programs of this folder against the runtime and compares what exploring them gives with what they
state in their heads:

    // expect: classes=4 deadlocks=0        words that must all appear in the result
    // options: --all --races=explore       for the exploration
    // flags: -O0                           for the compiler
    // gives: text                          the result must contain this text (errors)

usage: run_programs.py --runtime libheddle_runtime.a --explore explore_binary --compiler clang++ [--opt -O1]
                       [--extra "--isolation=process"] PROGRAM...
"""
import argparse
import os
import shlex
import subprocess
import sys
import tempfile


def directives(path):
    found = {"expect": "", "options": "", "flags": "", "gives": ""}
    with open(path, encoding="utf-8") as source:
        for line in source:
            if not line.startswith("//"):
                break
            for key in found:
                if line.startswith(f"// {key}:"):
                    found[key] += " " + line.split(":", 1)[1].strip()
    return found


def build(arguments, path, flags, target):
    is_c = path.endswith(".c")
    compiler = arguments.compiler.replace("++", "") if is_c else arguments.compiler
    include = os.path.join(os.path.dirname(__file__), "../../../include")
    compile_line = [compiler, "-std=gnu17" if is_c else "-std=c++20", "-g", arguments.opt, "-I", include,
                    "-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write=1",
                    "-mllvm", "-tsan-instrument-func-entry-exit=0", *flags, "-c", path, "-o", target + ".o"]
    link_line = [arguments.compiler, target + ".o", "-o", target, "-no-pie", "-rdynamic", "-Wl,-z,now",
                 arguments.runtime, "-lm", "-ldl", "-Wl,@" + os.path.join(os.path.dirname(arguments.runtime),
                                                                          "wrapped_functions")]
    for line in (compile_line, link_line):
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode != 0:
            return done.stderr
    return None


def run(arguments, path, folder):
    told = directives(path)
    if not told["expect"] and not told["gives"]:
        return "it states no expectation"
    target = os.path.join(folder, os.path.basename(path).replace(".", "_"))
    error = build(arguments, path, shlex.split(told["flags"]), target)
    if error:
        return "does not compile:\n" + error
    line = [arguments.explore, *shlex.split(told["options"]), *shlex.split(arguments.extra), target]
    try:
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "does not end within two minutes"
    result = done.stdout.strip().split("\n")[-1]
    wrong = [word for word in told["expect"].split() if word not in result.split()]
    if told["gives"].strip() and told["gives"].strip() not in done.stdout + done.stderr:
        wrong.append(told["gives"].strip())
    if wrong:
        return f"expected {' '.join(wrong)}\n    got {result}\n    {done.stderr.strip()[:500]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--explore", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--opt", default="-O1")
    parser.add_argument("--extra", default="")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.programs:
            trouble = run(arguments, path, folder)
            if trouble:
                failed += 1
                print(f"{os.path.basename(path)}: {trouble}")
    print(f"{len(arguments.programs) - failed} of {len(arguments.programs)} as stated")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
