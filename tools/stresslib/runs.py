# SPDX-License-Identifier: GPL-2.0-only
"""Runs one after another, each on its host, which stays up from run to run."""

import os
import time

import lab
import suite

from . import guest
from .guest import Outcome


class Hosts:
    """Emulated hosts by name, booted when first asked for."""

    def __init__(self, open_host=lab.open_host, **options):
        self.open, self.options = open_host, options
        self.up, self.more = {}, {}     # MORE: what QEMU needs there

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in list(self.up):
            self.end(name)

    def get(self, name):
        if name not in self.up:
            machine, _, kernel = name.partition("/")
            self.up[name] = self.open(machine=machine, kernel=kernel or "6.1", **self.options)
            host = self.up[name]
            print(f"# {name}: Linux {host.release}, up after {host.boot_seconds:.1f} s", flush=True)
        return self.up[name]

    def end(self, name):
        host = self.up.pop(name, None)
        if host:
            host.close()


def run(hosts, scenario, setting, image):
    """One run. LabError if the host died."""
    host = hosts.get(setting.host)
    before, faults = guest.leftovers(host), len(host.faults())
    seconds = guest.limit(setting)
    scratch = f"/tmp/stress-{os.getpid()}"
    began = time.monotonic()
    for _ in range(2):
        line = guest.command(scenario, setting, image, hosts.more.get(setting.host, ""))
        case = suite.Case("", guest.watched(line, seconds), timeout=seconds + 60)
        result = suite.execute(host, case, scratch)
        # QEMU says so at once where KVM lacks it for this host's processors, then is asked again.
        if (setting.monitor != "qemu" or guest.NO_AIL.encode() not in result.err or
                setting.host in hosts.more):
            break
        hosts.more[setting.host] = "," + guest.NO_AIL
    outcome = Outcome(scenario.name, setting, time.monotonic() - began)
    outcome.wrong, outcome.rates = guest.judge(setting, result, case.timeout)
    left = guest.leftovers(host, scratch) - before
    if left:
        outcome.wrong.append(f"left behind: {', '.join(sorted(left))}")
        host.run(["sh", "-c", "kill -9 $(pidof paprika)"])
    outcome.wrong += [f"the host's kernel: {line}" for line in host.faults()[faults:]]
    return outcome


def attempt(hosts, scenario, setting, image):
    """The same, and a host that died is an outcome, too."""
    began = time.monotonic()
    try:
        return run(hosts, scenario, setting, image)
    except lab.LabError as e:
        hosts.end(setting.host)
        return Outcome(scenario.name, setting, time.monotonic() - began,
                       [f"the host failed: {e}", *e.detail])


def report(outcome, label, counts):
    """The lines of a run: a case, and its rates."""
    if outcome.wrong:
        counts.not_ok(label, outcome.wrong)
    else:
        counts.ok(label, outcome.seconds)
    for name, count, unit, ms, _ in outcome.rates:
        print(f"# {name} {outcome.rate(name):.1f} {unit} a second ({count} in {ms} ms)", flush=True)
