#!/usr/bin/env python3
"""Checks what ARCHITECTURE.md says about src/: who may include whom, which headers of third parties are
included where, that a folder is a namespace, no cycles, and files short enough to hold one idea."""
import re
import sys
from pathlib import Path

# The folders each folder may include from, besides itself. `native/x` is more special than `native`.
MAY_INCLUDE = {
    "base": [],
    "trace": ["base"],
    "net": ["base", "trace"],
    "symbolic": ["base"],
    "property": ["base", "trace", "symbolic"],
    "explore": ["base", "trace", "symbolic"],
    "unfold": ["base", "trace", "net", "symbolic", "property", "explore/strategy.h"],
    "stateful": ["base", "trace", "net", "symbolic", "property", "unfold", "explore/strategy.h"],
    # Findings are explained by what other graphs show, hence explore/explorer.h; several explorers share a frontier.
    "graph": ["base", "trace", "explore/strategy.h", "explore/explorer.h", "explore/frontier.h"],
    # The registry of strategies, and searches that combine them.
    "strategies": ["base", "trace", "net", "property", "explore", "unfold", "stateful", "graph"],
    "model": ["base", "trace", "net", "symbolic", "property"],
    "native/protocol": ["base", "trace", "explore", "symbolic", "property"],
    "native/pass": ["native/protocol/symbolic_abi.h", "native/protocol/assembly_abi.h", "native/protocol/coverage_abi.h",
                    "native/protocol/comparison_abi.h"],
    "native/wrapper": ["base"],
    # A test executable contains the engine, so the runtime includes it.
    "native/runtime": ["base", "trace", "explore", "symbolic", "property", "unfold", "stateful", "graph", "strategies",
                       "dist", "check/self_check.h", "native/protocol"],
    "native/supervisor": ["base", "trace", "explore", "symbolic", "property", "dist", "native/protocol"],
    "dist": ["base", "trace", "symbolic", "explore"],
    # Reports show what an exploration came to, hence explore/explorer.h.
    "report": ["base", "trace", "explore/explorer.h"],
    "check": ["base", "trace", "net", "symbolic", "property", "explore", "unfold", "stateful", "graph", "model"],
    "cli": ["base", "trace", "net", "symbolic", "property", "explore", "unfold", "stateful", "graph", "strategies", "model", "dist", "report", "check",
            "native/supervisor", "native/wrapper/options.h"],  # the manual page of heddle-c++
}

# Third parties and the only places that may include them.
THIRD_PARTIES = {
    r"llvm/": ["native/pass/"],
    r"z3(\+\+)?\.h": ["symbolic/z3_solver"],
    r"cadical\.hpp": ["symbolic/cadical_solver"],
    r"CLI/": ["cli/"],
    r"sqlite3\.h": ["dist/journal"],
    r"nats\.h": ["dist/nats_transport"],
    r"openssl/": ["dist/letter"],
    r"nlohmann/": ["report/", "base/json", "native/supervisor/"],
}

MAX_LINES = 500
# A longer file argues its case in its head comment with this phrase.
ARGUMENT = "longer than most:"
NAMESPACE = re.compile(r"^namespace heddle(?:::(\w+))?", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def folder_of(path):
    """The key of MAY_INCLUDE that a path below src/ belongs to, or None."""
    parts = path.split("/")
    if parts[0] == "native" and len(parts) > 2:
        return "/".join(parts[:2])
    return parts[0] if len(parts) > 1 else None


def allowed(folder, target):
    return folder_of(target) == folder or any(
        target == entry or folder_of(target) == entry for entry in MAY_INCLUDE[folder])


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match.group(1), match.group(2)


def check_files(files):
    """files: path below src/ -> text. Returns complaints."""
    complaints = []
    graph = {}
    for path, text in sorted(files.items()):
        folder = folder_of(path)
        if folder is None:
            continue
        if folder not in MAY_INCLUDE:
            complaints.append(f"{path}: folder {folder} is not in the architecture's list")
            continue
        for number, kind, target in includes(text):
            place = f"{path}:{number}"
            for pattern, homes in THIRD_PARTIES.items():
                if re.match(pattern, target) and not any(path.startswith(h) for h in homes):
                    complaints.append(f"{place}: only {', '.join(homes)} may include <{target}>")
            if kind == "<":
                continue
            if target not in files:
                # Headers of include/heddle and those the runtime gets from the compiler's own folder.
                if not target.startswith("heddle/") and folder_of(target) in MAY_INCLUDE:
                    complaints.append(f"{place}: \"{target}\" does not exist below src/")
                continue
            graph.setdefault(path, []).append(target)
            if not allowed(folder, target):
                complaints.append(f"{place}: {folder} may not include {target}")
        # What everybody uses is in `base`, whose names stand in `heddle` itself.
        leaf = folder.split("/")[-1]
        for match in NAMESPACE.finditer(text):
            if match.group(1) != leaf and not (leaf == "base" and match.group(1) in (None, "clock_row")):
                number = text.count("\n", 0, match.start()) + 1
                complaints.append(f"{path}:{number}: what is in {folder} is in the namespace heddle::{leaf}")
        lines = text.count("\n")
        head = "\n".join(text.splitlines()[:40])
        if lines > MAX_LINES and ARGUMENT not in head:
            complaints.append(f"{path}: {lines} lines; split it, or say \"{ARGUMENT} ...\" in its head comment")
    return complaints + cycles(graph)


def cycles(graph):
    complaints, state = [], {}

    def visit(node, stack):
        state[node] = "open"
        for target in graph.get(node, []):
            if state.get(target) == "open":
                ring = stack[stack.index(target):] + [target] if target in stack else [node, target]
                complaints.append("cycle: " + " -> ".join(ring))
            elif target not in state:
                visit(target, stack + [target])
        state[node] = "done"

    for node in sorted(graph):
        if node not in state:
            visit(node, [node])
    return complaints


def check_cmake(text):
    """The DEPS of a folder's target must be allowed too."""
    complaints = []
    for name, deps in re.findall(r"^heddle_folder\((\w+)(?:\s+DEPS((?:\s+\w+)+?))?(?:\s+LIBS[^)]*)?\)", text, re.M):
        for dep in deps.split():
            heads = [entry.split("/")[0] for entry in MAY_INCLUDE.get(name, [])]
            if dep not in heads:
                complaints.append(f"src/CMakeLists.txt: {name} may not depend on {dep}")
    return complaints


def main():
    source = Path(sys.argv[1]) / "src"
    files = {str(p.relative_to(source)): p.read_text(errors="replace")
             for p in source.rglob("*") if p.suffix in (".h", ".hpp", ".cpp", ".c", ".inc")}
    if len(files) < 20:
        sys.exit(f"only {len(files)} source files found below {source}; wrong folder?")
    complaints = check_files(files) + check_cmake((source / "CMakeLists.txt").read_text())
    for complaint in complaints:
        print(complaint)
    print(f"{len(files)} files checked, {len(complaints)} complaints")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
