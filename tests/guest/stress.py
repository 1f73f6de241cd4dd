# SPDX-License-Identifier: GPL-2.0-only
"""The short form of make stress: a few seconds of a few scenarios."""

from linux import INITRD, KERNELS
from stresslib import guest, scenario
from stresslib.settings import Setting
from suite import FILES, Case

IMAGE = f"{FILES}/stress.gz"
# Host, scenario, its setting
RUNS = (
    ("powernv9", "mixed", {"mmu": "hpt", "cpus": 4, "time": 3}),
    ("powernv9", "hotplug", {"mmu": "radix", "cpus": 4, "time": 3}),
    ("powernv10", "ipi", {"mmu": "radix", "cpus": 4, "time": 4}),
    ("powernv8", "kernel-fork", {"mmu": "hpt", "cpus": 4, "mem": "512M", "time": 3}),
)


def stress_case(host, name, values):
    found = scenario.load(name)
    setting = found.setting({"host": host, **values})

    def check(result):
        wrong, _ = guest.judge(setting, result, guest.limit(setting))
        return "; ".join(wrong) if wrong else None

    return Case(f"stress {name} for {setting.time} s, {setting}",
                guest.command(found, setting, IMAGE), (host,), err="", trouble=guest.TROUBLE,
                check=check, timeout=guest.limit(setting), needs=(KERNELS["6.1"], INITRD),
                skip=lambda _: found.missing())


def make():
    """The image for the cases that can run."""
    found = [scenario.load(name) for name in sorted({name for _, name, _ in RUNS})]
    guest.make_image(IMAGE, [one for one in found if not one.missing()])


CASES = tuple(stress_case(*run) for run in RUNS)
