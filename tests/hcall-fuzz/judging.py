# SPDX-License-Identifier: GPL-2.0-only
"""What is made of what guests, monitors and hosts say."""

import contextlib
import io
import os
import re

from harness import OUT, TOP, Canned, read
from fuzz import cli, finding, judge, plan
from fuzz.known import Known
from fuzz.session import Fuzzing


def verdicts():
    """What the oracles make of outputs."""
    run, done = plan.Run(seed=1), "hcall-fuzz: done issued=7 us=9\n"
    issue = "hcall-fuzz: issue cpu=0 index=3 call=H_PROD nr=0\n"
    healthy = "watch: files 9 threads 3 rss 4000\nwatch: host free 1 files 1 left 0\n"
    rows = (
        (judge.Outcome(out=done, err=healthy), ""),
        (judge.Outcome(out="", err=healthy), "monitor ended with 0"),
        (judge.Outcome(out=done, err=healthy, status=139), "monitor ended with 139"),
        (judge.Outcome(out=done, err=healthy.replace("files 9", "files 900")), "monitor has 900"),
        (judge.Outcome(out=done, err=healthy.replace("threads 3", "threads 30")), "monitor has 30"),
        (judge.Outcome(out=done, err=healthy.replace("4000", "400000")), "monitor has 400000"),
        (judge.Outcome(out=done, err=healthy.replace("left 0", "left 1")), "monitor is left"),
        (judge.Outcome(out=done, err="watch: debug ended with 1: x\n"), "monitor does not answer"),
        (judge.Outcome(out="", timed_out=True, status=143), "guest or monitor hangs"),
        *((judge.Outcome(out=issue, timed_out=True, looked=f"watch: hangs {what}\n"), title)
          for what, title in (("debug=0 calls=come", "guest hangs, making calls, H_PROD"),
                              ("debug=0 calls=stand", "guest hangs, making no calls that"),
                              ("debug=143 calls=stand", "monitor hangs, H_PROD"),
                              ("debug=ended calls=stand", "host hangs, after the monitor"))),
        (judge.Outcome(out="", died="it has died", gone=True), "host hangs"),
        (judge.Outcome(out=done, host_log=["[    1.0] BUG: Kernel NULL pointer", "[ 1.1] NIP "
                                           "[c0080000003] xive_x.y+0x1/0x2"]),
         "host: BUG: Kernel NULL pointer, in xive_x.y"),
        (judge.Outcome(out="hcall-fuzz: FOUND cpu=0 index=3: registers lost\n", status=11),
         "guest: registers lost"),
    )
    wrong = []
    differ = "hpt 2^18 bytes, 16384 entries, 3 valid, 1 differences\n"
    same = differ.replace("1 diff", "0 diff")
    rows += (
        (judge.Outcome(out=done, err=healthy + same), ""),
        (judge.Outcome(out=done, err=healthy + differ, status=1), "tables of monitor and KVM dif"),
        (judge.Outcome(out="", err=healthy + differ, status=1), "monitor ended with 1"),
        (judge.Outcome(out=done, err=healthy + same, status=1), "monitor ended with 1"),
    )
    for outcome, title in rows:
        now = judge.judge(outcome, run).titles
        if len(now) != bool(title) or not (now or [""])[0].startswith(title):
            wrong.append(f"{now!r} instead of {title!r}")
    sides = [judge.Outcome(out=f"hcall-fuzz: cpu=0 at=200 issued=9 digest={d}\n") for d in "ab"]
    if judge.compare(*sides, "hpt") != (["kernel and user disagree: hpt"], 200):
        wrong.append("two digests that differ are no finding")
    return wrong



def leaks():
    """A host that has less and less, or keeps more and more, is told of."""
    wrong = []
    for memory, files, title in ((0, 0, ""), (50 << 10, 0, "host has lost 307200 KiB in 7 runs"),
                                 (0, 20, "host has 80 more files open in 5 runs"),
                                 (-1, -1, "")):
        canned, said = Canned(), []
        fuzzing = Fuzzing(cli.parse(["--json"]), canned)
        for n in range(20):
            said.append(fuzzing.leak([judge.Outcome(free=(4 << 20) - n * memory,
                                                    files=500 + n * files)]))
        if "".join(said[:5]) or next(filter(None, said), "") != title:
            wrong.append(f"{memory} KiB and {files} files a run: {said}")
        # A host that was booted anew begins anew.
        canned.boots += 1
        if fuzzing.leak([judge.Outcome(free=1, files=10000)]):
            wrong.append("another host is compared with the one before")
    return wrong


def rates():
    """Calls are counted for who served them."""
    out = "".join(f"hcall-fuzz: pairs {line} -4=1 0=9\n" for line in (
        "H_ENTER hpt either us=100", "H_RESIZE_HPT_COMMIT hpt monitor us=20",
        "H_XIRR xics monitor us=300", "ibm,int-on xics monitor us=40", "H_PROD cpu kvm us=500",
        "H_RANDOM other either us=7", "H_RTAS rtas monitor us=60", "unknown unknown nobody us=70"))
    wrong = []
    for hpt, irqchip, kvm, monitor in (("kernel", "user", [20, 600], [50, 490]),
                                       ("user", "kernel", [30, 840], [40, 250])):
        run = plan.Run(seed=1, hpt=hpt, irqchip=irqchip)
        served = judge.judge(judge.Outcome(out=out), run).served
        if served != {"kvm": kvm, "monitor": monitor, "either": [10, 7]}:
            wrong.append(f"{hpt}, {irqchip}: {served}")
    return wrong


# What a kernel says: of each fault what there is to see, and how it looks.
WARNED = """\
[   10.000001] ------------[ cut here ]------------
[   10.000002] WARNING: CPU: 0 PID: 99 at arch/x.c:944 xive_provision_queue+0x1/0x2 [kvm]
[   10.000003] NIP [c0080000003] xive_provision_queue+0x1/0x2 [kvm]
[   10.000004] ---[ end trace 0000000000000000 ]---
"""
DIED = """\
[   11.000001] BUG: Kernel NULL pointer dereference on read at 0x00000058
[   11.000002] Oops: Kernel access of bad area, sig: 11 [#1]
[   11.000003] NIP [c0080000003] %s+0x1/0x2 [kvm]
[   11.000004] Kernel panic - not syncing: Fatal exception
"""
WARNING = "host: WARNING at arch/x.c:944, xive_provision_queue"
NULL = "host: BUG: Kernel NULL pointer dereference on read, in "


def all_faults():
    """Each fault of a run is told, and once; what was told of a run before is not."""
    stuck = "[   12.000001] watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [paprika:9]\n"
    check = "[   12.000002] Oops: Machine check, sig: 7 [#1]\n"
    rows = (
        (WARNED, [WARNING]), (WARNED + WARNED, [WARNING]), (DIED % "f", [NULL + "f"]),
        (WARNED + DIED % "f", [WARNING, NULL + "f"]),
        (DIED % "f" + DIED % "g", [NULL + "f", NULL + "g"]),
        (WARNED + check, [WARNING, "host: Oops: Machine check, sig: 7 [#1]"]),
        (WARNED + stuck, [WARNING, "host: " + stuck[15:-1]]),
    )
    done = "hcall-fuzz: done issued=7 us=9\n"
    wrong = []
    for log, titles in rows:
        for died in ("", "it has died"):
            outcome = judge.Outcome(out=done, host_log=log.splitlines(), died=died)
            now = judge.judge(outcome, plan.Run(seed=1)).titles
            if now != titles:
                wrong.append(f"{now} instead of {titles}")
    found = "hcall-fuzz: FOUND cpu=1 index=3: x\nhcall-fuzz: FOUND cpu=0 index=4: y\n" \
            "hcall-fuzz: call cpu=0 index=4 call=H_PROD nr=0\n"
    outcome = judge.Outcome(out=found, err="watch: files 900 threads 1 rss 1\n", status=11,
                            host_log=WARNED.splitlines())
    now = judge.judge(outcome, plan.Run(seed=1)).titles
    if now != [WARNING, "guest: x", "guest: y, H_PROD", "monitor has 900 files open"]:
        wrong.append(f"of host, guest and monitor: {now}")
    if judge.lines_after((WARNED + DIED).splitlines(), 10.000004) != DIED.splitlines():
        wrong.append("a fault is told again")
    return wrong


def known_headings():
    """What is known is written down, under that heading."""
    headings = re.findall(r"^## (.*)$", read(TOP, "docs/FINDINGS.md"), re.M)
    return [f"docs/FINDINGS.md has no '{row.heading}'" for row in Known().rows
            if row.heading not in headings]


def known_faults():
    """A run is known if all its faults are, where they are known to be; one of each is kept."""
    canned, out = Canned(), os.path.join(OUT, "known")
    eoi = NULL + "xive_vm_h_eoi"
    rows = ((1, "kernel", (eoi,)), (2, "kernel", (eoi, "guest: x")), (3, "user", (eoi,)),
            (4, "kernel", (eoi, "guest: x")), (5, "kernel", ("guest: x", "guest: y")))
    session = Fuzzing(cli.parse(["--out", out, "--minimise", "0", "--json"]), canned)
    with contextlib.redirect_stderr(io.StringIO()):
        for seed, irqchip, canned.titles in rows:
            run, titles = plan.Run(seed=seed, irqchip=irqchip), list(canned.titles)
            title = session.untold(run, titles, [canned.run(run)])
            if title:
                session.found(run, title, [canned.run(run)], None, True)
    told = [(row["title"], row["count"]) for row in session.summary.findings.values()]
    wrong = [] if told == [("guest: x", 2), (eoi, 1), ("guest: y", 1)] else [f"told: {told}"]
    if list(session.summary.known.values()) != [3]:
        wrong.append(f"known: {session.summary.known}")
    kept = {name: finding.load(os.path.join(out, name))[1].seed for name in os.listdir(out)
            if not name.startswith("summary")}
    number = next(row.number for row in Known().rows if "xive=off" in row.words)
    if kept != {f"known-{number}": 1, "finding-1": 2, "finding-2": 3, "finding-3": 5}:
        wrong.append(f"kept: {kept}")
    return wrong
