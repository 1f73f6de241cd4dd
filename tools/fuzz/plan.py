# SPDX-License-Identifier: GPL-2.0-only
"""What a run is: a seed, and the ways that a guest can be set up, by the run's number."""

import hashlib
import os
import re
from dataclasses import asdict, dataclass, replace

from lab.common import TOP

# What the guest draws calls from, and how their names stand there.
TABLES = (("hcall/hcalls.def", r"^HCALL\(\w+, (\w+),"), ("hcall/rtas.def", r'^RTAS\("([^"]+)",'))
FAMILIES = ("other", "hpt", "xics", "cpu", "memory", "term", "mmu", "rtas", "unknown")
# What guests each host can have; the first is what "all" begins with.
MMUS = {"powernv8": ("hpt",), "powernv9": ("radix", "hpt"), "powernv10": ("radix", "hpt"),
        "pseries": ("radix",)}
MODES = tuple((host, mmu) for host, mmus in MMUS.items() for mmu in mmus)
# Kinds of runs come in rounds of so many at least, each as often, but for comparisons.
ROUND = 6
# Where KVM's XICS is the one of book3s_xics.c, which answers as the monitor's does; with xive=off
# also elsewhere, given a kernel that serves its calls there (docs/FINDINGS.md)
PLAIN_XICS = ("powernv8", "pseries")
MEMORY = "64M"
# A run's number and its seed
SEED_STEP = 1000003


@dataclass
class Run:
    """All that a guest's run depends on, as a finding's file has it."""
    seed: int
    calls: int = 2000
    cpus: int = 1
    mmu: str = "radix"
    hpt: str = "kernel"
    irqchip: str = "user"
    order: str = ""             # of the program's bytes: "", or "-be"
    only: str = ""
    without: str = ""
    agree: str = ""             # "hpt" or "xics": run by kernel and user, and compare
    with_known: bool = False
    keep: str = ""              # calls to make, as "3-9,17"; all if empty
    trace: bool = False
    slow: int = 0               # ms before each call, with TRACE
    plant: int = -1             # the call with which the guest itself does harm; none

    def words(self):
        """The guest's command line."""
        words = [f"seed={self.seed}", f"calls={self.calls}"]
        only = self.agree or self.only
        words += [f"only={only}"] if only else []
        words += [f"without={self.without}"] if self.without else []
        words += [f"keep={self.keep}"] if self.keep else []
        words += [f"plant={self.plant}"] if self.plant >= 0 else []
        words += ["trace", f"slow={self.slow}"] if self.trace else []
        words += ["agree"] if self.agree else []
        # Both sides of a comparison draw the same.
        words += ["kernel-xics"] if self.irqchip == "kernel" or self.agree == "xics" else []
        words += ["known"] if self.with_known else []
        return " ".join(words)

    def command(self, name, programs):
        """The monitor's command line, for a guest NAME, programs being in the directory."""
        # An LSI that falls while it waits comes once more from KVM.
        ttys = {"hpt": [], "xics": ["--tty", "loop"] * 2}.get(
            self.agree, ["--tty", "loop", "--tty", "loop-lsi"])
        check = ["--hpt-check"] if self.hpt == "user" else []
        hpt = ["--hpt", self.hpt, *check] if self.mmu == "hpt" else []
        return ["paprika", "run", "-n", name, "-k", f"{programs}/hcall-fuzz{self.order}.elf",
                "-m", MEMORY, "-c", str(self.cpus), "--no-reboot", "--mmu", self.mmu, *hpt,
                "--irqchip", self.irqchip, *ttys, "-p", self.words()]

    def sides(self):
        """The runs that this one is made of: itself, or the two that must agree."""
        if not self.agree:
            return [self]
        which = {"hpt": "hpt", "xics": "irqchip"}[self.agree]
        return [replace(self, **{which: side}) for side in ("kernel", "user")]

    def text(self):
        """A line for people."""
        what = f"seed {self.seed}, {self.cpus} CPU{'s' * (self.cpus > 1)}, {self.mmu}"
        what += f", hpt {self.hpt}" if self.mmu == "hpt" and self.agree != "hpt" else ""
        what += f", irqchip {self.irqchip}" if self.agree != "xics" else ""
        what += ", big-endian" if self.order else ""
        return what + (f", {self.agree} of kernel and user" if self.agree else "")

    asdict = asdict


def call_names():
    """Of all that can be drawn."""
    names = {"unknown"}
    for path, pattern in TABLES:
        with open(os.path.join(TOP, path), encoding="utf-8") as f:
            names.update(re.findall(pattern, f.read(), re.M))
    return names


def choices(value, all_of_them):
    return all_of_them if value == "all" else (value,)


def draw(*what):
    """A number that looks like chance, the same each time for the same WHAT."""
    text = " ".join(str(word) for word in what)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def comparable(args):
    """What both KVM and the monitor serve, in the guests that ARGS ask for."""
    if args.hpt == "all" and args.mmu != "radix" and "hpt" in MMUS[args.host]:
        yield "hpt"
    if args.irqchip == "all" and (args.host in PLAIN_XICS or "xive=off" in args.append.split()):
        yield "xics"


def kinds(args):
    """A round of what runs can differ in: (mmu, hpt, irqchip, agree)."""
    sides = ("kernel", "user")
    plain = [(mmu, hpt, irqchip, "") for mmu in choices(args.mmu, MMUS[args.host])
             for hpt in (choices(args.hpt, sides) if mmu == "hpt" else ("kernel",))
             for irqchip in choices(args.irqchip, sides)]
    agree = [what for what in comparable(args) if args.only in (None, what)]
    return plain * -(-ROUND // len(plain)) + [("", "kernel", "", what) for what in agree]


def kind_of(number, args):
    """Each kind comes once a round; in which order goes by the seed."""
    deck = kinds(args)
    turn, at = divmod(number, len(deck))
    order = sorted(range(len(deck)), key=lambda n: draw(args.seed, "kind", turn, n))
    mmu, hpt, irqchip, agree = deck[order[at]]

    def chance(what, these):
        return these[draw(args.seed, what, number) % len(these)]

    if agree:
        mmu = "hpt" if agree == "hpt" else chance("mmu", choices(args.mmu, MMUS[args.host]))
        irqchip = chance("irqchip", choices(args.irqchip, ("kernel", "user")))
        hpt = chance("hpt", choices(args.hpt, ("kernel", "user"))) if mmu == "hpt" else hpt
    return {"mmu": mmu, "hpt": hpt, "irqchip": irqchip, "agree": agree,
            "only": "" if agree else args.only or "", "order": chance("order", ("", "-be")),
            "cpus": 1 if agree else chance("cpus", (args.cpus, 1))}


def run_number(number, args):
    """The run NUMBER of those that ARGS ask for. It depends on no other, nor on the shard."""
    return Run(seed=args.seed + number * SEED_STEP, calls=args.calls, plant=args.plant,
               without=args.without or "", with_known=args.with_known, **kind_of(number, args))
