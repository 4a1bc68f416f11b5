"""Commands for gdb on a schedule of Heddle's: step by visible operation, forwards and back.

`heddle replay FILE --gdb` starts gdb with this file and with HEDDLE_SESSION naming a folder that holds

    options      what the program reads to follow the schedule (HEDDLE_DEBUG, src/native/runtime/debugging.h)
    report.json  the failing execution as `heddle replay --json` writes it
    threads      the names of its threads, one a line

The program is deterministic under its schedule, so going back is running again and stopping earlier.
"""
import json
import os
import re

import gdb

FAR = 2**63 - 1


class Session:
    """Where we are in the schedule. Steps count from 1."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        with open(os.path.join(folder, "threads"), encoding="utf-8") as file:
            self.threads = file.read().splitlines()
        self.finding = report["findings"][0] if report["findings"] else None
        self.trace = self.finding["trace"] if self.finding else []
        self.step = 0          # about to be performed; 0: not started
        self.thread = None     # name of the one that is about to perform it
        self.state = "not started"   # running, at a step, between steps, at the failure, over
        self.moving = False    # by a command of ours

    def next_of(self, thread):
        """What `thread` does next, from the current step on."""
        first = self.step - 1 if self.state == "at a step" else self.step
        for i in range(max(first, 0), len(self.trace)):
            if self.trace[i]["thread"] == thread:
                return f"step {i + 1}: {self.trace[i]['text']}"
        waits = [w for w in (self.finding or {}).get("waiting", []) if w.startswith(thread + " ")]
        return waits[0][len(thread) + 1:] if waits else "nothing more in this run"


session = None


def value(expression):
    return gdb.parse_and_eval(expression)


def alive():
    return gdb.selected_inferior().pid != 0


class Hook(gdb.Breakpoint):
    def __init__(self, function):
        super().__init__("*" + function, internal=True)
        self.silent = True
        self.function = function


def is_of_the_program(frame):
    """Not Heddle's runtime, not a header of the system's, not a library without its sources."""
    table = frame.find_sal().symtab
    if table is None or (frame.name() or "").startswith("heddle::"):
        return False
    # Functions that stand in for the library's, such as pthread_mutex_lock, are in no namespace.
    stop, _ = gdb.lookup_symbol("heddle_at_step")
    if stop is not None and os.path.dirname(table.filename) == os.path.dirname(stop.symtab.filename):
        return False
    path = table.fullname()
    return not path.startswith(("/usr/include/", "/usr/lib/")) and os.path.exists(path)


def select_program_frame(where):
    """The innermost frame at `where` ("file:line:column"), or else the innermost one of the program's."""
    parts = where.split(":")
    frame, first = gdb.newest_frame(), None
    while frame is not None:
        if is_of_the_program(frame):
            if first is None:
                first = frame
            sal = frame.find_sal()
            if len(parts) > 1 and os.path.basename(sal.symtab.filename) == os.path.basename(parts[0]) \
                    and sal.line == int(parts[1]):
                first = frame
                break
        frame = frame.older()
    if first is not None:
        first.select()
        print(gdb.execute("frame", to_string=True), end="")


def kernel_id(number):
    return int(value(f"((int*)&heddle_kernel_ids)[{number}]"))


def stuck_thread():
    """Of a deadlock: a thread of the circle, or else the one that all wait for; and where it waits."""
    waits = {}
    for text in session.finding["waiting"]:
        for name in session.threads:
            if text.startswith(name + " waits"):
                waits[name] = text
    name, seen = next(iter(waits), None), set()
    while name is not None and name not in seen:
        seen.add(name)
        awaited = re.search(r", held by (\S+)| waits for (\S+) to end", waits[name])
        following = awaited and (awaited[1] or awaited[2])
        if following not in waits:
            break
        name = following
    where = re.search(r" (?:at|since) ([^ ,]+:\d+:\d+)", waits[name]) if name else None
    return name, where[1] if where else ""


def show_deadlock():
    name, where = stuck_thread()
    if name is None:
        return
    wanted = kernel_id(session.threads.index(name))
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == wanted:
            thread.switch()
            session.thread = name
            print(f"in {name}:")
            select_program_frame(where)


def stop_from(step):
    gdb.execute(f"set var *(unsigned long*)&heddle_stop_at = {step}")


def show_step(step, number):
    stop_from(FAR)   # the user's own continue is not for the next step
    session.step, session.state = step, "at a step"
    session.thread = session.threads[number] if number < len(session.threads) else f"thread {number}"
    saved = session.trace[step - 1] if step <= len(session.trace) else None
    critical = "   <- the critical step" if saved and saved.get("critical") else ""
    print(f"step {step}, {session.thread}: {saved['text'] if saved else 'beyond the saved run'}{critical}")
    select_program_frame(saved["where"] if saved else "")


def show_failure(step, message):
    session.step, session.state = step, "at the failure"
    deadlock = session.finding is not None and session.finding["kind"] == "deadlock"
    # Only the report knows the names of threads and locks.
    print(f"failure after step {step}: {'deadlock: ' + session.finding['message'] if deadlock else message}")
    if deadlock:
        show_deadlock()
    else:
        select_program_frame(session.finding["where"] if session.finding else "")


def at_hook():
    """Says where the program stopped, if it is in one of the runtime's functions for that."""
    function = gdb.newest_frame().name()
    if function == "heddle_at_step":
        show_step(int(value("(unsigned long)$rdi")), int(value("(unsigned)$rsi")))
    elif function == "heddle_at_failure":
        show_failure(int(value("(unsigned long)$rdi")), value("(char*)$rsi").string())
    elif function == "heddle_at_end":
        session.step, session.state = int(value("(unsigned long)$rdi")), "over"
        print(f"{value('(char*)$rsi').string()}; `heddle back` goes back")
    else:
        # A signal of the program's own, or a breakpoint of the user's: the last step has been performed.
        session.step, session.state = int(value("*(unsigned long*)&heddle_last_step")), "between steps"
        return False
    return True


def after_stop():
    """Says where the program stopped, and why."""
    if not alive():
        session.state = "over"
        print("The program has ended; `heddle back` and `heddle until STEP` run it again.")
    elif not at_hook():
        # gdb has said why and where.
        print(f"after step {session.step}")
        if not is_of_the_program(gdb.newest_frame()):
            select_program_frame("")


def on_stop(event):
    """The user's own continue, step or finish ended; of those gdb says where, but it knows nothing of our functions."""
    if not session.moving and alive():
        at_hook()


def move(command):
    session.moving = True
    try:
        gdb.execute(command, to_string=True)
    finally:
        session.moving = False


def go(stop_at, again):
    """Runs to step `stop_at`, from the start if `again`."""
    if again or not alive():
        gdb.execute(f"set environment HEDDLE_STOP_AT {stop_at}")
        session.state, session.step = "running", 0
        move("run")
    else:
        stop_from(stop_at)
        move("continue")
    after_stop()


def number_in(argument, default):
    words = gdb.string_to_argv(argument)
    if not words:
        return default
    if len(words) > 1 or not words[0].isdigit() or int(words[0]) == 0:
        raise gdb.GdbError(f"\"{argument}\" is not a number from 1 on")
    return int(words[0])


class Heddle(gdb.Command):
    """Step through a schedule of Heddle's by visible operation.
heddle next [N]             on to the next operation, or the N-th from here
heddle back [N]             to the one before
heddle until STEP           to that step, forwards or back
heddle until failure        to the failure
heddle threads              the threads, and what each does next
heddle trace [FIRST LAST]   the run around this step"""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError(f"there is no command \"heddle {argument}\"; `heddle` lists them")
        print(self.__doc__)


class Next(gdb.Command):
    """heddle next [N]: on to the next visible operation, or the N-th from here. It is about to be performed."""

    def __init__(self):
        super().__init__("heddle next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go(session.step + number_in(argument, 1), again=session.state in ("over", "not started"))


class Until(gdb.Command):
    """heddle until STEP: to a step by its number in the trace, forwards or back. `heddle until failure`: to the failure."""

    def __init__(self):
        super().__init__("heddle until", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if argument.strip() == "failure":
            go(FAR, again=session.state not in ("at a step", "between steps"))
            return
        step = number_in(argument, None)
        if step is None:
            raise gdb.GdbError("heddle until needs the number of a step, or the word failure")
        if step > len(session.trace):
            raise gdb.GdbError(f"the run has {len(session.trace)} steps; `heddle until failure` goes to its failure")
        # At a failure the step before it has been performed already.
        passed = session.step if session.state == "at a step" else session.step + 1
        if step == session.step and session.state == "at a step":
            after_stop()
        else:
            go(step, again=step < passed or session.state in ("over", "not started"))


class Back(gdb.Command):
    """heddle back [N]: to the visible operation before this one, or the N-th before, by running again."""

    def __init__(self):
        super().__init__("heddle back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        here = session.step if session.state == "at a step" else session.step + 1
        target = here - number_in(argument, 1)
        if target < 1:
            raise gdb.GdbError("there is no step before the first")
        go(target, again=True)


class Threads(gdb.Command):
    """heddle threads: the program's threads, gdb's numbers for them, and what each is about to do."""

    def __init__(self):
        super().__init__("heddle threads", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        if not alive():
            raise gdb.GdbError("the program is not running; try `heddle next`")
        kernel = {thread.ptid[1]: thread.num for thread in gdb.selected_inferior().threads()}
        selected = gdb.selected_thread().num
        print("    gdb  thread            next")
        for i, name in enumerate(session.threads):
            number = kernel.get(kernel_id(i))
            mark = "*" if number is not None and number == selected else " "
            print(f"  {mark} {number if number is not None else '-':>3}  {name:<16}  {session.next_of(name)}")


class Trace(gdb.Command):
    """heddle trace [FIRST LAST]: the saved run around this step, or a part of it."""

    def __init__(self):
        super().__init__("heddle trace", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if words and (len(words) != 2 or not all(w.isdigit() for w in words)):
            raise gdb.GdbError("heddle trace takes no argument, or the first and the last step to show")
        first, last = (int(words[0]), int(words[1])) if words else (session.step - 10, session.step + 10)
        failure = self.failure_step()
        for i in range(max(first, 1), min(last, len(session.trace)) + 1):
            step = session.trace[i - 1]
            here = "=>" if i == session.step and session.state == "at a step" else "  "
            print(f"{here} {i:>5}  {step['thread']:<12}  {step['text']:<36}  {step['where']}")
            if i == failure:
                here = session.step == i and session.state in ("at the failure", "between steps")
                print(f"{'=>' if here else '  '}     !  {session.finding['kind']}")

    @staticmethod
    def failure_step():
        return session.finding["step"] if session.finding else -1


def begin():
    global session
    folder = os.environ.get("HEDDLE_SESSION")
    if folder is None:
        print("HEDDLE_SESSION is not set; start gdb by `heddle replay FILE --gdb`")
        return
    session = Session(folder)
    for command in (Heddle, Next, Until, Back, Threads, Trace):
        command()
    for setting in ("confirm off", "pagination off", "print thread-events off", "disable-randomization on",
                    "startup-with-shell off", "debuginfod enabled off"):
        gdb.execute("set " + setting)
    # What the worker would otherwise start itself again for.
    for variable in ("LD_BIND_NOW 1", "HEDDLE_RESTARTED 1", "HEDDLE_DEBUG " + os.path.join(folder, "options")):
        gdb.execute("set environment " + variable)
    gdb.execute("handle SIGVTALRM nostop noprint pass", to_string=True)
    for function in ("heddle_at_step", "heddle_at_failure", "heddle_at_end"):
        Hook(function)
    gdb.events.stop.connect(on_stop)
    print("heddle next, back, until STEP, until failure, threads, trace; `help heddle` explains them")
    go(FAR, again=True)


begin()
