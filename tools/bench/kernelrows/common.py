# SPDX-License-Identifier: GPL-2.0-only
"""What the rows share: a host that runs one of our kernels, and little sums."""

import os
import statistics

from figures import TOP
from lab import Box, LabError

NS_A_TICK = 1000 / 512      # of the timebase; under --icount an instruction takes one
# Kernels are built so that these are there.
MOUNT = "mount -t debugfs none /sys/kernel/debug; mount -t tracefs none /sys/kernel/tracing; :"


class Host(Box):
    """A box with build/KERNEL/vmlinux, debugfs and tracefs."""

    def __init__(self, kernel, **options):
        super().__init__(kernel=os.path.join(TOP, f"build/{kernel}/vmlinux"), **options)
        self.sh(f"{{ {MOUNT}; }} 2>/dev/null")

    def sh(self, line, timeout=600, out=None):
        """Standard output of a shell line, which must succeed and not upset the kernel."""
        result = self.run(["sh", "-c", line], timeout=timeout, out=out)
        said = (result.out + result.err).decode(errors="replace")
        if result.status or self.faults():
            raise LabError(f"'{line}' ended with {result.status}",
                           said.splitlines()[-20:] + self.faults()[:5])
        return result.out.decode()


def spread(values):
    """Where the middle half of them lies."""
    low, _, high = statistics.quantiles(values, n=4)
    return low, high
