# SPDX-License-Identifier: GPL-2.0-only
"""Forks in a Linux guest, as rows T and H count them."""

import re

from lab import LabError

KERNEL, INITRD = "build/guest/vmlinux", "build/guest/initrd.gz"
SECONDS = 10
BEGIN, END = b"forks-begin", b"stress: fork "


def running(out):
    """Does the guest fork just now? OUT is what it wrote until now."""
    return BEGIN in out and END not in out


def rate(host, cpus, *options, out=None):
    """Forks a second by as many processes as there are vCPUs, in a guest with a hashed table."""
    params = f'console=hvc0 quiet paprika.run="echo {BEGIN.decode()}; ' \
             f'stress fork -t {SECONDS} -p {cpus}"'
    text = host.sh(f"paprika run -k {KERNEL} -i {INITRD} -m 1G -c {cpus} --mmu hpt "
                   f"{' '.join(options)} -p '{params}' </dev/null", timeout=1800, out=out)
    found = re.search(r"^stress: fork (\d+) forks (\d+) ms 0 mismatches", text, re.M)
    if not found:
        raise LabError("no figure from stress fork", text.splitlines()[-20:])
    return int(found.group(1)) * 1000 / int(found.group(2))
