# SPDX-License-Identifier: GPL-2.0-only
"""The command line of tools/hcall-fuzz."""

import argparse
import json
import os
import random
import re
import sys
import tempfile

import lab
from lab.common import LAB_FAILED, MACHINES

from . import finding, plan, summary
from .machine import Machine
from .session import Ended, Fuzzing, signals_end

CALLS_MAX, CPUS_MAX, SEED_MAX = 10 ** 9, 8, 2 ** 40

HELP = """\
Make hypercalls and RTAS calls, drawn from a seed, in guests on an emulated POWER host, and
look at registers, memory, monitor and host after them. docs/FUZZING.md tells more.

    hcall-fuzz [options]              fuzz
    hcall-fuzz replay DIR [--kernel K] [--icount] [--trace]
                                      run a finding again; 0 if it is there
    hcall-fuzz merge [--json] DIR...  the results of shards as one
"""

STATUS = ("exit status: 0 nothing new was found; 1 something was; 2 usage; 125 the lab failed; "
          "128+N by signal N")


def number(low, high):
    def check(text):
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{value} is not from {low} to {high}")
        return value
    return check


def shard(text):
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not found or not 1 <= int(found.group(1)) <= int(found.group(2)):
        raise argparse.ArgumentTypeError(f"'{text}' is not I/N, with I from 1 to N")
    return int(found.group(1)), int(found.group(2))


def calls(text):
    there = plan.call_names()
    for name in text.split("+"):
        if name not in there:
            raise argparse.ArgumentTypeError(f"no call '{name}' in hcall/hcalls.def, rtas.def")
    return text


def parse(argv):
    parser = argparse.ArgumentParser(
        prog="hcall-fuzz", description=HELP, epilog=STATUS, usage="%(prog)s [options]",
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = parser.add_argument
    add("--seed", type=number(0, SEED_MAX), metavar="N",
        help="of the first run; another one each time, and told")
    add("--calls", type=number(1, CALLS_MAX), default=2000, metavar="N",
        help="of each processor of a run; 2000")
    add("--cpus", type=number(1, CPUS_MAX), default=2, metavar="N",
        help="processors of every other guest, the rest having one; 2")
    add("--time", type=number(1, 10 ** 8), default=120, metavar="SECONDS",
        help="for all runs; 120")
    add("--runs", type=number(1, 10 ** 9), metavar="N", help="end after so many")
    add("--host", default="powernv9", choices=MACHINES, metavar="HOST",
        help=f"{' '.join(MACHINES)}; powernv9")
    add("--kernel", default="6.1", metavar="K", help="the host's: as for tools/box -k; 6.1")
    add("--append", default="", metavar="ARGS", help="more on the host's kernel command line")
    add("--host-cpus", type=number(1, 64), metavar="N",
        help="the host's; 2, with --icount 1 and no more")
    add("--mmu", default="all", choices=("hpt", "radix", "all"), help="of guests; all, in turns")
    add("--hpt", default="all", choices=("kernel", "user", "all"),
        help="who serves page table calls; all, in turns")
    add("--irqchip", default="all", choices=("kernel", "user", "all"),
        help="who serves interrupts; all, in turns")
    add("--only", choices=plan.FAMILIES, metavar="FAMILY",
        help="of calls: " + " ".join(plan.FAMILIES))
    add("--without", type=calls, metavar="CALL+CALL", help="leave these out")
    add("--with-known", action="store_true",
        help="draw what known findings keep from being drawn, and report those again")
    add("--shard", type=shard, default=(1, 1), metavar="I/N", help="every Nth run, from the Ith")
    add("--minimise", type=number(0, 10 ** 6), default=120, metavar="SECONDS",
        help="spent on making a finding smaller; 120")
    add("--icount", action="store_true", help="a host whose runs repeat exactly, of one CPU")
    add("--stop", action="store_true", help="end at the first finding")
    add("--out", default="build/hcall-fuzz", metavar="DIR",
        help="where results go; build/hcall-fuzz")
    add("--plant", type=number(0, CALLS_MAX), default=-1, metavar="I",
        help="have the guest do harm with its call I: a test of all this")
    add("--json", action="store_true", help="the summary as JSON on standard output")
    args = parser.parse_args(argv)
    wrong = nonsense(args)
    if wrong:
        parser.error(wrong)
    args.host_cpus = args.host_cpus or (1 if args.icount else 2)
    if args.seed is None:
        args.seed = random.SystemRandom().randrange(SEED_MAX)
    return args


def nonsense(args):
    """What of ARGS does not go together, "" if all does."""
    mmus = plan.MMUS[args.host]
    if args.mmu not in ("all", *mmus):
        return f"--mmu {args.mmu}: guests on {args.host} have {' and '.join(mmus)}"
    if args.hpt != "all" and "hpt" not in ((args.mmu,) if args.mmu != "all" else mmus):
        where = f"--mmu {args.mmu}" if args.mmu != "all" else f"--host {args.host}"
        return f"--hpt {args.hpt}: with {where} no guest has a hashed page table"
    if args.icount and args.host_cpus not in (None, 1):
        return f"--host-cpus {args.host_cpus}: a host with --icount has one CPU"
    return ""


def check_out(directory):
    """Not after hours: can results be written there?"""
    try:
        os.makedirs(directory, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as e:
        raise ValueError(f"--out {directory}: {e.strerror}") from None


def fuzz(argv):
    args, status = parse(argv), 0
    check_out(args.out)
    with Machine(args.host, args.kernel, args.append, args.host_cpus, args.icount) as machine:
        session = Fuzzing(args, machine)
        try:
            with signals_end():
                session.all()
        except Ended as e:
            status = 128 + e.number
        finally:
            # Without a host there is nothing new, and a summary that is there stays.
            if machine.boots:
                session.save()
        result = session.summary
        print(json.dumps(result.asdict(), indent=1) if args.json else result.text(), end="",
              flush=True)
    return status or (1 if result.findings else 0)


def merge(argv):
    parser = argparse.ArgumentParser(prog="hcall-fuzz merge")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("dirs", nargs="+", metavar="DIR")
    args = parser.parse_args(argv)
    total = summary.merge(args.dirs)
    print(json.dumps(total.asdict(), indent=1) if args.json else total.text(), end="")
    return 1 if total.findings else 0


def replay(argv):
    parser = argparse.ArgumentParser(prog="hcall-fuzz replay")
    parser.add_argument("dir", metavar="DIR")
    parser.add_argument("--kernel", metavar="K", help="the host's, in place of what it was found on")
    parser.add_argument("--icount", action="store_true", help="on a host that repeats exactly")
    parser.add_argument("--trace", action="store_true", help="tell each call")
    args = parser.parse_args(argv)
    return finding.replay(args.dir, args.icount, args.trace, args.kernel)


def main(argv):
    verbs = {"replay": replay, "merge": merge}
    try:
        if argv[:1] and argv[0] in verbs:
            return verbs[argv[0]](argv[1:])
        return fuzz(argv)
    except ValueError as e:
        print(f"hcall-fuzz: {e}", file=sys.stderr)
        return 2
    except lab.LabError as e:
        for line in e.detail:
            print(f"  {line}", file=sys.stderr)
        print(f"hcall-fuzz: {e}", file=sys.stderr)
        return LAB_FAILED
    except OSError as e:
        where = f"{e.filename}: " if e.filename else ""
        print(f"hcall-fuzz: {where}{e.strerror}", file=sys.stderr)
        return LAB_FAILED
    except KeyboardInterrupt:
        return 130
