# SPDX-License-Identifier: GPL-2.0-only
"""Options, the runs that they make, and what a session leaves behind."""

import contextlib
import errno
import io
import json
import os
import re
import shutil
import signal
import subprocess

from harness import OUT, TOP, Canned, Unused, kind, read, runs, said, tool
from fuzz import cli, finding, judge, machine, plan, summary
from fuzz.session import Fuzzing


def nonsense():
    """What cannot be meant is refused, in one line."""
    rows = (("--without", "H_IPOL"), ("--without", "H_IPI+"), ("--hpt", "user", "--mmu", "radix"),
            ("--hpt", "user", "--host", "pseries"), ("--mmu", "radix", "--host", "powernv8"),
            ("--icount", "--host-cpus", "4"), ("--shard", "3/2"), ("--calls", "0"), ("--plant", "-1"))
    wrong = []
    for row in rows:
        result = tool(*row)
        lines = [line for line in result.stderr.splitlines() if not line.startswith("usage:")]
        if result.returncode != 2 or len(lines) != 1 or row[0] not in lines[0]:
            wrong += [f"{' '.join(row)}: exit code {result.returncode}", *said(result)]
    return wrong


def seeds():
    """One is drawn unless it is given, and can be had again."""
    drawn = {cli.parse([]).seed for _ in range(3)}
    wrong = [] if len(drawn) > 1 else [f"always {drawn}"]
    if cli.parse(["--seed", "7"]).seed != 7:
        wrong.append("--seed 7 is not kept to")
    session = Fuzzing(cli.parse([]), None)
    if session.summary.asdict()["seed"] != session.args.seed or \
            f"seed {session.args.seed}," not in session.summary.text():
        wrong.append("the summary does not have it")
    return wrong


def kinds_of_runs():
    """Each kind comes early, in each shard, and what was asked for is kept to."""
    wrong = []
    for host, count, early in (("powernv9", 7, 7), ("powernv8", 5, 10), ("pseries", 3, 7)):
        for seed in (1, 2, 3):
            seen = {kind(run) for run in runs(host, seed, range(early))}
            if len(seen) != count:
                wrong.append(f"{host}, seed {seed}: the first {early} are {sorted(seen)}")
        for shard in range(8):
            mine = runs(host, 1, range(shard, 400, 8))
            if len({kind(run) for run in mine}) != count or \
                    len({(run.cpus, run.order) for run in mine}) != 4:
                wrong.append(f"{host}: shard {shard + 1}/8 is of one kind")
    compared = {run.agree for run in runs("powernv9", 1, range(20), append="quiet xive=off")}
    if compared != {"", "hpt", "xics"}:
        wrong.append(f"with xive=off: {compared}")
    for run in runs("powernv8", 1, range(40), hpt="user", irqchip="user"):
        if (run.hpt, run.irqchip, run.agree) != ("user", "user", ""):
            wrong.append(f"--hpt user --irqchip user: {run.text()}")
    return wrong


def shards():
    """The results of two are merged."""
    wrong = []
    for n in (1, 2):
        part = summary.Summary(f"part {n}")
        part.runs, part.issued, part.guest_seconds = n, 100 * n, 1.0
        part.add_pairs({"H_PROD cpu": {"0": n, "-4": 1}})
        part.add_served({"kvm": [100 * n, 2e6]})
        part.add_finding("guest: N", "guest: 7", f"{n}/finding-1")
        part.save(os.path.join(OUT, f"shard-{n}"))
    result = tool("merge", "--json", os.path.join(OUT, "shard-1"), os.path.join(OUT, "shard-2"))
    total = json.loads(result.stdout)
    if result.returncode != 1 or total["runs"] != 3 or total["pairs"]["H_PROD cpu"] != \
            {"0": 3, "-4": 2} or total["rates"] != {"kvm": 75.0} or total["findings"]["guest: N"]["count"] != 2:
        wrong.append(f"merged: {result.stdout}")
    if tool("merge", "/nonexistent").returncode != 2:
        wrong.append("a shard that is not there is no error")
    with open(os.path.join(OUT, "shard-2", summary.FILE), "w", encoding="utf-8") as f:
        json.dump({**part.asdict(), "served": {"kvm": [10 ** 400, 1]}}, f)
    result = tool("merge", os.path.join(OUT, "shard-2"))
    if result.returncode != 2 or result.stderr.count("\n") != 1:
        wrong.append(f"a number beyond all: {result.stderr}")
    return wrong


def findings_stay():
    """What a session finds is added to what those before it have found."""
    out = os.path.join(OUT, "sessions")
    for n in (1, 2, 3):
        where = finding.new_directory(out)
        finding.save(where, Unused, plan.Run(seed=n), f"guest: {n}", [judge.Outcome()])
        if n == 2:
            shutil.rmtree(os.path.join(out, "finding-1"))
    seen = {name: finding.load(os.path.join(out, name))[1].seed for name in os.listdir(out)}
    return [] if seen == {"finding-2": 2, "finding-3": 3} else [f"there are {seen}"]


class Recorder:
    """In the place of a Machine: what a replay would run."""
    def __init__(self, *_):
        self.programs = {"": b"built now", "-be": b"built now"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def run(self, run):
        return judge.Outcome(titles=[self.programs[run.order].decode()])


def replays():
    """A finding runs its own program, from wherever it is."""
    out = os.path.join(OUT, "replays")
    where = finding.new_directory(out)
    finding.save(where, Unused, plan.Run(seed=1, order="-be"), "big", [judge.Outcome()])
    there, finding.Machine = finding.Machine, Recorder
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            wrong = [] if finding.replay(where, False, False, None) == 0 else ["not its own program"]
    finally:
        finding.Machine = there
    script = read(where, "replay")
    if TOP in script:
        wrong.append(f"the script is for {TOP} only")
    moved = os.path.join(OUT, "moved")
    os.makedirs(os.path.join(moved, "tools"))
    os.symlink(shutil.which("echo"), os.path.join(moved, "tools/hcall-fuzz"))
    for cwd in (moved, "/"):
        # The tree that one is in, or else its own, whose tool says that the file is none.
        with open(os.path.join(where, "finding.json"), "w", encoding="utf-8") as f:
            f.write("{}")
        result = subprocess.run([os.path.join(where, "replay"), "--trace"], capture_output=True,
                                text=True, check=False, cwd=cwd)
        expected = f"replay {where} --trace\n" if cwd == moved else ""
        if result.stdout != expected or result.returncode != (0 if cwd == moved else 2):
            wrong += [f"in {cwd}: exit code {result.returncode}", *said(result)]
    return wrong


class Interrupted(Canned):
    """A Machine that something happens to in the third run."""
    happens = None

    def __init__(self, *_):
        self.runs = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def run(self, run):
        self.runs += 1
        if self.runs == 3:
            Interrupted.happens()
        return judge.Outcome(issued=1)


def main_with(kind_, *args):
    """(exit code, standard output, standard error) of a session with Machines of that kind."""
    there, cli.Machine = cli.Machine, kind_
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            return cli.main(args), out.getvalue(), err.getvalue()
    finally:
        cli.Machine = there


def interrupted():
    """A session that is ended has a summary; nothing is lost for want of a place for it."""
    def fail():
        raise OSError(errno.ENOSPC, "No space left on device", "/x")

    out, wrong = os.path.join(OUT, "interrupted"), []
    options = ("--seed", "2", "--out", out)
    for number in (signal.SIGTERM, signal.SIGINT):
        Interrupted.happens = lambda number=number: os.kill(os.getpid(), number)
        status, printed, err = main_with(Interrupted, *options)
        if status != 128 + number or "\n2 runs  2 calls" not in printed or err:
            wrong.append(f"signal {number}: exit code {status}, {printed!r} {err!r}")
        if json.loads(read(out, summary.FILE))["runs"] != 2:
            wrong.append(f"signal {number}: another summary")
        os.unlink(os.path.join(out, summary.FILE))
    Interrupted.happens = fail
    status, _, err = main_with(Interrupted, *options)
    if status != 125 or err != "hcall-fuzz: /x: No space left on device\n":
        wrong.append(f"no space: exit code {status}, {err!r}")
    for place in ("/dev/null/x", os.path.join(out, "summary.txt")):
        status, printed, err = main_with(Interrupted, "--out", place)
        if status != 2 or printed or not re.fullmatch(r"hcall-fuzz: --out .*\n", err):
            wrong.append(f"{place}: exit code {status}, {err!r}")
    if [name for name in os.listdir(out) if name.endswith(".new")]:
        wrong.append("half a summary is left")
    return wrong


def no_host():
    """Where none boots, the lab fails, and the summary that is there stays."""
    out = os.path.join(OUT, "no-host")
    os.makedirs(out)
    path = os.path.join(out, "summary.json")
    with open(path, "w", encoding="utf-8") as f:
        f.write("mine")
    result = tool("--kernel", "/nowhere/vmlinux", "--out", out)
    with open(path, encoding="utf-8") as f:
        stays = f.read() == "mine" and os.listdir(out) == ["summary.json"]
    return [] if result.returncode == 125 and stays else [f"exit code {result.returncode}",
                                                         f"stays: {stays}", *said(result)]


def unbuilt():
    """Without the programs it is the lab that fails, in one line."""
    there, machine.BUILD = machine.BUILD, os.path.join(OUT, "nothing")
    err = io.StringIO()
    try:
        with contextlib.redirect_stderr(err):
            status = cli.main(["--runs", "1", "--out", os.path.join(OUT, "unbuilt")])
    finally:
        machine.BUILD = there
    return [] if status == 125 and re.fullmatch(r"hcall-fuzz: .*; run: make\n", err.getvalue()) \
        else [f"exit code {status}", err.getvalue()]
