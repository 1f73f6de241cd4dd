# SPDX-License-Identifier: GPL-2.0-only
"""Forks in a Linux guest, as rows T and H count them."""

import re

from lab import LabError

KERNEL, INITRD = "build/guest/vmlinux", "build/guest/initrd.gz"
SECONDS = 10


def rate(host, cpus, *options):
    """Forks a second by as many processes as there are vCPUs, in a guest with a hashed table."""
    params = f'console=hvc0 quiet paprika.run="stress fork -t {SECONDS} -p {cpus}"'
    out = host.sh(f"paprika run -k {KERNEL} -i {INITRD} -m 1G -c {cpus} --mmu hpt "
                  f"{' '.join(options)} -p '{params}' </dev/null", timeout=1800)
    found = re.search(r"^stress: fork (\d+) forks (\d+) ms 0 mismatches", out, re.M)
    if not found:
        raise LabError("no figure from stress fork", out.splitlines()[-20:])
    return int(found.group(1)) * 1000 / int(found.group(2))
