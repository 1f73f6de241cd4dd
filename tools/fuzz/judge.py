# SPDX-License-Identifier: GPL-2.0-only
"""How a run went: the oracles."""

import re
from dataclasses import dataclass, field

from lab import klog

# Beyond the memory of the guest, in KiB; and of files and threads beyond those of processors.
RSS_MAX = 64 << 10
FILES_MAX = 64
THREADS_MAX = 8
GUEST_KIB = 64 << 10

PAIRS = re.compile(r"^hcall-fuzz: pairs (\S+) (\S+) (\w+) us=(\d+)((?: -?\d+=\d+)+)$", re.M)
DONE = re.compile(r"^hcall-fuzz: done issued=(\d+) us=(\d+)$", re.M)
FOUND = re.compile(r"^hcall-fuzz: FOUND cpu=(\d+) index=(\d+): (.*)$", re.M)
CALL = re.compile(r"^hcall-fuzz: call cpu=(\d+) index=(\d+) call=(\S+)", re.M)
ISSUE = re.compile(r"^hcall-fuzz: issue cpu=(\d+) index=(\d+) call=(\S+)", re.M)
AT = re.compile(r"^hcall-fuzz: cpu=\d+ at=(\d+) ", re.M)
HANGS = re.compile(r"^watch: hangs debug=(\w+) calls=(\w+)$", re.M)
# Of --hpt-check, which the monitor ends with 1 for
TABLES = re.compile(r"^hpt 2\^\d+ bytes, .* ([1-9]\d*) differences$", re.M)
DIGESTS = re.compile(r"^hcall-fuzz: (?:cpu=\d+ at|answer index)=(\d+) .*digest=(\w+)$", re.M)
LOOKED = re.compile(r"^watch: files (\d+) threads (\d+) rss (\d+)$", re.M)
LEFT = re.compile(r"^watch: host free (\d+) files (\d+) left (\d+)$", re.M)
SAID = re.compile(r"^watch: (debug ended with .*)", re.M)
NIP = re.compile(r"NIP \[[0-9a-f]+\] ([\w.]+)")
WARNED = re.compile(r"WARNING: CPU: \d+ PID: \d+ at (\S+) (\w+)")
STAMP = re.compile(r"^\s*\[\s*(\d+\.\d{6})\]")
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
    gone: bool = False          # it was ended, as it did not answer
    looked: str = ""            # what a look at a hang has shown
    titles: list = field(default_factory=list)    # all that is wrong
    pairs: dict = field(default_factory=dict)     # (call, family) -> {code: count}
    served: dict = field(default_factory=dict)    # by whom -> [calls, us that they took]
    issued: int = 0
    seconds: float = 0.0        # of the guest's own clock
    free: int = 0               # KiB of the host's memory, afterwards
    files: int = 0              # that are open in the host, afterwards

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


def server(run, family, by):
    """Who served calls that the table has BY: "kvm", "monitor", or "either" where both may."""
    if family == "xics":
        by = {"kernel": "kvm", "user": "monitor"}[run.irqchip]
    elif family == "hpt" and by == "either":
        by = {"kernel": "kvm", "user": "monitor"}[run.hpt]
    return "monitor" if by == "nobody" else by


def read_output(outcome, run):
    """Fill in what the guest says about itself."""
    for call, family, by, us, codes in PAIRS.findall(outcome.out):
        row = outcome.pairs.setdefault((call, family), {})
        served = outcome.served.setdefault(server(run, family, by), [0, 0])
        served[1] += int(us)
        for code, count in (pair.split("=") for pair in codes.split()):
            row[code] = row.get(code, 0) + int(count)
            served[0] += int(count)
    done = DONE.search(outcome.out)
    if done:
        outcome.issued, outcome.seconds = int(done.group(1)), int(done.group(2)) / 1e6
    left = LEFT.search(outcome.err)
    if left:
        outcome.free, outcome.files = int(left.group(1)), int(left.group(2))


def lines_after(lines, stamp):
    """Those of a console or log of a kernel from later than STAMP, in its seconds, on."""
    for n, line in enumerate(lines):
        found = STAMP.match(line)
        if found and float(found.group(1)) > stamp:
            return lines[n:]
    return []


def goes_on(fault, line):
    """Is LINE no fault of its own, but what becomes of FAULT, some lines?"""
    if "Oops: " in line:
        return bool(re.search(r"\bBUG\b|Unable to handle", fault[0])) and \
            not any("Oops: " in said for said in fault)
    if "not syncing: Fatal exception" in line:
        return any("Oops: " in said for said in fault)
    return "not syncing: Hard LOCKUP" in line and "LOCKUP" in fault[0]


def host_faults(lines):
    """What the host's kernel says of each fault: lists of lines, from its first on."""
    found, faults = [], set(klog.faults(lines))
    for line in lines:
        # What is cut here comes next.
        if line in faults and "cut here" not in line and not (found and goes_on(found[-1], line)):
            found.append([line])
        elif found:
            found[-1].append(line)
    return found


def host_title(fault):
    """One line for it."""
    warned, where = WARNED.search(fault[0]), NIP.search("\n".join(fault))
    if warned:
        return f"host: WARNING at {warned.group(1)}, {warned.group(2)}"
    first = re.sub(r"^\s*\[[^]]*\]\s*", "", fault[0])
    first = re.sub(r" at 0x[0-9a-f]+", "", first)
    return f"host: {first}" + (f", in {where.group(1)}" if where else "")


def guest_titles(outcome):
    """What its processors have found, and by which call."""
    calls = {(cpu, index): name for cpu, index, name in CALL.findall(outcome.out)}
    for cpu, index, what in FOUND.findall(outcome.out):
        call = calls.get((cpu, index))
        yield f"guest: {what}" + (f", {call}" if call else "")


def hang_title(outcome):
    """By who hangs, and if its calls are told, which was the last."""
    looked, issued = HANGS.search(outcome.looked), ISSUE.findall(outcome.out)
    last = f", {issued[-1][2]}" if issued else ""
    if not looked:
        return f"guest or monitor hangs{last}"
    if looked.group(1) == "ended":
        return "host hangs, after the monitor has ended"
    if looked.group(1) != "0":
        return f"monitor hangs{last}"
    calls = "calls" if looked.group(2) == "come" else "no calls that the monitor sees"
    return f"guest hangs, making {calls}{last}"


def end_titles(outcome):
    """What is wrong with how the monitor ended, or did not."""
    own = [line for line in outcome.err.splitlines() if line.startswith("paprika:")]
    done, tables = DONE.search(outcome.out), TABLES.search(outcome.err)
    if outcome.timed_out:
        yield hang_title(outcome)
    elif done and tables and outcome.status == 1:
        yield f"tables of monitor and KVM differ in {tables.group(1)} entries"
    elif outcome.status or not done:
        yield f"monitor ended with {outcome.status}: {(own or ['no word'])[-1]}"


def monitor_titles(outcome, run):
    """What is wrong with the monitor, by its looks during the run."""
    said = SAID.search(outcome.err)
    if said:
        yield f"monitor does not answer: {said.group(1)}"
    looks = [tuple(int(n) for n in look) for look in LOOKED.findall(outcome.err)]
    files, threads, rss = (max(column) for column in zip(*looks)) if looks else (0, 0, 0)
    if files > FILES_MAX + 4 * run.cpus:
        yield f"monitor has {files} files open"
    if threads > THREADS_MAX + run.cpus:
        yield f"monitor has {threads} threads"
    if rss > GUEST_KIB + RSS_MAX:
        yield f"monitor has {rss} KiB of memory"
    left = LEFT.search(outcome.err)
    if left and int(left.group(3)):
        yield "monitor is left behind"


def judge(outcome, run):
    """Set outcome.titles, each once, and what the guest says."""
    read_output(outcome, run)
    titles = [host_title(fault) for fault in host_faults(outcome.host_log)]
    if outcome.died:
        # With it everything ends that was in it.
        titles += ["host hangs"] if outcome.gone else []
        titles = titles or ["host: the host died"]
    else:
        found = list(guest_titles(outcome))
        # A guest that has found something ends by panic.
        titles += found or list(end_titles(outcome))
        titles += monitor_titles(outcome, run)
    outcome.titles = list(dict.fromkeys(titles))
    return outcome


def compare(kernel, user, what):
    """Outcomes of both sides: titles if their answers differ, and the index up to which."""
    if kernel.titles or user.titles:
        return [], None
    ours, theirs = DIGESTS.findall(user.out), DIGESTS.findall(kernel.out)
    for mine, other in zip(ours, theirs):
        if mine != other:
            return [f"kernel and user disagree: {what}"], int(mine[0])
    if len(ours) != len(theirs):
        return [f"kernel and user disagree: {what}, on how many calls they made"], None
    return [], None
