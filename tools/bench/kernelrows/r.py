# SPDX-License-Identifier: GPL-2.0-only
"""Row R: what a radix host does to the TLB for munmap and mprotect, counted by tracepoints, and
what it takes."""

import re

from kernelrows.common import NS_A_TICK, Host
from lab import LabError

TITLE = "radix TLB flushes (2017, seven parts)"
BUILDS = ("kernel KERNEL_TRACE=1", "build/bench/tlbflush")

DEBUGFS = "/sys/kernel/debug/powerpc"
COUNTS = ("tlbie", "tlbiel", "fixups", "ptesync", "tlbsync")
# Ceilings, global and local, and whether each page has barriers of its own
NOW = (33, 256, "N")
EACH, RUN, PID = (33, 33, "Y"), (33, 33, "N"), (0, 0, "N")
SETTINGS = {"barriers for each page": (33, 256, "Y"), "both ceilings 33": RUN,
            "no ceilings": (1 << 20, 1 << 20, "N"), "ceilings 0: the PID": PID}

# Operation, where, settings that do as the kernels before and after the patch that the
# figures came with, {pages: published microseconds before and after}
PUBLISHED = (
    ("munmap", "local", EACH, RUN, {30: (10.9, 3.4)}),
    ("munmap", "global", EACH, RUN, {30: (22.3, 14.4)}),
    ("mprotect", "local", PID, RUN, {1: (2.9, 1.2), 30: (8.2, 6.9), 34: (9.1, 9.0)}),
    ("mprotect", "global", PID, RUN, {1: (1.8, 1.6), 30: (7.2, 17.9), 34: (8.0, 8.0)}),
    ("mprotect", "local", RUN, NOW, {32: (7.4, 7.4), 34: (9.0, 7.8), 64: (14.6, 13.8),
                                     128: (26.4, 26.4), 256: (50.2, 51.9), 512: (98.3, 98.3)}),
    ("teardown", "local", PID, NOW, {1: (3.2, 1.4), 2: (3.3, 1.5), 4: (3.4, 1.7), 8: (3.6, 1.9),
                                     16: (4.1, 2.6), 32: (5.2, 3.7), 64: (7.2, 6.2)}),
    ("teardown", "global", PID, NOW, {1: (2.2, 2.1), 2: (2.3, 2.5), 4: (2.4, 3.4), 8: (2.6, 5.2),
                                      16: (3.2, 8.7), 32: (4.1, 15.7), 64: (6.2, 6.2)}),
)
# How the ceilings act, with pages at and beyond them
EDGES = (("mprotect", "local", (1, 33, 34, 256, 257)), ("mprotect", "global", (1, 33, 34)))


def run(host, setting, operation, where, pages, count):
    """A list of {pages: ..., and counts or ticks}."""
    ceiling_global, ceiling_local, each = setting
    out = host.sh(
        f"cd {DEBUGFS} && echo {ceiling_global} >tlb_single_page_flush_ceiling && "
        f"echo {ceiling_local} >tlb_local_single_page_flush_ceiling && "
        f"echo {each} >tlb_barrier_each_page && cd - >/dev/null && build/bench/tlbflush "
        f"{'-c' if count else ''} {'-g' if where == 'global' else ''} {operation} "
        + " ".join(map(str, pages)))
    rows = [{k: int(v) for k, v in re.findall(r"(\w+) (\d+)", line)} for line in out.splitlines()]
    if [row["pages"] for row in rows] != list(pages):
        raise LabError("no figures from tlbflush", out.splitlines())
    return rows


def both(host, setting, operation, where, pages):
    """Counts, and instructions with nothing traced."""
    timed = run(host, setting, operation, where, pages, False)
    return [{**counts, "instructions": round(row["ticks"] * NS_A_TICK)} for counts, row in
            zip(run(host, setting, operation, where, pages, True), timed)]


def measure():
    data = {"published": [], "edges": []}
    with Host("kernel-trace", machine="powernv9", icount=True, cpus=2) as host:
        data["release"] = host.release
        for operation, where, before, after, times in PUBLISHED:
            rows = (both(host, setting, operation, where, times) for setting in (before, after))
            data["published"] += [
                {"operation": operation, "where": where, "pages": pages, "us": us, "before": one,
                 "after": other} for (pages, us), one, other in zip(times.items(), *rows)]
        for operation, where, pages in EDGES:
            rows = [run(host, setting, operation, where, pages, True)
                    for setting in (NOW, *SETTINGS.values())]
            data["edges"] += [{"operation": operation, "where": where, "rows": list(row)}
                              for row in zip(*rows)]
    return data


def check(data):
    """What the counts must be, by the code."""
    for row in data["published"]:
        if row["operation"] != "munmap":
            continue
        before, after, pages = row["before"], row["after"], row["pages"]
        name = f"munmap {row['where']} of {pages} pages"
        one, other = ("tlbiel", "tlbie") if row["where"] == "local" else ("tlbie", "tlbiel")
        for r in (before, after):
            if r[one] - r["fixups"] != pages or r[other]:
                yield f"{name}: {r[one]} {one}, {r[other]} {other}"
        if before["ptesync"] - after["ptesync"] != 2 * (pages - 1):
            yield (f"{name}: {before['ptesync']} ptesync with barriers for each page, "
                   f"{after['ptesync']} without")
        # A barrier each and the branches around it; the rest of the call is the same.
        if not 1 < (before["instructions"] - after["instructions"]) / (2 * (pages - 1)) < 20:
            yield (f"{name}: {before['instructions']} instructions with barriers for each page, "
                   f"{after['instructions']} without")


def short(row):
    """30 tlbiel, 2 ptesync."""
    parts = []
    for name in ("tlbie", "tlbiel"):
        if row[name]:
            parts.append(f"{row[name]} {name}")
    parts.append(f"{row['ptesync']} ptesync")
    if row["tlbsync"]:
        parts.append(f"{row['tlbsync']} tlbsync")
    return ", ".join(parts)


NAMES = {"munmap": "munmap", "mprotect": "mprotect", "teardown": "munmap with page table"}


def section(data):
    lines = [
        f"In the base already ({data['release']}), with the ceilings in debugfs. Two patches make",
        "both sides countable: a tracepoint `tlbie_barrier` next to `tlbie`, and the switch",
        "`tlb_barrier_each_page`. With them 6.12 does as the kernels before and after the patch that",
        "each figure was published with: barriers for each page or for each run; mprotect by the PID",
        "(ceilings of 0) or by address, at first with a ceiling of 33 for local flushes too, then of",
        "256; page tables freed by the PID, or by address.",
        "",
        "Counted in one system call of a process of the host (powernv9, pages of 64 KiB), \"local\" if it",
        "ran on one CPU only, \"global\" if a second thread of it ran on another CPU, and sleeps. (With",
        "one thread a process is local in 6.12 wherever it was: it has the other CPUs forget it, which",
        "is later work.) Instructions are of the whole call, of both CPUs, under `--icount`, with",
        "nothing traced, the least of a hundred.",
        "",
        "| | Pages | Published, us | Executed before | after | Instructions before | after | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in data["published"]:
        before, after = row["before"], row["after"]
        lines.append(f"| {NAMES[row['operation']]}, {row['where']} | {row['pages']} | "
                     f"{row['us'][0]} -> {row['us'][1]} | {short(before)} | {short(after)} | "
                     f"{before['instructions']:,} | {after['instructions']:,} | "
                     f"{after['instructions'] / before['instructions'] - 1:+.1%} |")
    lines += [
        "",
        "mprotect with each, pages at and beyond the ceilings:",
        "",
        "| | Pages | as it is: 33, 256 | " + " | ".join(SETTINGS) + " |",
        "|---|---|---|" + "---|" * len(SETTINGS),
    ]
    lines += [f"| {NAMES[edge['operation']]}, {edge['where']} | {edge['rows'][0]['pages']} | " +
              " | ".join(short(row) for row in edge["rows"]) + " |" for edge in data["edges"]]
    lines += [
        "",
        "Of the counts: a global run ends in two more, each a ptesync and a tlbie, for two errata of the",
        "emulated POWER9, a DD2.2 (CPU_FTR_P9_TLBIE_ERAT_BUG and _STQ_BUG); kernels of 2017 had neither.",
        "A local flush of the PID is a tlbiel for each of 128 sets. Not to be had by a switch: parts 1 and 2 (preemption;",
        "the process table entry cleared before the last flush), which change no count; and that",
        "mprotect in 2017 went by `flush_tlb_range()`, whose PID flush left the page walk cache alone.",
        "",
        "Instructions of munmap differ by up to 3 % with what else it does just then: pages go back to",
        "the allocator in batches.",
        "",
        "What the lab cannot tell: times. A tlbie is one instruction here, on real machines it goes to",
        "all of them, and a ptesync waits for it. The published base pages are not known; for 32 pages",
        "and more it matters, as 2 MiB are one page table of 64 KiB pages but not of 4 KiB ones.",
    ]
    return lines
