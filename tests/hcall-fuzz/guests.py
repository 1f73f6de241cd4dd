# SPDX-License-Identifier: GPL-2.0-only
"""The fuzzer with guests: what it finds, and what it must not."""

import json
import os
import re
import subprocess

from harness import OUT, TOP, kind, read, runs, said, tool
from fuzz import finding, summary

PATCHED = os.path.join(TOP, "build/kernel/vmlinux")
# A seed whose first runs are of these kinds, on powernv9 and with two processors
SEED, RUNS = 170, 4
KINDS = {"agree", "hpt user user", "hpt kernel kernel", "radix kernel user"}
PLANTED = 23


def nothing_new():
    """A few guests, of kinds that are far from each other."""
    kinds = {kind(run) for run in runs("powernv9", SEED, range(RUNS))}
    if kinds != KINDS:
        return [f"it would run {sorted(kinds)}"]
    out = os.path.join(OUT, "short")
    result = tool("--seed", str(SEED), "--runs", str(RUNS), "--time", "500", "--calls", "600",
                  "--out", out)
    if result.returncode:
        return [f"exit code {result.returncode}", *said(result)]
    found = json.loads(read(out, summary.FILE))
    # A comparison is two guests.
    if found["runs"] != RUNS + 1 or found["issued"] < 500 * RUNS or found["coverage"] < 100:
        return [f"only {found['runs']} runs, {found['issued']} calls, {found['coverage']} pairs"]
    return []


def planted():
    """Harm done by a guest is found, made smaller, and found again by the replay."""
    out = os.path.join(OUT, "planted")
    result = tool("--seed", str(SEED), "--runs", "1", "--calls", "60", "--cpus", "1",
                  "--plant", str(PLANTED), "--minimise", "300", "--out", out)
    where = os.path.join(out, "finding-1")
    if result.returncode != 1 or not os.path.isdir(where):
        return [f"exit code {result.returncode}", *said(result)]
    _, run, title = finding.load(where)
    if not title.startswith("guest: memory changed that no call was given"):
        return [f"it is called {title!r}"]
    if run.keep != str(PLANTED):
        return [f"calls that are left: {run.keep!r}"]
    if f"index={PLANTED} " not in read(where, "calls"):
        return ["the call is not told", read(where, "calls")]
    again = subprocess.run([os.path.join(where, "replay")], capture_output=True, text=True,
                           stdin=subprocess.DEVNULL, check=False)
    return [] if again.returncode == 0 else [f"replay: {again.returncode}", *said(again)]


def repeats_exactly():
    """Two replays of what planted() left, call by call."""
    where = os.path.join(OUT, "planted", "finding-1")
    again = [tool("replay", "--icount", "--trace", where) for _ in range(2)]
    wrong = [line for result in again if result.returncode for line in said(result)]
    if again[0].stdout != again[1].stdout or " call=" not in again[0].stdout:
        wrong += ["two replays:", again[0].stdout, again[1].stdout]
    return wrong


def first_finding():
    """The first of docs/FINDINGS.md, on the host that it is of."""
    out = os.path.join(OUT, "first")
    result = tool("--kernel", "6.12", "--append", "xive=off", "--irqchip", "kernel", "--only",
                  "xics", "--cpus", "1", "--calls", "50", "--stop", "--with-known", "--minimise",
                  "0", "--out", out)
    where = os.path.join(out, "finding-1")
    if result.returncode != 1 or not os.path.isdir(where):
        return [f"exit code {result.returncode}", *said(result)]
    title = finding.load(where)[2]
    if not re.match(r"host: BUG: Kernel NULL pointer .*, in \S*xive_\w+$", title):
        return [f"it is called {title!r}"]
    again = subprocess.run([os.path.join(where, "replay")], capture_output=True, text=True,
                           stdin=subprocess.DEVNULL, check=False)
    return [] if again.returncode == 0 else [f"replay: {again.returncode}", *said(again)]


def gone_when_mended():
    """What first_finding() left is gone with a host's kernel that has the patches."""
    result = tool("replay", "--kernel", PATCHED, os.path.join(OUT, "first", "finding-1"))
    if result.returncode == 1 and "# found: nothing\n" in result.stdout:
        return []
    return [f"exit code {result.returncode}", *said(result)]


gone_when_mended.needs = PATCHED
