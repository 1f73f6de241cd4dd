# SPDX-License-Identifier: GPL-2.0-only
"""Row T: hash guests' tlbies without a lock."""

import statistics

from kernelrows import forks
from kernelrows.common import Host

TITLE = "lockless tlbie for HPT hypercalls (2018)"
BUILDS = ("all guest-linux", "kernel")

SWITCH = "/sys/module/kvm_hv/parameters/serialize_tlbie"
CPUS = (8, 32)
# Runs of each kind, in turns
PAIRS = 3


def pairs_of(host, cpus):
    """Rates without and with the lock, of runs next to each other."""
    pairs = []
    for n in range(PAIRS):
        pair = {}
        # Who is first takes turns, too.
        for serialized in ((0, 1) if n % 2 else (1, 0)):
            host.sh(f"echo {serialized} >{SWITCH}")
            pair[serialized] = forks.rate(host, cpus)
        pairs.append((pair[0], pair[1]))
    return pairs


def measure():
    with Host("kernel", machine="powernv9", cpus=2) as host:
        return {"release": host.release,
                "rates": {str(cpus): pairs_of(host, cpus) for cpus in CPUS}}


def section(data):
    lines = [
        f"In the base already: 6.12 ({data['release']}) takes no lock around the tlbies of a hash guest.",
        "Patch 7 puts it back at run time (`kvm_hv.serialize_tlbie=1`).",
        "",
        "| Forks a second | serialized (before) | not (after) | after / before |",
        "|---|---|---|---|",
        "| published: POWER9, guest of 32 vCPUs, 32 instances of the kernel's fork benchmark | "
        "13.5 K (74.5 % of host time in do_tlbies) | 51 K (21 %) | 3.8 |",
    ]
    for cpus, pairs in data["rates"].items():
        ratios = [free / locked for free, locked in pairs]
        free, locked = (statistics.median(side) for side in zip(*pairs))
        lines.append(f"| here: powernv9 of 2 CPUs, {cpus} vCPUs, {cpus} processes, {len(pairs)} pairs "
                     f"of runs in turns | {locked:,.0f} | {free:,.0f} | "
                     f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |")
    lines += [
        "",
        "The lab cannot tell what the lock costs there: its host has two CPUs, so that at most two vCPUs",
        "remove entries at a time, and a tlbie, which on hardware is a broadcast that all CPUs must",
        "answer, is emulated in the issuing CPU's own time. The rates are of emulation and mean nothing",
        "beside the published ones; only the ratio does. [TLB.md](TLB.md) has a model of both states,",
        "fitted to the published figures, for other numbers of CPUs: `tlbsim fork`.",
    ]
    return lines
