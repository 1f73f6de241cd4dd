# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios: shell scripts that the guest runs. Matrices: files of what to run.

A scenario's first comment says what it does; a line "#: KEY=VALUE..." holds what it wants by
default (cpus, mem, time) and what it needs: needs=selftests, or least=N processors.
"""

import itertools
import os
import re
from dataclasses import dataclass, field

from lab.common import BUILD, TOP

from .settings import BadInput, Setting, check, parse

DIRECTORY = os.path.join(TOP, "tests/stress/scenarios")
LIBRARY = os.path.join(TOP, "tests/stress/lib")
SELFTESTS = os.path.join(BUILD, "stress/selftests")
LONGEST = 64 << 10
DEFAULTS = ("cpus", "mem", "time")


@dataclass
class Scenario:
    name: str
    text: bytes
    about: str
    defaults: dict = field(default_factory=dict)
    least: int = 1              # processors
    selftests: bool = False     # the kernel's programs

    def missing(self):
        """Why it cannot be run here, or None."""
        if self.selftests and not os.path.exists(os.path.join(SELFTESTS, "fork")):
            return f"there is no {os.path.relpath(SELFTESTS, TOP)}; make stress-selftests"
        return None

    def setting(self, *layers):
        """The Setting of a run of it."""
        setting = Setting.of(self.defaults, *layers)
        if setting.cpus < self.least:
            raise BadInput(f"cpus '{setting.cpus}': {self.name} needs {self.least} at least")
        return setting


def names():
    """Of the scenarios that come with this."""
    return sorted(os.listdir(DIRECTORY))


def load(name):
    """The scenario of that name, or of that file; BadInput."""
    path = name if "/" in name else os.path.join(DIRECTORY, name)
    if "/" not in name and name not in names():
        raise BadInput(f"no scenario '{name}'; tools/stress --list shows what there is")
    try:
        with open(path, "rb") as f:
            text = f.read(LONGEST + 1)
    except OSError as e:
        raise BadInput(f"scenario '{name}': {e.strerror}") from None
    if len(text) > LONGEST:
        raise BadInput(f"scenario '{name}': longer than {LONGEST} bytes")
    base = os.path.basename(name)
    if not re.fullmatch(r"[\w.-]{1,40}", base):
        raise BadInput(f"scenario '{name}': its name is not 1 to 40 letters, digits, '.', "
                       "'-' or '_'")
    lines = text.decode(errors="replace").splitlines()
    about = next((line[2:] for line in lines
                  if line.startswith("# ") and "SPDX" not in line), "")
    result = Scenario(base, text, about)
    for number, line in enumerate(lines, 1):
        if line.startswith("#:"):
            try:
                header(result, line[2:].split())
            except BadInput as e:
                raise BadInput(f"scenario '{name}' line {number}: {e}") from None
    return result


def header(scenario, words):
    for word in words:
        key, _, text = word.partition("=")
        if key == "needs" and text == "selftests":
            scenario.selftests = True
        elif key == "least":
            scenario.least = check("cpus", text)
        elif key in DEFAULTS:
            scenario.defaults.update(parse([word]))
        else:
            raise BadInput(f"'{word}' is none of {' '.join(k + '=' for k in DEFAULTS)} "
                           "least=N needs=selftests")


def matrix(path, given):
    """(scenario, setting or why there is none) of each combination in a matrix file.

    A line is scenarios, then KEY=VALUE[,VALUE...] words; # begins a comment. GIVEN wins.
    """
    runs = []
    try:
        with open(path, encoding="utf-8") as f:
            lines = f.read(LONGEST).splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise BadInput(f"matrix '{path}': {getattr(e, 'strerror', 'not text')}") from None
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            runs += combinations(words, given)
        except BadInput as e:
            raise BadInput(f"matrix '{path}' line {number}: {e}") from None
    if not runs:
        raise BadInput(f"matrix '{path}': has no line that names a scenario")
    return runs


def combinations(words, given):
    plain = [w for w in words if "=" not in w]
    if not plain:
        raise BadInput("names no scenario")
    axes = {}
    for word in words:
        if "=" in word:
            key, _, texts = word.partition("=")
            if key in axes:
                raise BadInput(f"{key} is there twice")
            axes[key] = [{key: check(key, text)} for text in texts.split(",")]
    runs = []
    for name in plain:
        scenario = load(name)
        for chosen in itertools.product(*axes.values()):
            try:
                runs.append((scenario, scenario.setting(*chosen, given)))
            except BadInput as e:
                # One of many that does not exist: radix on powernv8, say.
                values = " ".join(str(v) for c in chosen for v in c.values())
                runs.append((scenario, f"{values}: {e}"))
    return runs
