# SPDX-License-Identifier: GPL-2.0-only
"""Findings that need no report: the file `known`."""

import os
import re
from dataclasses import dataclass

KNOWN_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known")


@dataclass
class KnownFault:
    """A line of the file."""
    number: int                 # of the line
    pattern: re.Pattern         # of titles
    words: list                 # that tell where it is: "xive=off", or "!xive=off"
    heading: str                # in docs/FINDINGS.md

    def is_it(self, title, where):
        there = all((word in where) != no for no, word in
                    ((w.startswith("!"), w.lstrip("!")) for w in self.words))
        return there and bool(self.pattern.search(title))


class Known:
    """The findings that need no report: a line each, PATTERN ; WORDS ; HEADING."""

    def __init__(self, path=KNOWN_FILE):
        self.rows = []
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                line = line.split("#", 1)[0].strip()
                if not line:
                    continue
                parts = [part.strip() for part in line.split(";")]
                if len(parts) != 3:
                    raise ValueError(f"{path}:{number}: not PATTERN ; WORDS ; HEADING")
                try:
                    self.rows.append(KnownFault(number, re.compile(parts[0]), parts[1].split(),
                                                parts[2]))
                except re.error as e:
                    raise ValueError(f"{path}:{number}: {e}") from None

    def fault(self, title, where):
        """The row that it is, WHERE being a Machine's words for a run, or None."""
        return next((row for row in self.rows if row.is_it(title, where)), None)
