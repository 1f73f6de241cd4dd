# SPDX-License-Identifier: GPL-2.0-only
"""The lab: emulated POWER hosts with real KVM, for tests and measurements."""

from .box import Box, Result
from .common import LabError
from .direct import Direct, possible


def open_host(**options):
    """A Box, or on a real POWER host a Direct; both have the same interface."""
    if possible() and not options.get("icount"):
        return Direct(**options)
    return Box(**options)


__all__ = ["Box", "Direct", "LabError", "Result", "open_host"]
