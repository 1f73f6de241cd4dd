# SPDX-License-Identifier: GPL-2.0-only
"""What the cases of the hypercall fuzzer share."""

import argparse
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "tests/guest"), os.path.join(TOP, "tools")]

from fuzz import judge, plan  # noqa: E402

TOOL = os.path.join(TOP, "tools/hcall-fuzz")
OUT = os.path.join(TOP, "build/hcall-fuzz-test")


def tool(*args, timeout=600):
    return subprocess.run([TOOL, *args], capture_output=True, text=True, timeout=timeout,
                          stdin=subprocess.DEVNULL, check=False)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def said(result):
    return (result.stdout + result.stderr).splitlines()[-12:]


def runs(host, seed, numbers, **more):
    """What these runs would be."""
    options = {"host": host, "seed": seed, "calls": 10, "cpus": 2, "only": None, "without": "",
               "mmu": "all", "hpt": "all", "irqchip": "all", "with_known": False, "plant": -1,
               "append": ""}
    return [plan.run_number(n, argparse.Namespace(**{**options, **more})) for n in numbers]


def kind(run):
    return "agree" if run.agree else f"{run.mmu} {run.hpt} {run.irqchip}"


class Unused:
    """As a Machine, for findings that are not run."""
    options = {"machine": "powernv9", "kernel": "6.1", "append": "", "cpus": 2, "icount": False}
    programs = {"": b"little", "-be": b"big"}


class Canned(Unused):
    """A Machine whose guests end with these titles."""
    boots, titles = 1, ()

    def where(self, run):
        return f"powernv9 6.12 6.12.95 xive=off mmu=hpt hpt=user irqchip={run.irqchip}"

    def run(self, run):
        del run
        return judge.Outcome(titles=list(self.titles))
