# SPDX-License-Identifier: GPL-2.0-only
"""Row X: resends by a bitmap, servers looked up directly, a lock for each source."""

import re
import statistics

from kernelrows.common import NS_A_TICK, Host
from lab import LabError

TITLE = "XICS emulation (2024)"
# The series up to each of the three patches, and the kernel before them
KERNELS = ((3, "before"), (4, "bitmap"), (5, "and lookup"), (6, "and locks"))
BUILDS = ("all", *(f"kernel KERNEL_PATCHES={n}" for n, _ in KERNELS))

# vCPUs that a guest has, of which one runs
CPUS = (1, 8, 64)
# Terminals that loop, and with them sources: as many as a guest can have
SOURCES = 15
ROUNDS = 500
CALLS = (("ipi", "H_IPI to the last vCPU"), ("eoi", "H_EOI"),
         ("resend-1", "H_CPPR, 1 source waits"),
         ("resend-all", f"H_CPPR, {SOURCES} sources wait"), ("cppr", "H_CPPR, none waits"))


def one(host, cpus):
    """Instructions of each call, without the loop around it."""
    out = host.sh(f"paprika run -k build/guest/irq-cost.elf -c {cpus} --mmu radix --irqchip kernel "
                  f"{'--tty loop ' * SOURCES} -p rounds={ROUNDS} </dev/null")
    ticks = dict(re.findall(r"^irq-cost: (\S+) ticks (\d+) rounds", out, re.M))
    if set(ticks) != {name for name, _ in CALLS}:
        raise LabError("no figures from irq-cost", out.splitlines())
    # H_EOI is timed for as many as came, one a round.
    return {name: int(n) * NS_A_TICK / ROUNDS for name, n in ticks.items()}


# Several CPUs at once: the kernel before the three patches and after them, in turns
STORM_HOSTS = {"pseries": "radix", "powernv8": "hpt"}
STORM_CPUS = (4, 8)
STORM_ROUNDS = 300
STORM_PAIRS = 7


def storm(host, mmu, cpus):
    """Nanoseconds of the host an IPI, when all vCPUs send to all others."""
    out = host.sh(f"paprika run -k build/guest/irq-storm.elf -c {cpus} --mmu {mmu} "
                  f"--irqchip kernel -p 'kernel-xics rounds={STORM_ROUNDS}' </dev/null")
    found = re.search(r"^irq-storm: (\d+) ticks (\d+) ipis", out, re.M)
    if not found:
        raise LabError("no figures from irq-storm", out.splitlines())
    return int(found.group(1)) * NS_A_TICK / int(found.group(2))


def storms(machine, mmu):
    """By vCPUs: pairs of before and after, of runs next to each other."""
    before, after = KERNELS[0][0], KERNELS[-1][0]
    with Host(f"kernel-{before}", machine=machine, cpus=2) as old, \
            Host(f"kernel-{after}", machine=machine, cpus=2) as new:
        return {str(cpus): [(storm(old, mmu, cpus), storm(new, mmu, cpus))
                            for _ in range(STORM_PAIRS)] for cpus in STORM_CPUS}


def measure():
    data = {"rows": [], "storms": {}}
    for patches, _ in KERNELS:
        with Host(f"kernel-{patches}", machine="pseries", icount=True) as host:
            data["rows"].append([one(host, cpus) for cpus in CPUS])
            data["release"] = host.release
    for machine, mmu in STORM_HOSTS.items():
        data["storms"][machine] = storms(machine, mmu)
    return data


def check(data):
    before, *_, after = (row[-1] for row in data["rows"])
    for name in ("ipi", "resend-1"):
        if after[name] >= before[name]:
            yield f"{name} with {CPUS[-1]} vCPUs: {after[name]:.0f} instructions, before " \
                  f"{before[name]:.0f}"


def section(data):
    lines = [
        "Carried as three patches (4, 5, 6). Published, pgbench in a guest under PowerVM, 120 s: time of",
        "`arch_send_call_function_single_ipi` 12 us before (60.5 s in 4.90 M calls), 11 us after (57.7 s",
        "in 4.92 M); calls of 16 to 31 us 437,981 before, 339,284 after.",
        "",
        f"Counted here under `--icount` on pseries ({data['release']}), the way in and out of nested KVM",
        f"included; a guest of so many vCPUs, of which one runs `irq-cost`, {ROUNDS} calls each:",
        "",
        "| Instructions a call | vCPUs | " + " | ".join(name for _, name in KERNELS) + " | |",
        "|---|---|" + "---|" * (len(KERNELS) + 1),
    ]
    for name, what in CALLS:
        for i, cpus in enumerate(CPUS):
            values = [row[i][name] for row in data["rows"]]
            lines.append(f"| {what} | {cpus} | " + " | ".join(f"{v:,.0f}" for v in values) +
                         f" | {values[-1] / values[0] - 1:+.1%} |")
    lines += [
        "",
        "A block has 1024 sources whether they exist or not, and before the bitmap all are looked at;",
        f"a guest of the monitor can have {SOURCES} that interrupt on request, so more cannot wait here.",
        "",
        f"Several CPUs: `irq-storm`, in which each vCPU sends IPIs to all others, {STORM_ROUNDS} rounds, on",
        f"hosts of 2 CPUs; {STORM_PAIRS} pairs of runs before and after the three patches, in turns. The",
        "times are of emulation, so only their ratio means something:",
        "",
        "| Host | vCPUs | after / before, time an IPI: median | least and most |",
        "|---|---|---|---|",
    ]
    for machine, by_cpus in data["storms"].items():
        for cpus, pairs in by_cpus.items():
            ratios = [new / old for old, new in pairs]
            lines.append(f"| {machine} | {cpus} | {statistics.median(ratios):.2f} | "
                         f"{min(ratios):.2f} to {max(ratios):.2f} |")
    lines += [
        "",
        "What the last patch is for, CPUs that wait for each other's lock of a block of sources, is in",
        "neither: IPIs have no source, and two CPUs seldom meet.",
    ]
    return lines
