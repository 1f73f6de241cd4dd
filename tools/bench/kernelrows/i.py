# SPDX-License-Identifier: GPL-2.0-only
"""Row I: no store and no barrier for KVM when a CPU wakes from idle into the kernel."""

import re
import statistics

from kernelrows.common import Host, spread
from lab import LabError

TITLE = "no sync when waking from idle into the kernel (2017)"
BUILDS = ("kernel", "build/bench/pingpong")

SWITCH = "/sys/kernel/debug/powerpc/idle_sync_on_wake"
ROUNDS = 2000
# Exact runs of each kind, in turns
RUNS = 7
# Runs of each kind on CPUs that run at once, in turns
PAIRS, PAIR_ROUNDS = 21, 200
# Name, machine, threads a core
PLACES = (("powernv9, two cores", "powernv9", 1), ("powernv9, two threads of a core", "powernv9", 2),
          ("powernv8, two cores", "powernv8", 1))


def ping_pong(host, sync, rounds=ROUNDS):
    """Ticks of the timebase."""
    out = host.sh(f"echo {sync} >{SWITCH} && build/bench/pingpong 0 1 {rounds}")
    found = re.search(r"ticks (\d+) rounds", out)
    if not found:
        raise LabError("no figure from pingpong", out.splitlines())
    return int(found.group(1))


def measure():
    data = {"rounds": ROUNDS, "exact": [], "turns": []}
    for name, machine, threads in PLACES:
        with Host("kernel", machine=machine, icount=True, cpus=2, threads=threads) as host:
            ping_pong(host, 0)
            ticks = [[ping_pong(host, sync) for sync in (0, 1)] for _ in range(RUNS)]
            without, synced = zip(*ticks)
            data["exact"].append({"name": name, "without": statistics.median(without),
                                  "with": statistics.median(synced),
                                  "spread": max(max(x) - min(x) for x in (without, synced))})
            data["release"] = host.release
    for name, machine, threads in PLACES[:1]:
        with Host("kernel", machine=machine, cpus=2, threads=threads) as host:
            ping_pong(host, 0)
            ratios = []
            for n in range(PAIRS):
                # Who is first takes turns, too.
                pair = {sync: ping_pong(host, sync, PAIR_ROUNDS)
                        for sync in ((0, 1) if n % 2 else (1, 0))}
                ratios.append(pair[1] / pair[0])
            data["turns"].append({"name": name, "ratio": statistics.median(ratios),
                                  "spread": spread(ratios)})
    return data


def a_round(data, ticks):
    return ticks * 1000 / 512 / data["rounds"]


def check(data):
    for row in data["exact"]:
        if row["with"] <= row["without"]:
            yield f"{row['name']}: the store and the barrier cost nothing: was the host ever idle?"


def section(data):
    lines = [
        f"In the base already ({data['release']}). In 6.12 the store to `hwthread_state` and the full",
        "barrier are in `power7_offline()` alone, which is for CPUs that are offline, the only ones",
        "that KVM of POWER7 and 8 takes. There is nothing to skip there: the CPU has set the state to",
        "KVM_HWTHREAD_IN_IDLE itself right before, `kvmppc_grab_hwthread()` only reads it, and the",
        "way out of KVM (`kvm_no_guest`) sets IN_KERNEL only when it gives the CPU back, to the code",
        "after the check. So the state is always IN_IDLE where it would be asked, and the store and",
        "the barrier are always needed. CPUs that are online do not come by: neither",
        "`power7_idle_type()` nor `arch300_idle_type()` has either.",
        "",
        "The patch \"powernv/idle: A switch to sync with KVM on each wake-up\" puts both back there,",
        "with the look at `hwthread_req` that they order, to be measured. Two processes wake each other",
        "through pipes, so that a round has two wake-ups from stop or nap.",
        "",
        "| Ping-pong, instructions a round of two CPUs together | with the sync (before) | without "
        "(6.12) | |",
        "|---|---|---|---|",
    ]
    for row in data["exact"]:
        before, after = a_round(data, row["with"]), a_round(data, row["without"])
        lines.append(f"| {row['name']} | {before:,.1f} | {after:,.1f} | "
                     f"{after / before - 1:+.3%} |")
    most = max(a_round(data, row["spread"]) for row in data["exact"])
    lines += [
        "",
        f"Counted under `--icount`, medians of {RUNS} runs of {data['rounds']:,} rounds, which differ by",
        f"at most {most:.1f} a round: where the timers' interrupts fall.",
        "",
        "| Ping-pong, rate without the sync over rate with it | Published | Here |",
        "|---|---|---|",
        "| two threads of a core, stop0 | +0.46 % | |",
        "| different cores, stop0 | +1.02 % | |",
    ]
    for row in data["turns"]:
        low, high = row["spread"]
        lines.append(f"| {row['name']}, emulated on as many threads, {PAIRS} pairs of runs in turns "
                     f"| | {row['ratio'] - 1:+.1%} (middle half {low - 1:+.1%} to {high - 1:+.1%}) |")
    lines += [
        "",
        "What was published is the cost of the barrier itself, which waits for the stores before it.",
        "An emulator cannot tell that: here a barrier is an instruction like others, and what is",
        "counted is that it and its neighbours are gone. Ratios of runs on two emulating threads are",
        "noise for an effect of this size.",
    ]
    return lines
