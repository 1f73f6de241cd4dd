# SPDX-License-Identifier: GPL-2.0-only
"""Row H: entries changed from user space while vCPUs run, and the oops with xive=off."""

import statistics

from kernelrows import forks
from kernelrows.common import Host

TITLE = "single HPT entries from user space, and an oops"
BUILDS = ("all guest-linux", "kernel", "kernel KERNEL_PATCHES=0")

CPUS = (1, 4, 8)
# Runs of each kind, in turns where they share a host
ROUNDS = 3
# The least that the patched path is to reach of KVM's own
TARGET = 0.5


def measure():
    rows = {str(cpus): {"kernel": [], "gate": [], "live": []} for cpus in CPUS}
    for kernel, way in (("kernel-0", "gate"), ("kernel", "live")):
        with Host(kernel, machine="powernv9", cpus=2) as host:
            for cpus in CPUS:
                for _ in range(ROUNDS):
                    row = rows[str(cpus)]
                    if way == "live":
                        row["kernel"].append(forks.rate(host, cpus, "--hpt kernel"))
                    row[way].append(forks.rate(host, cpus, "--hpt user"))
            release = host.release
    return {"release": release, "rates": rows}


def ratios(row):
    return [live / kernel for live, kernel in zip(row["live"], row["kernel"])]


def check(data):
    for cpus, row in data["rates"].items():
        if statistics.median(ratios(row)) < TARGET:
            yield f"{cpus} vCPUs: --hpt user forks {statistics.median(ratios(row)):.2f} times as fast " \
                  f"as --hpt kernel, not {TARGET}"


def section(data):
    lines = [
        f"1. Carried as patch 8 ({data['release']}). Nothing was published; half of KVM's own rate is the",
        "aim. A guest with a hashed table forks with as many processes as it has vCPUs; powernv9 of",
        f"2 CPUs, medians of {ROUNDS} runs:",
        "",
        "| Forks a second | `--hpt kernel` | `--hpt user`, stock kernel: stops the others | "
        "`--hpt user`, patched | patched / kernel |",
        "|---|---|---|---|---|",
    ]
    for cpus, row in data["rates"].items():
        some = ratios(row)
        lines.append(f"| {cpus} vCPUs | " + " | ".join(
            f"{statistics.median(row[way]):,.1f}" for way in ("kernel", "gate", "live")) +
            f" | {statistics.median(some):.2f} ({min(some):.2f} to {max(some):.2f}) |")
    lines += [
        "",
        "2. Carried as patches 1 and 2. Before: a guest with `--irqchip kernel` ends a powernv9 host that",
        "was booted with `xive=off` at its first interrupt call. After: its interrupts come.",
        "`make test-kernel` runs storms there; [FINDINGS.md](FINDINGS.md) has the replay.",
    ]
    return lines
