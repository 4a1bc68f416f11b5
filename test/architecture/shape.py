#!/usr/bin/env python3
"""Checks what CONTRIBUTING.md says of functions below src/, 60 lines, and that objects which all files can name are few."""
import re
import sys
from pathlib import Path

MAX_LINES = 60
# Longer functions, by what makes them so.
LONG_FUNCTIONS = {
    "a switch with one short case for each kind of statement, instruction, operation or term": {
        "check/script.cpp: print", "check/script_as_c.cpp: print", "check/script_code.cpp: compile_into",
        "check/script_program.cpp: next_step", "check/script_program.cpp: perform",
        "check/script_waiting.cpp: compile_waiting", "model/local_code.cpp: advance_as", "model/local_code.cpp: announce",
        "model/visible_step.cpp: perform", "native/runtime/term_operators.cpp: apply_to_terms",
        "report/narrative.cpp: sentence", "symbolic/bit_blaster.cpp: build", "symbolic/inversion.cpp: want",
        "symbolic/term.cpp: apply", "symbolic/z3_solver.cpp: expression",
    },
    "a table, one row after the other": {"cli/command_table.cpp: commands", "cli/options.cpp: run_options"},
    "one question after the other, whose order is what it says": {"report/explanation.cpp: pattern"},
    "an algorithm that is read beside its definition": {"explore/wakeup_tree.cpp: insert"},
}

# Interposed functions and what the pass calls are entered with nothing in hand, at any place of the program: what they need
# they must find by name. So each part of the runtime is one object (native/runtime/parts.h), and is found at an address that
# is known when it is linked. All in one object would be megabytes of zeros in every executable, as some of it is no zeros.
GLOBALS = {
    "the context: who runs, and what every part looks at": {"rt"},
    "parts of the runtime": {"world", "heap", "shadow", "objects", "clocks", "sharing", "weak_memory", "inputs", "turns",
                             "data_log", "checkpoints", "known_steps", "engine_memory", "standby"},
    "tables beside them that inline functions look at": {"writers", "have_wrfsbase"},
    "known to the pass": {"heddle_sym_call", "heddle_calling_frame", "heddle_spinning_suspected", "heddle_unseen_libraries"},
    "known to debuggers": {"heddle_stop_at", "heddle_last_step", "heddle_kernel_ids"},
}

# What begins a block that is no function: a type, a namespace, a statement, a value.
NO_FUNCTION = re.compile(
    r'\s*(namespace|class|struct|union|enum|extern "C" \{|using|if|for|while|switch|else|do|case|default|return)\b'
    r"|\s*[)}\]#/]|.*\s(=|\+=|-=|\|=|&=)\s")
OPERATOR = re.compile(r".*\boperator\s*(=|==|\+=|-=|\|=|&=)\(")
ENDS = (";", "{", "}", ":")
GLOBAL = re.compile(r'^extern (?:"C" )?(?!const\b|"C" \{)[\w:<>*& ]*?\b(\w+)(?:\[[^\]]*\])?;', re.M)


def name_in(head):
    before = head.split("(")[0].split()
    return before[-1].split("::")[-1].lstrip("*&") if before else ""


def functions(text):
    """(first line, lines, name) of each function, in sources that are laid out by scripts/format."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.endswith("{"):
            continue
        start = number
        while start > 0 and lines[start - 1].strip() and not lines[start - 1].endswith(ENDS) and \
                not lines[start - 1].lstrip().startswith(("//", "#", "template")):
            start -= 1
        head = lines[start]
        if "(" not in "".join(lines[start:number + 1]) or (NO_FUNCTION.match(head) and not OPERATOR.match(head)):
            continue
        indent = head[:len(head) - len(head.lstrip())]
        if len(indent) > 4:  # within a function
            continue
        end = next((k for k in range(number + 1, len(lines)) if lines[k].startswith(indent + "}")), number)
        yield start + 1, end - start + 1, name_in(" ".join(lines[start:number + 1]))


def long_functions(files, argued):
    complaints, met = [], set()
    for path, text in sorted(files.items()):
        for start, length, name in functions(text):
            if length <= MAX_LINES:
                continue
            met.add(f"{path}: {name}")
            if f"{path}: {name}" not in argued:
                complaints.append(f"{path}:{start}: {name} has {length} lines; split it, or argue its case in "
                                  "test/architecture/shape.py")
    return complaints + [f"{entry} is not longer than {MAX_LINES} lines any more; take it off the list in "
                         "test/architecture/shape.py" for entry in sorted(argued - met)]


def globals_of(files, argued):
    complaints, met = [], set()
    for path, text in sorted(files.items()):
        for match in GLOBAL.finditer(text) if path.endswith(".h") else ():
            met.add(match.group(1))
            if match.group(1) not in argued:
                line = text.count("\n", 0, match.start()) + 1
                complaints.append(f"{path}:{line}: {match.group(1)} can be named from everywhere; make it a member of what owns it")
    return complaints + [f"{name} is no global any more; take it off the list in test/architecture/shape.py"
                         for name in sorted(argued - met)]


def main():
    source = Path(sys.argv[1]) / "src"
    files = {str(p.relative_to(source)): p.read_text() for p in source.rglob("*") if p.suffix in (".h", ".cpp")}
    count = sum(1 for text in files.values() for _ in functions(text))
    if count < 3000:
        sys.exit(f"only {count} functions found below {source}; wrong folder, or laid out otherwise?")
    complaints = long_functions(files, set().union(*LONG_FUNCTIONS.values())) + \
        globals_of(files, set().union(*GLOBALS.values()))
    for complaint in complaints:
        print(complaint)
    print(f"{count} functions checked, {len(complaints)} complaints")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
