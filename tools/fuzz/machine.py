# SPDX-License-Identifier: GPL-2.0-only
"""The host that guests run on, one after another; a new one when it has died."""

import os
import time

import lab

from . import judge

TOP = lab.common.TOP
NAME = "hcall-fuzz"
PROGRAMS = "/tmp/hcall-fuzz"    # in the host
BUILD = lab.common.BUILD
WATCH = os.path.join(TOP, "tools/fuzz/watch.sh")
# Seconds that a guest may take: for its start, and for so many calls.
PATIENCE, CALLS_PER_SECOND = 60, 25
# Lines of a host's log that a finding keeps.
LOG_LINES = 200


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
        self._host = None
        self._faults = 0            # of its log that are told

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._host:
            self._host.close()
            self._host = None

    @property
    def release(self):
        return self._host.release if self._host else ""

    def up(self):
        """A host that runs, started if need be."""
        if not self._host:
            host = lab.open_host(**self.options)
            self._host, self._faults = host, 0
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
        timeout = PATIENCE + run.calls * run.cpus / CALLS_PER_SECOND
        if run.trace:
            timeout += run.calls * run.cpus * (run.slow / 1000 + 0.1)
        command = ["sh", f"{PROGRAMS}/watch.sh", NAME, *run.command(NAME, PROGRAMS)]
        said = None
        try:
            said = host.run(command, timeout=timeout)
            outcome.status, outcome.timed_out = said.status, said.timed_out
            faults = host.faults()
            if len(faults) > self._faults:
                at = host.log.index(faults[self._faults])
                outcome.host_log = host.log[max(0, at - 2):][:LOG_LINES]
                self._faults = len(faults)
        except lab.LabError as e:
            said = said or e
            outcome.died, outcome.host_log = str(e), e.detail or [str(e)]
            self._host = None
        # What a guest writes to the console for the sake of it are zeros.
        outcome.out = said.out.replace(b"\0", b"").decode(errors="replace")
        outcome.err = said.err.decode(errors="replace")
        judge.judge(outcome, run)
        if outcome.timed_out:
            # What hangs may be the host's.
            self.close()
        return outcome


def run_sides(machine, run):
    """Run RUN, or both of its sides. Returns (outcomes, title or "", index of it or None)."""
    outcomes = []
    for side in run.sides():
        outcomes.append(machine.run(side))
        if outcomes[-1].title:
            return outcomes, outcomes[-1].title, outcomes[-1].index()
    if run.agree:
        return (outcomes, *judge.compare(*outcomes, run.agree))
    return outcomes, "", None


def wait_until(seconds):
    """A clock that began now: has it run for SECONDS?"""
    began = time.monotonic()
    return lambda: time.monotonic() - began > seconds
