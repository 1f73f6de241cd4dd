# SPDX-License-Identifier: GPL-2.0-only
"""What a guest test is, and how it is run and judged. The tests themselves are tables."""

import multiprocessing
import os
import re
import time
from dataclasses import dataclass, field

import lab

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Made by files.py, at the same place in the box.
FILES = os.path.join(TOP, "build/guest-tests")

# What no run may print, unless its case says otherwise.
TROUBLE = r"^not ok|Kernel panic - not syncing|\bOops:|\bBUG:|\bWARNING: CPU|sandbox: system call"

# Held while printing
SAYS = multiprocessing.Lock()

# Lines shown of what a failed case has printed.
EXCERPT = 12

# A host that died under a case is started again for the rest, so many times.
RESTARTS = 2

# What may be left behind on a host: processes of ours, files of anyone's.
LEFTOVERS = 'pidof paprika | sed "s/^/process /"; ls -A /tmp /dev/shm /run'


def leftovers(host, scratch="/nowhere", look=LEFTOVERS):
    """Remove SCRATCH. What is there then, as lines that the shell line LOOK prints."""
    # On a machine that others use too, what is there says nothing of us.
    look = ":" if host.machine == "direct" else look
    return set(host.run(["sh", "-c", f"rm -rf {scratch}; {look}"]).out.decode().splitlines())


@dataclass
class Case:
    """One command on a host, and what must come of it.

    SH is a shell line; the working directory is the top of the tree, and it finds
    in $T a directory of its own, in $F the files of files.py, in $G the guest
    programs. OUT are regular expressions that standard output must match one after
    another; ERR is one for the whole of standard error. LINES is the number of
    lines on standard error, where that matters.
    """
    name: str
    sh: str
    hosts: tuple = ("powernv9",)
    status: int = 0
    out: tuple = ()
    err: str = r"(?s).*"
    lines: int = None           # exactly so many lines on standard error
    silent: bool = False        # nothing on standard output
    trouble: str = TROUBLE
    stdin: bytes = b""
    talk: tuple = ()            # on a terminal: (what to wait for, what to type)
    check: object = None        # a function of the Result: None, or what is wrong
    timeout: int = 180
    needs: tuple = ()           # files without which it is skipped
    skip: object = None         # a function of the host: None, or why it cannot run there


def say(*lines):
    """Print LINES as a whole: several processes print."""
    with SAYS:
        print(*lines, sep="\n", flush=True)


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    pattern: re.Pattern = field(default_factory=lambda: re.compile(""))

    def wanted(self, name):
        return bool(self.pattern.search(name))

    def ok(self, name, seconds=None):
        self.passed += 1
        say(f"ok - {name}" + (f" ({seconds:.1f} s)" if seconds is not None else ""))

    def not_ok(self, name, reasons):
        self.failed += 1
        say(f"not ok - {name}", *(f"# {line}" for line in reasons))

    def skip(self, name, reason):
        self.skipped += 1
        say(f"skip - {name}: {reason}")

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped


class Script:
    """The other end of a terminal: types what TALK says when it sees what it waits for.

    It is both what Box.command() reads input from, a pipe's end, and what it adds
    output to.
    """

    def __init__(self, talk):
        self.talk, self.seen, self.all = list(talk), bytearray(), bytearray()
        self.fd, self._write = os.pipe()
        self.next()

    def __iadd__(self, data):
        self.all += data
        self.seen += data
        self.next()
        return self

    def next(self):
        while self.talk and self.talk[0][0] in self.seen:
            expect, answer = self.talk.pop(0)
            del self.seen[:self.seen.index(expect) + len(expect)]
            os.write(self._write, answer)

    def close(self):
        os.close(self.fd)
        os.close(self._write)


def execute(host, case, scratch):
    """Run CASE on HOST, in the directory SCRATCH of the host."""
    prologue = f"T={scratch} F={FILES} G={TOP}/build/guest; mkdir -p $T; "
    argv = ["sh", "-c", prologue + case.sh]
    if not case.talk:
        return host.run(argv, stdin=case.stdin, timeout=case.timeout)

    from lab.box import _Input, _Output
    script = Script(case.talk)
    try:
        out = _Output(sink=script)
        result = host.command(argv, _Input(fd=script.fd), out, out, timeout=case.timeout, tty=True)
    finally:
        script.close()
    result.out = bytes(script.all).replace(b"\r", b"")
    if script.talk:
        result.err = b"# the terminal never showed " + repr(script.talk[0][0]).encode()
    return result


def excerpt(what, data):
    lines = [line.rstrip() for line in data.decode(errors="replace").splitlines()]
    lines = [line for line in lines if line]
    return [f"{what}: {line[:200]}" for line in lines[-EXCERPT:]]


def judge(case, result, timeout):
    """What is wrong with RESULT: a list of lines, empty if nothing is."""
    out = result.out.decode(errors="replace").replace("\r", "")
    err = result.err.decode(errors="replace").replace("\r", "")
    wrong = []
    if result.timed_out:
        wrong.append(f"ended by force after {timeout} s")
    if result.status != case.status:
        wrong.append(f"exit code: expected {case.status}, got {result.status}")
    at = 0
    for pattern in case.out:
        found = re.compile(pattern, re.M).search(out, at)
        if not found:
            wrong.append(f"output: expected, in this order, {pattern!r}")
            break
        at = found.end()
    if case.silent and out:
        wrong.append("output: expected none")
    if not re.fullmatch(case.err, err.rstrip("\n")):
        wrong.append(f"standard error: expected {case.err!r}")
    if case.lines is not None and len(err.splitlines()) != case.lines:
        wrong.append(f"standard error: expected {case.lines} lines, got {len(err.splitlines())}")
    if case.trouble:
        found = re.compile(case.trouble, re.M).search(out + "\n" + err)
        if found:
            wrong.append(f"trouble: {found.group(0)!r}")
    if case.check and not wrong:
        complaint = case.check(result)
        wrong += [complaint] if complaint else []
    if wrong:
        wrong += excerpt("out", result.out) + excerpt("err", result.err)
    return wrong


def reason_to_skip(case, host):
    for path in case.needs:
        if not os.path.exists(os.path.join(TOP, path)):
            return f"there is no {path}"
    if case.talk and not hasattr(host, "command"):
        return "a host that is no box gives no terminal"
    return case.skip(host) if case.skip else None


def run_case(host, case, label, number, counts, before):
    """Run one case and print its line; LabError passes through.

    BEFORE is what leftovers() said before it; returns what it says now.
    """
    why = reason_to_skip(case, host)
    if why:
        counts.skip(label, why)
        return before
    scratch = f"/tmp/paprika-{os.getpid()}-{number}"
    began = time.monotonic()
    result = execute(host, case, scratch)
    seconds = time.monotonic() - began
    wrong = judge(case, result, case.timeout)
    after = leftovers(host, scratch)
    if after - before:
        wrong.append(f"left behind: {', '.join(sorted(after - before))}")
        # The next case is to be judged by itself.
        host.run(["sh", "-c", "kill -9 $(pidof paprika)"])
    if wrong:
        counts.not_ok(label, wrong)
    else:
        counts.ok(label, seconds)
    return after


def scan(host, prefix, counts):
    """The host's kernel log, as a case of its own."""
    faults = host.faults()
    label = f"{prefix}: the host's kernel reports no fault"
    if not faults:
        counts.ok(label)
        return
    at = max(0, host.log.index(faults[0]) - 2)
    counts.not_ok(label, host.log[at:at + 40])


def run_host(prefix, options, cases, counts):
    """Boot the host that OPTIONS ask lab.open_host for, and run CASES in it, in as few boots
    as possible. PREFIX comes before the names of cases.
    """
    left = list(enumerate(cases))
    for _ in range(1 + RESTARTS):
        booted, label = False, f"{prefix}: the host boots"
        try:
            with lab.open_host(**options) as host:
                booted = True
                say(f"# {prefix}: Linux {host.release}, up after {host.boot_seconds:.1f} s")
                there = leftovers(host)
                while left:
                    number, case = left.pop(0)
                    label = f"{prefix}: {case.name}"
                    there = run_case(host, case, label, number, counts, there)
                label = f"{prefix}: the host's kernel reports no fault"
                scan(host, prefix, counts)
            return
        except lab.LabError as e:
            counts.not_ok(label, [f"the host failed: {e}", *e.detail])
            if not booted or not left:
                break
    for _, case in left:
        counts.not_ok(f"{prefix}: {case.name}", ["not run: there was no host for it"])
