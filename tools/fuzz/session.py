# SPDX-License-Identifier: GPL-2.0-only
"""A session of fuzzing: runs until time, a signal or a finding ends it."""

import contextlib
import itertools
import os
import signal
import sys
import time

from . import finding, plan, summary
from .judge import signature_of
from .known import Known
from .machine import run_sides, wait_until

PROGRESS = 10  # seconds
# KiB of the host's memory that may go, and open files that may stay, after the runs in which its
# caches and the lab's agent take theirs
LEAK_MEMORY, LEAK_FILES, LEAK_AFTER = 256 << 10, 64, 5


class Ended(BaseException):
    """By a signal, .number."""

    def __init__(self, number_):
        super().__init__(number_)
        self.number = number_


@contextlib.contextmanager
def signals_end():
    """Within it, a signal raises Ended; another one is as deadly as ever."""
    def note(number_, _):
        for one in before:
            signal.signal(one, signal.SIG_DFL)
        raise Ended(number_)

    # Not what somebody, as nohup, has us ignore.
    before = {number_: signal.signal(number_, note)
              for number_ in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
              if signal.getsignal(number_) != signal.SIG_IGN}
    try:
        yield
    finally:
        for number_, handler in before.items():
            signal.signal(number_, handler)


class Fuzzing:
    """One session of it."""

    def __init__(self, args, machine):
        self.args, self.machine, self.known = args, machine, Known()
        self.summary = summary.Summary(
            f"host {args.host} {args.kernel} {args.append}".rstrip() +
            f", seed {args.seed}, {args.calls} calls, shard {args.shard[0]}/{args.shard[1]}",
            args.seed)
        self.began = self.said = time.monotonic()
        self.rest = []              # memory free and files open after each run since it was booted
        self.boots = 0

    def say(self, text):
        print(text, file=sys.stderr if self.args.json else sys.stdout, flush=True)

    def leak(self, outcomes):
        """A title, if the host loses memory or keeps files from one run to the next."""
        if self.boots != self.machine.boots:
            self.boots, self.rest = self.machine.boots, []
        self.rest += [(o.free, o.files) for o in outcomes if o.free]
        settled = self.rest[LEAK_AFTER:]
        if not settled:
            return ""
        lost, files = settled[0][0] - settled[-1][0], settled[-1][1] - settled[0][1]
        if lost <= LEAK_MEMORY and files <= LEAK_FILES:
            return ""
        self.rest = []
        what = f"has lost {lost} KiB" if lost > LEAK_MEMORY else f"has {files} more files open"
        return f"host {what} in {len(settled)} runs"

    def one(self, number_):
        """The run of that number."""
        run = plan.run_number(number_, self.args)
        outcomes, titles, index = run_sides(self.machine, run)
        for outcome in outcomes:
            self.summary.add_outcome(outcome)
        title = self.untold(run, titles, outcomes)
        leaked = "" if titles else self.leak(outcomes)
        if title or leaked:
            self.found(run, title or leaked, outcomes, index, bool(title))

    def untold(self, run, titles, outcomes):
        """Which of TITLES is to be reported: "" if it is known what all of them are."""
        where = self.machine.where(run)
        faults = {} if self.args.with_known else {t: self.known.fault(t, where) for t in titles}
        for fault in {f.number: f for f in faults.values() if f}.values():
            self.summary.add_known(fault.heading)
            directory = os.path.join(self.args.out, f"known-{fault.number}")
            # One of each is kept, so that one can see that it is what it is taken for.
            if not os.path.exists(directory):
                os.makedirs(directory)
                finding.save(directory, self.machine, run, titles[0], outcomes)
        new = [title for title in titles if not faults.get(title)]
        return next((title for title in new if signature_of(title) not in self.summary.findings),
                    new[0] if new else "")

    def found(self, run, title, outcomes, index, repeats):
        signature = signature_of(title)
        before = self.summary.findings.get(signature)
        if before:
            before["count"] += 1
            return
        directory = finding.new_directory(self.args.out)
        self.say(f"FOUND {title}\n      {run.text()}; {directory}")
        self.summary.add_finding(signature, title, directory)
        finding.save(directory, self.machine, run, title, outcomes)
        self.save()
        if repeats and self.args.minimise:
            small, tries = finding.minimise(directory, self.machine, run, title, outcomes, index,
                                            self.args.minimise)
            self.summary.findings[signature]["title"] = finding.load(directory)[2]
            self.say(f"      {'calls ' + small.keep if small.keep else 'not made smaller'}, "
                     f"after {tries} tries; {directory}/replay")

    def all(self):
        first, step = self.args.shard
        self.say(self.summary.what)
        late = wait_until(self.args.time)
        for count, number_ in enumerate(itertools.count(first - 1, step)):
            if late() or count == self.args.runs:
                break
            self.one(number_)
            if time.monotonic() - self.said > PROGRESS:
                self.said = time.monotonic()
                self.save()
                self.say(f"{self.said - self.began:5.0f} s  {self.summary.line()}")
            if self.args.stop and self.summary.findings:
                break

    def save(self):
        self.summary.seconds = time.monotonic() - self.began
        self.summary.boots = self.machine.boots
        self.summary.save(self.args.out)
