# SPDX-License-Identifier: GPL-2.0-only
"""Row T: hash guests' tlbies without a lock."""

import bisect
import os
import re
import statistics
import subprocess
import threading

from figures import TOP
from kernelrows import forks
from kernelrows.common import Host
from lab.monitor import MSR_HV

TITLE = "lockless tlbie for HPT hypercalls (2018)"
BUILDS = ("all guest-linux", "kernel")

KERNEL = "kernel"
SWITCH = "/sys/module/kvm_hv/parameters/serialize_tlbie"
CPUS = (8, 32)
# Runs of each kind, in turns
PAIRS = 3
FLUSH = "do_tlbies"
# Seconds between two looks at what the CPUs execute
PERIOD = 0.02


class Symbols:
    """The functions of a vmlinux, by address."""

    def __init__(self, vmlinux):
        text = subprocess.run(["nm", "-n", vmlinux], capture_output=True, text=True,
                              check=True).stdout
        found = re.findall(r"^([0-9a-f]{16}) [tT] (.*)$", text, re.M)
        self._starts = [int(address, 16) for address, _ in found]
        self._names = [name for _, name in found]

    def name(self, address):
        """Without what the compiler adds. In real mode, addresses lack the first digit."""
        return self._names[bisect.bisect(self._starts, address | 0xc << 60) - 1].split(".")[0]


class Sampler:
    """Counts looks at CPUs, and how many found the host in FLUSH, while stress forks."""

    def __init__(self, host, symbols):
        self.out, self.looks, self.flushes = bytearray(), 0, 0
        self._host, self._symbols = host, symbols
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()

    def _look(self):
        while not self._end.wait(PERIOD):
            if not forks.running(self.out):
                continue
            for nip, msr in self._host.monitor.where():
                self.looks += 1
                self.flushes += bool(msr & MSR_HV) and self._symbols.name(nip) == FLUSH

    def share(self):
        return self.flushes / self.looks


def one(host, symbols, cpus, serialized):
    """Forks a second, and the share of the CPUs' time that the host is in FLUSH."""
    host.sh(f"echo {serialized} >{SWITCH}")
    with Sampler(host, symbols) as sampler:
        rate = forks.rate(host, cpus, out=sampler.out)
    return rate, sampler.share()


def pairs_of(host, symbols, cpus):
    """Pairs of runs next to each other, without and with the lock."""
    pairs = []
    for n in range(PAIRS):
        pair = {}
        # Who is first takes turns, too.
        for serialized in ((0, 1) if n % 2 else (1, 0)):
            pair[serialized] = one(host, symbols, cpus, serialized)
        pairs.append((pair[0], pair[1]))
    return pairs


def measure():
    symbols = Symbols(os.path.join(TOP, f"build/{KERNEL}/vmlinux"))
    with Host(KERNEL, machine="powernv9", cpus=2) as host:
        return {"release": host.release,
                "runs": {str(cpus): pairs_of(host, symbols, cpus) for cpus in CPUS}}


def side(runs):
    """A cell: the median rate, and share of time."""
    rates, shares = zip(*runs)
    return f"{statistics.median(rates):,.0f} ({statistics.median(shares):.1%})"


def section(data):
    lines = [
        f"In the base already: 6.12 ({data['release']}) takes no lock around the tlbies of a hash guest.",
        "Patch 7 puts it back at run time (`kvm_hv.serialize_tlbie=1`).",
        "",
        f"| Forks a second (time in `{FLUSH}`) | serialized (before) | not (after) | "
        "after / before |",
        "|---|---|---|---|",
        "| published: POWER9, guest of 32 vCPUs, 32 instances of the kernel's fork benchmark | "
        "13.5 K (74.5 %) | 51 K (21 %) | 3.8 |",
    ]
    for cpus, pairs in data["runs"].items():
        free, locked = zip(*pairs)
        ratios = [a[0] / b[0] for a, b in pairs]
        lines.append(f"| here: powernv9 of 2 CPUs, {cpus} vCPUs, {cpus} processes, {len(pairs)} pairs "
                     f"of runs in turns | {side(locked)} | {side(free)} | "
                     f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |")
    lines += [
        "",
        "The time is a share of looks at both CPUs' next instruction from outside, fifty a second, while",
        "the guest forked, its own time included; an emulator shows it between blocks of instructions.",
        "",
        "The lab cannot tell what the lock costs there: its host has two CPUs, so that at most two vCPUs",
        "remove entries at a time, and a tlbie, which on hardware is a broadcast that all CPUs must",
        "answer, is emulated in the issuing CPU's own time. The rates are of emulation and mean nothing",
        "beside the published ones; only the ratio does. [TLB.md](TLB.md) has a model of both states,",
        "fitted to the published figures, for other numbers of CPUs: `tlbsim fork`.",
    ]
    return lines
