# SPDX-License-Identifier: GPL-2.0-only
"""The command line of tools/stress."""

import argparse
import contextlib
import dataclasses
import os
import signal
import sys
import time

import lab
import suite
from lab.common import BUILD, TOP

from . import guest, report, runs
from .scenario import load, matrix, names
from .settings import KEYS, BadInput, check, find_kernel, number, parse

HELP = """\
Run scenarios in Linux guests on emulated POWER hosts (on this host if it is one).

A scenario passes when its guest found no mismatch and nothing stood still, neither kernel
reported a fault, the guest powered off, and nothing is left on the host.
"""

USAGE = """\
stress [options] SCENARIO...
       stress [options] --matrix FILE
       stress [options] --compare A=KEY=VALUE[,...] B=KEY=VALUE[,...] SCENARIO...
       stress --list"""

STATUS = """\
A SCENARIO is a name of --list, or a path to a file of yours (with a / in it). Exit status: 0 all
passed; 1 not all; 2 usage; 125 no guest image, or a file that cannot be written, which is tried
first. After SIGINT or SIGTERM (130, 143) the files have the runs until then.
"""

ROUNDS_MOST = 1000
TOTAL_MOST = 10000000
SHORT = {"cpus": ("-c",), "kernel": ("-k",), "time": ("-t",), "mem": ("-m",)}


class Parser(argparse.ArgumentParser):
    """Its errors are one line."""

    def error(self, message):
        raise BadInput(message)


def parse_options(argv):
    parser = Parser(prog="stress", usage=USAGE, description=HELP, epilog=STATUS,
                    formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = parser.add_argument
    for key, (_, about) in KEYS.items():
        add(*SHORT.get(key, ()), f"--{key}", metavar=key.upper(), help=about)
    add("--host-cpus", default="2", metavar="N", help="of the emulated host; default 2")
    add("--host-mem", default="4G", metavar="SIZE", help="of the emulated host; default 4G")
    add("--total", metavar="SECONDS", help="share so many out among all runs, in place of --time")
    add("--matrix", metavar="FILE", help="run each combination of its lines (docs/STRESS.md)")
    add("--compare", nargs=2, metavar=("A=...", "B=..."),
        help="each scenario with both settings, in turn; ratios of B to A")
    add("--rounds", metavar="N", help="turns of --compare; default 3")
    add("--json", metavar="FILE", help="write all to FILE")
    add("--csv", metavar="FILE", help="write a line a rate to FILE")
    add("--list", action="store_true", help="what scenarios there are")
    add("--dry-run", action="store_true", help="only say what would run")
    add("-v", "--verbose", action="store_true", help="show the emulated hosts' consoles")
    add("scenarios", nargs="*", metavar="SCENARIO", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def side(word):
    """(name, values) of a word of --compare."""
    name, equals, rest = word.partition("=")
    if not equals or not name or "=" not in rest:
        raise BadInput(f"--compare '{word}': not NAME=KEY=VALUE[,KEY=VALUE...]")
    return name, parse(rest.split(","))


def plan(args):
    """[(scenario, setting or why there is none, side, round, group)] of what is asked for."""
    todo = wanted(args)
    if args.total is None:
        return todo
    if args.time is not None:
        raise BadInput("--total and --time exclude each other")
    total = check_count("--total", args.total, TOTAL_MOST)
    each = max(1, total // max(1, sum(not isinstance(run[1], str) for run in todo)))
    return [(s, x if isinstance(x, str) else dataclasses.replace(x, time=each), *rest)
            for s, x, *rest in todo]


def wanted(args):
    """The same with each run's own time."""
    given = {key: check(key, getattr(args, key)) for key in KEYS if getattr(args, key) is not None}
    sides = [side(word) for word in args.compare or ()]
    if bool(args.matrix) + bool(args.scenarios) != 1:
        raise BadInput("name scenarios (--list) or a --matrix, and not both")
    if args.rounds is not None and not args.compare:
        raise BadInput("--rounds goes with --compare")
    rounds = check_count("--rounds", args.rounds or "3", ROUNDS_MOST)
    if not args.compare:
        found = matrix(args.matrix, given) if args.matrix else [
            (s, s.setting(given)) for s in map(load, args.scenarios)]
        return [(s, setting, "", 0, "") for s, setting in found]

    if sides[0][0] == sides[1][0]:
        raise BadInput(f"--compare: both sides are called '{sides[0][0]}'")
    each = [matrix(args.matrix, {**given, **values}) if args.matrix else
            [(s, s.setting(given, values)) for s in map(load, args.scenarios)]
            for _, values in sides]
    todo = []
    for pair in zip(*each):
        # What names the pair is the first side's setting.
        first = pair[0][1]
        group = first if isinstance(first, str) else f"{first.host} {first}"
        for turn in range(rounds):
            for (name, _), (scenario, setting) in zip(sides, pair):
                todo.append((scenario, setting, name, turn, group))
    return todo


def check_count(option, text, most):
    try:
        return number(1, most)(text)
    except ValueError as e:
        raise BadInput(f"{option} '{text}': {e}") from None


def label_of(scenario, setting, name, turn):
    label = f"stress/{setting.host}: {scenario.name} {setting}"
    return f"{label} ({name}, round {turn + 1})" if name else label


def kernels(todo):
    """Directories of guests' kernels that are the user's own: hosts must see them."""
    return sorted({os.path.dirname(find_kernel(s.kernel)) for _, s, *_ in todo
                   if not isinstance(s, str) and "/" in s.kernel})


def execute(todo, hosts, image, counts, outcomes):
    """Run it all; OUTCOMES grows."""
    runnable = sum(not isinstance(setting, str) and not scenario.missing()
                   for scenario, setting, *_ in todo)
    for scenario, setting, name, turn, group in todo:
        if isinstance(setting, str):
            counts.skip(f"stress: {scenario.name}", setting)
            continue
        label = label_of(scenario, setting, name, turn)
        why = scenario.missing()
        if why:
            counts.skip(label, why)
            continue
        began = time.monotonic()
        print(f"# {len(outcomes) + 1} of {runnable}: {label}, "
              f"{guest.limit(setting)} s at most", flush=True)
        try:
            outcome = runs.attempt(hosts, scenario, setting, image)
        except BaseException:
            print(f"# ended after {time.monotonic() - began:.0f} s of {label}", flush=True)
            raise
        outcome.side, outcome.round, outcome.group = name, turn, group
        runs.report(outcome, label, counts)
        outcomes.append(outcome)


def end(number, _):
    """As KeyboardInterrupt does: hosts are closed, and what was done is written."""
    raise SystemExit(128 + number)


def save(args, about, outcomes):
    """Print ratios, and write the files that are wanted."""
    # Asked again to end, it finishes this.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sides = [side(word)[0] for word in args.compare or ()]
    ratios = report.compare(outcomes, sides) if sides else []
    for ratio in ratios:
        print(f"# {report.show(ratio)}")
    about["load"].append(os.getloadavg()[0])
    if args.json:
        report.write_json(args.json, about, outcomes, ratios)
    if args.csv:
        report.write_csv(args.csv, outcomes)


def dry_run(todo):
    for scenario, setting, name, turn, _ in todo:
        print(f"skip - stress: {scenario.name}: {setting}" if isinstance(setting, str)
              else label_of(scenario, setting, name, turn))


def work(args):
    todo = plan(args)
    cpus = check_count("--host-cpus", args.host_cpus, 64)
    check("mem", args.host_mem, "--host-mem")
    scenarios = {}
    for scenario, *_ in todo:
        if scenarios.setdefault(scenario.name, scenario).text != scenario.text:
            raise BadInput(f"two scenarios are called '{scenario.name}'")
    if args.dry_run:
        dry_run(todo)
        return 0
    for path in filter(None, (args.json, args.csv)):
        report.try_to_write(path)
    if not os.path.exists(guest.INITRD):
        print(f"stress: no {os.path.relpath(guest.INITRD, TOP)}; run: make guest-linux",
              file=sys.stderr)
        return lab.common.LAB_FAILED

    counts, outcomes = suite.Counts(), []
    image = os.path.join(BUILD, f"stress/initrd-{os.getpid()}.gz")
    about = {"began": round(time.time()), "host_cpus": cpus, "host_mem": args.host_mem,
             "cpus": os.cpu_count(), "load": [os.getloadavg()[0]]}
    guest.make_image(image, scenarios.values())
    signal.signal(signal.SIGTERM, end)
    try:
        with runs.Hosts(cpus=cpus, mem=args.host_mem, verbose=args.verbose,
                        shares=kernels(todo)) as hosts:
            execute(todo, hosts, image, counts, outcomes)
    finally:
        # What was done before a Ctrl-C was done, too.
        save(args, about, outcomes)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(image)
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return 1 if counts.failed or not counts.passed else 0


def main(argv):
    try:
        args = parse_options(argv)
        if args.list:
            for name in names():
                print(f"{name:14} {load(name).about}")
            return 0
        return work(args)
    except BadInput as e:
        print(f"stress: {e}", file=sys.stderr)
        return 2
    except OSError as e:
        print(f"stress: {e.filename or ''}: {e.strerror}", file=sys.stderr)
        return lab.common.LAB_FAILED
    except KeyboardInterrupt:
        return 130
