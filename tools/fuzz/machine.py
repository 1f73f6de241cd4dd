# SPDX-License-Identifier: GPL-2.0-only
"""The host that guests run on, one after another; a new one when it has died."""

import os
import re
import time

import lab

from . import hang, judge

TOP = lab.common.TOP
NAME = "hcall-fuzz"
PROGRAMS = "/tmp/hcall-fuzz"    # in the host
BUILD = lab.common.BUILD
WATCH = os.path.join(TOP, "tools/fuzz/watch.sh")
# Seconds that a guest may take for its start, and without a word at any time; the latter if it
# tells of each call; and for how many calls.
PATIENCE, PATIENCE_TRACED, CALLS_PER_SECOND = 60, 30, 25
# It tells how far it is after each of so many parts.
PARTS = 10
LOOK = "watch: look\n"
# Lines of a host's log that are judged and kept, and of what led to the first of them.
LOG_LINES, LED_LINES = 2000, 2
# How a LabError ends that knows where all is that the host has said.
CONSOLE = re.compile(r"; its console is in (.*)$")


def read_programs():
    """What guests run, by byte order as a Run has it. LabError if it was not built."""
    monitor = os.path.join(BUILD, "ppc64le/paprika")
    paths = {order: os.path.join(BUILD, f"guest/hcall-fuzz{order}.elf") for order in ("", "-be")}
    programs = {}
    try:
        os.stat(monitor)
        for order, path in paths.items():
            with open(path, "rb") as f:
                programs[order] = f.read()
    except OSError as e:
        raise lab.LabError(f"{e.filename}: {e.strerror}; run: make") from None
    return programs


class Machine:
    """A host by its name, with kernel and boot arguments."""

    def __init__(self, host, kernel="6.1", append="", cpus=2, icount=False):
        # As they are now, though there be others when the next host is booted.
        self.programs = read_programs()
        self.options = {"machine": host, "kernel": kernel, "append": append,
                        "cpus": 1 if icount else cpus, "icount": icount}
        self.boots = 0
        self.release = ""           # of its kernel
        self._host = None
        self._seen = 0.0            # its log was read up to there

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._host:
            self._host.close()
            self._host = None

    def where(self, run):
        """In words, for what is known of some hosts only."""
        o = self.options
        return (f"{o['machine']} {o['kernel']} {self.release} {o['append']} mmu={run.mmu} "
                f"hpt={run.hpt} irqchip={run.irqchip}")

    def up(self):
        """A host that runs, started if need be."""
        if not self._host:
            host = lab.open_host(**self.options)
            self._host, self._seen, self.release = host, 0.0, host.release
            self.boots += 1
            for order, data in self.programs.items():
                self._put(f"hcall-fuzz{order}.elf", data)
            with open(WATCH, "rb") as f:
                self._put("watch.sh", f.read())
        return self._host

    def _put(self, name, data):
        """A file for the host, whatever it sees of ours."""
        result = self._host.run(["sh", "-c", f"mkdir -p {PROGRAMS} && cat >{PROGRAMS}/{name}"],
                                stdin=data, timeout=60)
        if result.status or result.timed_out:
            self.close()
            raise lab.LabError(f"cannot copy {name} to the host: "
                               f"{result.err.decode(errors='replace').strip()}")

    def run(self, run):
        """Run one guest, and judge it. LabError only if the host cannot be started."""
        host, outcome = self.up(), judge.Outcome()
        command = ["sh", f"{PROGRAMS}/watch.sh", NAME, *run.command(NAME, PROGRAMS)]
        watch = self._watch(host, run)
        said = None
        try:
            # A real host has nothing to look at it with from outside.
            boxed = hasattr(host, "monitor")
            said = watch.run(command) if boxed else host.run(command, timeout=watch.limit)
            outcome.status, outcome.timed_out = said.status, said.timed_out
            host.faults()
            outcome.host_log = self._new_log(host.log)
        except lab.LabError as e:
            said = said or e
            outcome.died, outcome.host_log = str(e), self._last_log(e)
            self._host = None
        # What a guest writes to the console for the sake of it are zeros.
        outcome.out = said.out.replace(b"\0", b"").decode(errors="replace")
        outcome.err, mark, looked = said.err.decode(errors="replace").partition(LOOK)
        outcome.looked = looked + watch.registers
        outcome.timed_out |= bool(mark)
        # The lab, too, may have asked in vain.
        outcome.gone = watch.gone or "does not answer" in outcome.died
        judge.judge(outcome, run)
        if outcome.timed_out and self._host:
            # What hangs may be the host's.
            hang.end(self._host)
            self.close()
        return outcome

    def _watch(self, host, run):
        """For a guest: how long it may take."""
        calls = run.calls * run.cpus
        seconds = calls / CALLS_PER_SECOND
        limit, still, least = PATIENCE + seconds, PATIENCE + seconds / PARTS, PATIENCE
        if run.trace:
            limit += calls * (run.slow / 1000 + 0.1)
            still, least = PATIENCE, PATIENCE_TRACED
        # There, output comes when all is over.
        return hang.Watch(host, 0 if self.options["icount"] else still, least, limit)

    def _new_log(self, log):
        """What the host's log has of faults since it was looked at."""
        new = judge.lines_after(log, self._seen)
        stamps = [judge.STAMP.match(line) for line in new[-1:]]
        self._seen = float(stamps[0].group(1)) if stamps else self._seen
        return from_fault(new)

    def _last_log(self, error):
        """The same of a host that has died, from its console, which has all of it."""
        found = CONSOLE.search(str(error))
        try:
            with open(found.group(1) if found else "", encoding="utf-8", errors="replace") as f:
                lines = [line.rstrip() for line in f]
        except OSError:
            lines = []
        return from_fault(judge.lines_after(lines, self._seen)) or error.detail or [str(error)]


def from_fault(lines):
    """LINES from the first fault on, and a little of what led there; none without one."""
    faults = judge.host_faults(lines)
    if not faults:
        return []
    return lines[max(0, lines.index(faults[0][0]) - LED_LINES):][:LOG_LINES]


def run_sides(machine, run):
    """Run RUN, or both of its sides. Returns (outcomes, titles, index of the first or None)."""
    outcomes = []
    for side in run.sides():
        outcomes.append(machine.run(side))
        if outcomes[-1].titles:
            return outcomes, outcomes[-1].titles, outcomes[-1].index()
    if run.agree:
        return (outcomes, *judge.compare(*outcomes, run.agree))
    return outcomes, [], None


def wait_until(seconds):
    """A clock that began now: has it run for SECONDS?"""
    began = time.monotonic()
    return lambda: time.monotonic() - began > seconds
