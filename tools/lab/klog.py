# SPDX-License-Identifier: GPL-2.0-only
"""Faults in a kernel log."""

import os
import re

# What a healthy kernel never prints.
FAULT = re.compile(
    r"\bBUG\b|\bOops\b|\bWARNING:|\bcut here\b|Kernel panic|Unable to handle kernel"
    r"|general protection|detected stalls?|self-detected stall|rcu.*\bstall"
    r"|blocked for more than \d+ seconds|soft lockup|[Hh]ard LOCKUP|self-detected hard LOCKUP"
    r"|circular locking|recursive locking|inconsistent lock state|suspicious RCU|lock held when"
    r"|held lock freed|bad unlock balance|UBSAN|KASAN|KCSAN|KFENCE|refcount_t:|list_(add|del) corr"
    r"|scheduling while atomic|sleeping function called|Bad page|Bad rss|kmemleak"
    r"|kernel log records were lost")

ALLOWED_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "allowed-faults")


def _allowed():
    """The patterns of the file: one a line, comments say why."""
    with open(ALLOWED_FILE, encoding="utf-8") as f:
        lines = [line.split("#", 1)[0].strip() for line in f]
    return [re.compile(line) for line in lines if line]


def parse(records):
    """Text lines from records of /dev/kmsg ("prio,seq,usec,flags;text")."""
    lines = []
    for record in records.decode(errors="replace").split("\n"):
        if record.startswith(" ") or ";" not in record:
            continue  # a key=value continuation
        head, text = record.split(";", 1)
        try:
            usec = int(head.split(",")[2])
        except (IndexError, ValueError):
            usec = 0
        lines.append(f"[{usec / 1e6:12.6f}] {text}")
    return lines


def faults(lines):
    """Those of LINES that tell of a fault."""
    allowed = _allowed()
    return [line for line in lines
            if FAULT.search(line) and not any(a.search(line) for a in allowed)]
