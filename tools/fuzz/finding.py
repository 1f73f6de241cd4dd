# SPDX-License-Identifier: GPL-2.0-only
"""Findings: a directory each, made as small as time allows, and run again from it.

finding.json    host, run, title: all that `hcall-fuzz replay` needs
guest, monitor  what was printed;  other-guest: by the other side of a comparison
host            the host's kernel log
hang            if it hangs: monitor, processes and processors of the host, then
calls           the calls that are left, in words
program         what the guest ran: another one draws other calls from the same seed
replay          runs it again
"""

import json
import os
import re
from dataclasses import replace

from .judge import ISSUE, alike
from .machine import TOP, Machine, run_sides, wait_until
from .plan import Run

# Ranges that the guest's command line has room for.
RANGES_MAX = 60
# Before each call, so that what the guest said of it arrives though the host dies.
SLOW_MS = 20

REPLAY = """\
#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# {title}
dir=$(cd "$(dirname "$0")" && pwd) || exit
# In the checkout where one is, or else in the one that found it
[ -x tools/hcall-fuzz ] || cd "$dir/{top}" || exit
exec tools/hcall-fuzz replay "$dir" "$@"
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def ranges(indexes):
    """[1, 2, 3, 7] as "1-3,7"."""
    found = []
    for i in sorted(indexes):
        if found and found[-1][1] == i - 1:
            found[-1][1] = i
        else:
            found.append([i, i])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


class Minimiser:
    """Leaves out calls as long as what is found stays the same."""

    def __init__(self, machine, run, title, seconds):
        self.machine, self.run, self.tries = machine, run, 0
        self.title = title
        # Of a hang calls are told all the time: silence is noticed sooner, and what was last.
        self.hangs = " hangs" in title
        self.slow = 0 if self.hangs else SLOW_MS
        self.late = wait_until(seconds)
        self.last = None            # outcomes of the last try that found it

    def find(self, **change):
        """Is it there with CHANGE? If so, CHANGE stays."""
        self.tries += 1
        run = replace(self.run, **change)
        outcomes, titles, index = run_sides(self.machine, run)
        title = next((title for title in titles if alike(title, self.title)), None)
        if not title:
            return False
        self.run, self.last = run, (outcomes, title, index)
        return True

    def keep(self, indexes):
        text = ranges(indexes)
        return text.count(",") < RANGES_MAX and self.find(keep=text, calls=max(indexes) + 1)

    def last_index(self, outcomes, index):
        """The call that did it. A guest that could not say is run again, telling each."""
        if index is not None:
            return index
        first = max((o.reached() for o in outcomes), default=0)
        run, trace = self.run, replace(self.run, trace=True, slow=self.slow)
        if self.run.cpus > 1:
            # One of them will do, perhaps.
            trace = replace(trace, cpus=1)
        self.run = trace
        if not self.find():
            self.run = run
            return None
        issued = ISSUE.findall(self.last[0][-1].out)
        self.run = replace(self.run, trace=self.hangs, slow=0)
        return int(issued[-1][1]) if issued else first or None

    def shrink(self, outcomes, index):
        """As few calls as time allows."""
        index = self.last_index(outcomes, index)
        if index is None or self.late():
            return
        # How far back must it begin?
        back = 0
        while not self.keep(range(max(0, index - back), index + 1)):
            if back > index or self.late():
                return
            back = back * 4 + 3
        left = list(range(max(0, index - back), index + 1))
        part = max(1, len(left) // 2)
        while len(left) > 1 and not self.late():
            tried = [left[:i] + left[i + part:] for i in range(0, len(left), part)]
            smaller = next((t for t in tried if t and not self.late() and self.keep(t)), None)
            if smaller:
                left = smaller
                part = min(part, max(1, len(left) // 2))
            elif part == 1:
                break
            else:
                part = max(1, part // 2)


def new_directory(out):
    """Another one in OUT, numbered on from those of sessions before."""
    os.makedirs(out, exist_ok=True)
    taken = [int(m.group(1)) for m in map(re.compile(r"finding-(\d+)").fullmatch, os.listdir(out))
             if m]
    directory = os.path.join(out, f"finding-{max(taken, default=0) + 1}")
    os.mkdir(directory)
    return directory


def save(directory, machine, run, title, outcomes):
    """Write a finding down, or what it has become, in its DIRECTORY."""
    last = outcomes[-1]
    write(os.path.join(directory, "finding.json"), json.dumps(
        {"title": title, "host": machine.options, "run": run.asdict()}, indent=1) + "\n")
    write(os.path.join(directory, "guest"), last.out)
    write(os.path.join(directory, "monitor"), last.err)
    if len(outcomes) > 1:
        write(os.path.join(directory, "other-guest"), outcomes[0].out)
    write(os.path.join(directory, "host"),
          "".join(line + "\n" for line in ([last.died] if last.died else []) + last.host_log))
    if last.looked:
        write(os.path.join(directory, "hang"), last.looked)
    calls = [line for line in last.out.splitlines() if " call=" in line]
    write(os.path.join(directory, "calls"), "".join(line + "\n" for line in calls))
    with open(os.path.join(directory, "program"), "wb") as f:
        f.write(machine.programs[run.order])
    script = os.path.join(directory, "replay")
    write(script, REPLAY.format(title=title, top=os.path.relpath(TOP, directory)))
    os.chmod(script, 0o755)


def minimise(directory, machine, run, title, outcomes, index, seconds):
    """Make a saved finding smaller, and save it again. Returns the run that is left."""
    small = Minimiser(machine, run, title, seconds)
    small.shrink(outcomes, index)
    if small.last:
        # The calls that are left, in words
        if small.run.keep and not small.hangs:
            small.find(trace=True, slow=SLOW_MS)
        run = replace(small.run, trace=small.hangs, slow=0)
        save(directory, machine, run, small.last[1], small.last[0])
    return run, small.tries


def load(directory):
    """(host options, Run, title) of a finding. ValueError if it is none."""
    path = os.path.join(directory, "finding.json")
    try:
        with open(path, encoding="utf-8") as f:
            found = json.load(f)
        return found["host"], Run(**found["run"]), found["title"]
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise ValueError(f"{path}: {getattr(e, 'strerror', None) or e}") from None


def read_program(directory):
    path = os.path.join(directory, "program")
    if os.path.exists(path) and not os.path.isfile(path):
        raise ValueError(f"{path} is not a file")
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as e:
        raise ValueError(f"{path}: {e.strerror}") from None


def replay(directory, icount, trace, kernel):
    """Run a finding again, with another KERNEL if that is one. 0 if it is there, 1 if it is not."""
    options, run, title = load(directory)
    options = {**options, "kernel": kernel or options["kernel"]}
    if icount:
        options = {**options, "icount": True, "cpus": 1}
    if trace:
        run = replace(run, trace=True, slow=SLOW_MS)
    print(f"# {run.text()}, on {options['machine']} {options['kernel']} {options['append']}".rstrip(),
          flush=True)
    with Machine(options["machine"], options["kernel"], options["append"], options["cpus"],
                 options["icount"]) as machine:
        machine.programs[run.order] = read_program(directory)
        outcomes, titles, _ = run_sides(machine, run)
    print(outcomes[-1].out.rstrip()[-4000:])
    for line in outcomes[-1].host_log:
        print(line)
    print(f"# expected: {title}")
    for now in titles or ["nothing"]:
        print(f"# found: {now}")
    return 0 if any(alike(now, title) for now in titles) else 1
