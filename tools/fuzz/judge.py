# SPDX-License-Identifier: GPL-2.0-only
"""How a run went: the oracles, and findings that are known."""

import os
import re
from dataclasses import dataclass, field

from lab import klog

KNOWN_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known")

# Beyond the memory of the guest, in KiB; and of files and threads beyond those of processors.
RSS_MAX = 64 << 10
FILES_MAX = 64
THREADS_MAX = 8
GUEST_KIB = 64 << 10

PAIRS = re.compile(r"^hcall-fuzz: pairs (\S+) (\S+)((?: -?\d+=\d+)+)$", re.M)
DONE = re.compile(r"^hcall-fuzz: done issued=(\d+) us=(\d+)$", re.M)
FOUND = re.compile(r"^hcall-fuzz: FOUND cpu=(\d+) index=(\d+): (.*)$", re.M)
CALL = re.compile(r"^hcall-fuzz: call cpu=\d+ index=\d+ call=(\S+)", re.M)
ISSUE = re.compile(r"^hcall-fuzz: issue cpu=(\d+) index=(\d+) call=(\S+)", re.M)
AT = re.compile(r"^hcall-fuzz: cpu=\d+ at=(\d+) ", re.M)
DIGESTS = re.compile(r"^hcall-fuzz: (?:cpu=\d+ at|answer index)=(\d+) .*digest=(\w+)$", re.M)
LOOKED = re.compile(r"^watch: files (\d+) threads (\d+) rss (\d+)$", re.M)
LEFT = re.compile(r"^watch: host free (\d+) files (\d+) left (\d+)$", re.M)
SAID = re.compile(r"^watch: (debug ended with .*)", re.M)
NIP = re.compile(r"NIP \[[0-9a-f]+\] ([\w.]+)")
WARNED = re.compile(r"WARNING: CPU: \d+ PID: \d+ at (\S+) (\w+)")
# What differs from one time to the next
VOLATILE = re.compile(r"0x[0-9a-f]+|\b\d+\b")


def signature_of(title):
    """The same for the same fault."""
    return VOLATILE.sub("N", title)


def alike(title, other):
    """May both be one fault? Where it shows, in which function or after which call, may change."""
    def head(text):
        return signature_of(text.split(", ")[0])
    return head(title) == head(other)


@dataclass
class Outcome:
    """What came of one guest."""
    out: str = ""
    err: str = ""
    host_log: list = field(default_factory=list)  # lines, if it has faults or the host died
    status: int = 0
    timed_out: bool = False
    died: str = ""              # the host did
    title: str = ""             # what is wrong, "" if nothing is
    pairs: dict = field(default_factory=dict)     # (call, family) -> {code: count}
    issued: int = 0
    seconds: float = 0.0        # of the guest's own clock
    free: int = 0               # KiB of the host's memory, afterwards

    def index(self):
        """The call that it happened at, or None."""
        found = FOUND.search(self.out)
        issued = ISSUE.findall(self.out)
        if found:
            return int(found.group(2))
        return int(issued[-1][1]) if issued else None

    def reached(self):
        """The last index that every processor is known to have reached."""
        return max([int(n) for n in AT.findall(self.out)], default=0)


def read_output(outcome):
    """Fill in what the guest says about itself."""
    for call, family, codes in PAIRS.findall(outcome.out):
        row = outcome.pairs.setdefault((call, family), {})
        for code, count in (pair.split("=") for pair in codes.split()):
            row[code] = row.get(code, 0) + int(count)
    done = DONE.search(outcome.out)
    if done:
        outcome.issued, outcome.seconds = int(done.group(1)), int(done.group(2)) / 1e6
    left = LEFT.search(outcome.err)
    if left:
        outcome.free = int(left.group(1))


def host_title(lines):
    """One line for what the host's kernel says."""
    text = "\n".join(lines)
    warned, where = WARNED.search(text), NIP.search(text)
    if warned:
        return f"host: WARNING at {warned.group(1)}, {warned.group(2)}"
    faults = klog.faults(lines)
    first = re.sub(r"^\s*\[[^]]*\]\s*", "", faults[0]) if faults else "the host died"
    first = re.sub(r" at 0x[0-9a-f]+", "", first)
    return f"host: {first}" + (f", in {where.group(1)}" if where else "")


def monitor_title(outcome, run):
    """What is wrong with the monitor, by its looks during the run."""
    said = SAID.search(outcome.err)
    if said:
        return f"monitor does not answer: {said.group(1)}"
    looks = [tuple(int(n) for n in look) for look in LOOKED.findall(outcome.err)]
    for files, threads, rss in looks:
        if files > FILES_MAX + 4 * run.cpus:
            return f"monitor has {files} files open"
        if threads > THREADS_MAX + run.cpus:
            return f"monitor has {threads} threads"
        if rss > GUEST_KIB + RSS_MAX:
            return f"monitor has {rss} KiB of memory"
    left = LEFT.search(outcome.err)
    return "monitor is left behind" if left and int(left.group(3)) else ""


def judge(outcome, run):
    """Set outcome.title, and what the guest says."""
    read_output(outcome)
    found, call = FOUND.search(outcome.out), CALL.search(outcome.out)
    own = [line for line in outcome.err.splitlines() if line.startswith("paprika:")]
    if outcome.died or outcome.host_log:
        outcome.title = host_title(outcome.host_log)
    elif found:
        outcome.title = f"guest: {found.group(3)}" + (f", {call.group(1)}" if call else "")
    elif outcome.timed_out:
        outcome.title = "guest hangs"
    elif outcome.status or not DONE.search(outcome.out):
        outcome.title = f"monitor ended with {outcome.status}: {(own or ['no word'])[-1]}"
    else:
        outcome.title = monitor_title(outcome, run)
    return outcome


def compare(kernel, user, what):
    """Outcomes of both sides: a title if their answers differ, and the index up to which."""
    if kernel.title or user.title:
        return "", None
    ours, theirs = DIGESTS.findall(user.out), DIGESTS.findall(kernel.out)
    for mine, other in zip(ours, theirs):
        if mine != other:
            return f"kernel and user disagree: {what}", int(mine[0])
    if len(ours) != len(theirs):
        return f"kernel and user disagree: {what}, on how many calls they made", None
    return "", None


class Known:
    """The findings that are in docs/FINDINGS.md: a line each, PATTERN ; HEADING."""

    def __init__(self, path=KNOWN_FILE):
        self.rows = []
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                line = line.split("#", 1)[0].strip()
                if not line:
                    continue
                pattern, mark, heading = line.partition(" ; ")
                if not mark:
                    raise ValueError(f"{path}:{number}: no ' ; ' between pattern and heading")
                try:
                    self.rows.append((re.compile(pattern.strip()), heading.strip()))
                except re.error as e:
                    raise ValueError(f"{path}:{number}: {e}") from None

    def heading(self, title):
        for pattern, heading in self.rows:
            if pattern.search(title):
                return heading
        return None
