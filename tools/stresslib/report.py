# SPDX-License-Identifier: GPL-2.0-only
"""What came of the runs, as JSON and CSV, and ratios of two sides."""

import csv
import errno
import json
import os
import statistics

COLUMNS = ("scenario", "side", "round", "host", "monitor", "mmu", "hpt", "irqchip", "cpus",
           "kernel", "mem", "time", "seed", "ok", "seconds", "rate", "count", "unit", "ms",
           "mismatches", "per_second")


def try_to_write(path):
    """OSError where write() would not do."""
    if os.path.isdir(path):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    try:
        write(path + ".try", lambda f: None)
        os.unlink(path + ".try")
    except OSError as e:
        raise OSError(e.errno, e.strerror, path) from None


def write(path, fill):
    """FILL a file that appears whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8", newline="") as f:
        fill(f)
    os.replace(path + ".new", path)


def as_row(outcome):
    return {"scenario": outcome.scenario, "side": outcome.side, "round": outcome.round,
            **outcome.setting.row(), "ok": not outcome.wrong, "seconds": round(outcome.seconds, 1)}


def rates(outcome):
    for name, count, unit, ms, bad in outcome.rates:
        yield {"rate": name, "count": count, "unit": unit, "ms": ms, "mismatches": bad,
               "per_second": round(outcome.rate(name), 3)}


def write_csv(path, outcomes):
    """A line a rate; one without where a run printed none."""
    def fill(f):
        table = csv.DictWriter(f, COLUMNS, restval="", lineterminator="\n")
        table.writeheader()
        for outcome in outcomes:
            for rate in list(rates(outcome)) or [{}]:
                table.writerow({**as_row(outcome), **rate})
    write(path, fill)


def write_json(path, about, outcomes, ratios):
    def fill(f):
        runs = [{**as_row(o), "wrong": o.wrong, "rates": list(rates(o))} for o in outcomes]
        json.dump({"about": about, "runs": runs, "ratios": ratios}, f, indent=1)
        f.write("\n")
    write(path, fill)


def compare(outcomes, sides):
    """Ratios of the second side's rates to the first's, each of two runs side by side."""
    table = {}
    for outcome in outcomes:
        for name, *_ in outcome.rates:
            # A setting that both sides have names the line.
            key = (outcome.scenario, outcome.group, name)
            table.setdefault(key, {}).setdefault(outcome.round, {})[outcome.side] = outcome
    ratios = []
    for (scenario, group, name), rounds in table.items():
        pairs = [(r[sides[0]].rate(name), r[sides[1]].rate(name)) for r in rounds.values()
                 if len(r) == 2 and not any(o.wrong for o in r.values())]
        values = sorted(b / a for a, b in pairs if a)
        if not values:
            continue
        ratios.append({
            "scenario": scenario, "setting": group, "rate": name, "of": sides[1], "to": sides[0],
            **{f"per_second_{side}": round(statistics.median(p[i] for p in pairs), 3)
               for i, side in enumerate(("to", "of"))},
            "ratio": round(statistics.median(values), 4), "least": round(values[0], 4),
            "most": round(values[-1], 4), "rounds": len(values)})
    return ratios


def show(ratio):
    """A line to read."""
    return ("{scenario} {setting}: {rate}: {of} is {ratio:.3f} of {to} ({least:.3f} to {most:.3f} in "
            "{rounds} rounds; {per_second_of} and {per_second_to} a second)".format(**ratio))
