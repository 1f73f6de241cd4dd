# SPDX-License-Identifier: GPL-2.0-only
"""Linux guests: every host, MMU mode and kernel that there is."""

import re
import shlex

from suite import Case

KERNELS = {"6.1": "build/guest/vmlinux", "6.12": "build/kernels/6.12/vmlinux",
           "6.12-64k": "build/kernels/6.12-64k/vmlinux"}
INITRD = "build/guest/initrd.gz"

# Messages of the guest's kernel would come in the middle of lines that are looked for.
QUIET = "console=hvc0 quiet loglevel=3"

# Each line of it is one thing that works. ($c is a processor.)
WORK = ("echo online=$(cat /sys/devices/system/cpu/online); "
        "for c in $(seq 0 {last}); do taskset -c $c sh -c : && echo ran on $c; done; "
        "grep -q XICS /proc/interrupts && grep -q hvc_console /proc/interrupts && echo interrupts; "
        "n=0; while [ $n -lt 20 ]; do sh -c : && n=$((n+1)); done; echo forks=$n; "
        "echo time=$(date +%s)")

# Host, MMU mode, processors, guest kernel
GUESTS = (
    *(("powernv9", mmu, cpus, "6.1") for mmu in ("radix", "hpt") for cpus in (1, 2, 4, 8)),
    *(("powernv9", mmu, 2, kernel) for kernel in ("6.12", "6.12-64k") for mmu in ("radix", "hpt")),
    *(("powernv10", mmu, 2, "6.1") for mmu in ("radix", "hpt")),
    *(("powernv8", "hpt", cpus, "6.1") for cpus in (1, 2)),
    ("pseries", "radix", 2, "6.1"),
    *(("powernv9/6.12-64k", mmu, 2, kernel) for kernel in ("6.1", "6.12-64k")
      for mmu in ("radix", "hpt")),
    # With pages of 4 KiB a hash guest reaches 128 MiB in real mode.
    ("powernv9/6.12", "hpt", 2, "6.1"),
    ("powernv9/6.12", "radix", 2, "6.12"),
)


def clock_is_right(result):
    """The guest's clock lies between the host's before and after."""
    before, guest, after = (int(re.search(rb"^" + name + rb"=(\d+)", result.out, re.M).group(1))
                            for name in (b"before", b"time", b"after"))
    # Whole seconds, on both sides.
    if not before - 2 <= guest <= after + 2:
        return f"the guest's clock says {guest}, the host's {before} to {after}"
    return None


def guest_case(host, mmu, cpus, kernel):
    params = f'{QUIET} paprika.run="{WORK.format(last=cpus - 1)}"'
    command = (f"paprika run -k {KERNELS[kernel]} -i {INITRD} -m 512M -c {cpus} --mmu {mmu} "
               f"-p {shlex.quote(params)} </dev/null")
    release = re.escape(kernel.split("-")[0])
    pages = "-64k" if kernel.endswith("64k") else ""
    return Case(
        f"Linux {kernel}, {mmu}, {cpus} CPU{'s' * (cpus > 1)}",
        f"echo before=$(date +%s); {command}; s=$?; echo after=$(date +%s); exit $s", (host,),
        out=(rf"^paprika-guest: kernel={release}\.\S*powerpc64le{pages} arch=ppc64le "
             rf"mmu={'hash' if mmu == 'hpt' else mmu} cpus={cpus}$",
             rf"^online=0{f'-{cpus - 1}' if cpus > 1 else ''}$",
             *(rf"^ran on {n}$" for n in range(cpus)),
             r"^interrupts$", r"^forks=20$", r"^time=\d+$", r"^paprika-guest: status=0$",
             r"^after="),
        err="", check=clock_is_right, timeout=360, needs=(KERNELS[kernel], INITRD))


CASES = tuple(guest_case(*guest) for guest in GUESTS)
