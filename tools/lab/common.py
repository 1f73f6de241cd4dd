# SPDX-License-Identifier: GPL-2.0-only
"""What all parts of the lab share: places, and its one kind of error."""

import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, "build")
CACHE = os.environ.get("PAPRIKA_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "paprika")

MACHINES = ("powernv8", "powernv9", "powernv10", "pseries")

# Exit status when the lab, not the command, is at fault.
LAB_FAILED = 125


class LabError(Exception):
    """The lab failed. The text is one line; DETAIL is what led there, if known.

    OUT and ERR are what a command of run() had said until then.
    """

    def __init__(self, text, detail=()):
        super().__init__(text)
        self.detail, self.out, self.err = list(detail), b"", b""


def say(text):
    """A line to the user."""
    print(f"box: {text}", file=sys.stderr, flush=True)
