# SPDX-License-Identifier: GPL-2.0-only
"""What a run is made with: each key with its values, and which of them go together."""

import os
import re
from dataclasses import dataclass, fields

from lab.common import BUILD, MACHINES


class BadInput(Exception):
    """Something the user wrote: one line, with the value and the limit."""


def one_of(*names):
    def check(text):
        if text not in names:
            raise ValueError(f"not one of {' '.join(names)}")
        return text
    return check


def number(least, most):
    def check(text):
        if not re.fullmatch(r"\d{1,20}", text) or not least <= int(text) <= most:
            raise ValueError(f"not a number from {least} to {most}")
        return int(text)
    return check


def size(text):
    found = re.fullmatch(r"(\d{1,6})([MG])", text)
    mib = int(found.group(1)) * (1024 if found.group(2) == "G" else 1) if found else 0
    if not 256 <= mib <= 65536:
        raise ValueError("not a size from 256M to 64G")
    return f"{mib}M"


def find_kernel(text):
    """A kernel's file, from a name in build/kernels or a path."""
    if "/" in text:
        return os.path.abspath(text)
    if text == "6.1":
        return os.path.join(BUILD, "guest/vmlinux")
    return os.path.join(BUILD, "kernels", text, "vmlinux")


def kernel(text):
    if not os.path.isfile(find_kernel(text)):
        raise ValueError("neither in build/kernels nor a file")
    return text


def host(text):
    machine, _, of_host = text.partition("/")
    if machine not in MACHINES:
        raise ValueError(f"not one of {' '.join(MACHINES)}, with /KERNEL if need be")
    if of_host:
        kernel(of_host)
    return text


# Key: its check, and what it is, for --help
KEYS = {
    "host": (host, "HOST[/KERNEL]: the emulated host, and its kernel; default powernv9"),
    "monitor": (one_of("paprika", "qemu"), "paprika or qemu (tools/setup qemu); default paprika"),
    "mmu": (one_of("radix", "hpt"), "radix or hpt; default radix where the host has it"),
    "hpt": (one_of("kernel", "user"), "who serves page table calls; default kernel"),
    "irqchip": (one_of("user", "kernel"), "whose interrupt controller; default user"),
    "cpus": (number(1, 256), "processors of the guest; default the scenario's"),
    "kernel": (kernel, "the guest's: a name in build/kernels or a path; default 6.1"),
    "mem": (size, "memory of the guest; default the scenario's, or 512M"),
    "time": (number(1, 86400), "seconds; default 10"),
    "seed": (number(0, 2**64 - 1), "of what is random; default 1"),
}


def check(key, text, name=""):
    """TEXT as a value of KEY, or BadInput. NAME is what it goes by, if not that."""
    if key not in KEYS:
        raise BadInput(f"no setting '{key}'; there are {' '.join(KEYS)}")
    try:
        return KEYS[key][0](text)
    except ValueError as e:
        raise BadInput(f"{name or key} '{text}': {e}") from None


def parse(words):
    """A dictionary from KEY=VALUE words."""
    values = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise BadInput(f"'{word}' is not KEY=VALUE")
        if key in values:
            raise BadInput(f"{key} is there twice: '{values[key]}' and '{text}'")
        values[key] = check(key, text)
    return values


@dataclass(frozen=True)
class Setting:
    """One run's. Where MMU is empty, it is radix if the host has that."""
    host: str = "powernv9"
    monitor: str = "paprika"
    mmu: str = ""
    hpt: str = "kernel"
    irqchip: str = "user"
    cpus: int = 2
    kernel: str = "6.1"
    mem: str = "512M"
    time: int = 10
    seed: int = 1

    @classmethod
    def of(cls, *layers):
        """From dictionaries, of which later ones win; BadInput if it cannot be."""
        values = {k: v for layer in layers for k, v in layer.items()}
        machine = values.get("host", cls.host).partition("/")[0]
        values.setdefault("mmu", "hpt" if machine == "powernv8" else "radix")
        setting = cls(**values)
        why = setting.impossible()
        if why:
            raise BadInput(why)
        return setting

    def impossible(self):
        """Why there can be no such run, or None."""
        machine = self.host.partition("/")[0]
        if machine == "powernv8" and self.mmu == "radix":
            return "mmu 'radix': powernv8 has hpt only"
        if machine == "pseries" and self.mmu == "hpt":
            return "mmu 'hpt': nested guests, of the host pseries, have radix only"
        if self.hpt == "user" and self.mmu != "hpt":
            return f"hpt 'user': needs mmu hpt, not {self.mmu}"
        if self.hpt == "user" and self.monitor != "paprika":
            return f"hpt 'user': only paprika does that, not {self.monitor}"
        return None

    def __str__(self):
        """What differs from run to run, short."""
        words = [self.mmu]
        words += ["hpt-user"] if self.hpt == "user" else []
        words += ["kernel-xics"] if self.irqchip == "kernel" else []
        words += [f"{self.cpus} CPU{'s' * (self.cpus > 1)}"]
        words += [f"Linux {self.kernel}"] if self.kernel != "6.1" else []
        words += ["QEMU"] if self.monitor == "qemu" else []
        return " ".join(words)

    def row(self):
        return {f.name: getattr(self, f.name) for f in fields(self)}
