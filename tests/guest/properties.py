# SPDX-License-Identifier: GPL-2.0-only
"""What holds of the monitor itself while guests run: size, files, options, exactness."""

import hashlib
import os
import re
import shlex

from files import PAYLOAD
from suite import TOP, Case

MIB = 1 << 20
INITRD = "build/guest/initrd.gz"
VMLINUX = "build/guest/vmlinux"
PARAMS_MAX = 2047


def md5(data):
    return hashlib.md5(data).hexdigest()


def quoted_run(command):
    return shlex.quote(f'console=hvc0 quiet loglevel=3 paprika.run="{command}"')


# ---- memory, descriptors, processes

# Resident memory of the monitor but for the guest's, in KiB.
RSS = ("awk '/^[0-9a-f]+-[0-9a-f]+ /{guest = /memfd:guest/} /^Rss:/ && !guest {sum += $2} "
       "END {print \"rss=\" sum}' /proc/$pid/smaps")


def while_it_runs(run, what):
    """Run the monitor, and WHAT with its $pid once $T/out has a line with "ready"."""
    return (f"mkfifo $T/in; {run} <$T/in >$T/out & pid=$!; exec 3>$T/in; "
            f"until grep -q ready $T/out; do usleep 200000; done; {what}; "
            "kill -TERM $pid; wait $pid; [ $? = 12 ] && echo stopped")


def rss_at_most(limit):
    def check(result):
        rss = int(re.search(rb"^rss=(\d+)", result.out, re.M).group(1))
        if not 0 < rss <= limit:
            return f"resident beyond the guest's memory: {rss} KiB, limit {limit} KiB"
        return None
    return check


OWN_FILES = (r"anon_inode:(kvm-vm|kvm-vcpu:\d+|\[(io_uring|eventfd|signalfd)\])|/dev/kvm"
             r"|(pipe|socket):\[\d+\]|/tmp/paprika-[\d-]+/(in|out)|\S+/console\.elf")


def own_files(result):
    names = re.findall(r" -> (.*)", result.out.decode())
    others = [n for n in names if not re.fullmatch(OWN_FILES, n)]
    if others or len(names) < 8:
        return f"open are {others or names}"
    return None


def binary_size(_):
    # On a POWER machine the native build is the one, and is not stripped.
    size = os.path.getsize(os.path.join(TOP, "build/ppc64le/paprika"))
    return None if size <= 2 * MIB else f"{size} bytes, limit {2 * MIB}"


BUSY_LINUX = ("paprika run -k build/guest/vmlinux -i build/guest/initrd.gz -c 8 -p " +
              quoted_run("echo ready; while :; do sh -c :; done"))

SIZE = (
    Case("at most 4 MiB resident beyond the memory of a Linux with 8 CPUs",
         while_it_runs(BUSY_LINUX, f"sleep 1; {RSS}"), ("powernv9",),
         out=(r"^rss=\d+$", "^stopped$"), err="paprika: stopped from outside",
         check=rss_at_most(4096), timeout=300),
    Case("the stripped static binary has at most 2 MiB",
         "paprika version", ("powernv9",), out=(r"^paprika \S+$",), err="", check=binary_size,
         needs=("build/ppc64le/paprika",)),
    Case("no files but its own are open while it runs, and it has no privileges",
         while_it_runs("paprika run -k $G/console.elf", "ls -l /proc/$pid/fd; "
                       "grep -e NoNewPrivs -e Seccomp: -e CapEff -e CapPrm /proc/$pid/status"),
         ("powernv9",), out=(r"CapPrm:\s+0+$", r"CapEff:\s+0+$", r"NoNewPrivs:\s+1$",
                             r"Seccomp:\s+2$", r"^stopped$"),
         err="paprika: stopped from outside", check=own_files),
    Case("thirty guests leave nothing behind",
         "i=0; while [ $i -lt 30 ]; do paprika run -k $G/power-off.elf </dev/null || exit; "
         "i=$((i+1)); done; echo $i", ("powernv9",),
         out=(r"^30$",), err="", timeout=240),
)

# ---- options

TRACES = {"exit": r"cpu 0 exit \d+", "hcall": r"cpu 0 hcall 0x58 H_PUT_TERM_CHAR\(",
          "rtas": r"cpu 0 rtas 0x\w+ power-off\(", "cpu": r"cpu 0 end: pc 0x"}

OPTIONS = (
    *(Case(f"--trace={kind}", f"paprika run -k $G/hello.elf --trace={kind} </dev/null",
           ("powernv9",), out=(r"^hello from",), err=rf"(?s)(.*\n)?\s+\d+\.\d{{6}} {line}.*")
      for kind, line in TRACES.items()),
    Case("--trace=irq", "paprika run -k $G/intr.elf --trace=irq </dev/null", ("powernv9",),
         out=(r"passed, 0 failed$",), err=r"(?s)(.*\n)?\s+\d+\.\d{6} cpu 0 line up\n.*"),
    Case("--trace=rtas shows nothing else", "paprika run -k $G/hello.elf --trace=rtas </dev/null",
         ("powernv9",), err=r"(\s+\d+\.\d{6} cpu 0 rtas .*\n?)+"),
    Case("--trace --trace-file", "paprika run -k $G/hello.elf --trace --trace-file $T/t </dev/null "
         ">/dev/null; cat $T/t", ("powernv9",), err="",
         out=(r"cpu 0 hcall", r"cpu 0 rtas .*power-off", r"cpu 0 end")),
    *(Case(f"--sandbox {mode}", f"paprika run -k $G/smp.elf -c 4 --sandbox {mode} </dev/null",
           ("powernv9",), out=(r"passed, 0 failed$",), err="") for mode in ("on", "log", "off")),
    Case("--sandbox off is none", while_it_runs("paprika run --sandbox off -k $G/console.elf",
                                                "grep Seccomp: /proc/$pid/status"),
         ("powernv9",), out=(r"Seccomp:\s+0$", r"^stopped$"), err=".*"),
    Case("--sandbox log breaks no rule of --sandbox on",
         "dmesg -c >/dev/null; paprika run -k $G/reboot.elf -c 2 --sandbox log </dev/null "
         "&& ! dmesg | grep -i seccomp", ("powernv9",), err=""),
    Case("--dump-dtb writes a tree and goes on",
         "paprika run -k $G/hello.elf --dump-dtb $T/dtb </dev/null; "
         "od -An -tx1 -N4 $T/dtb; n=$(od -An -tu1 -j4 -N4 $T/dtb | awk "
         "'{print (($1 * 256 + $2) * 256 + $3) * 256 + $4}'); "
         "[ $n = $(stat -c %s $T/dtb) ] && echo size", ("powernv9", "powernv8"),
         out=(r"^hello from", r"^ d0 0d fe ed$", r"^size$"), err=""),
    Case("--name reaches the guest's tree",
         "paprika run -k $G/hello.elf -n name-of-mine --dump-dtb $T/dtb </dev/null >/dev/null; "
         "grep -c name-of-mine $T/dtb", ("powernv9",), out=(r"^1$",), err=""),
    *(Case(f"-m {size}, {mmu}", f"paprika run -k $G/hello.elf -m {size} --mmu {mmu} </dev/null",
           ("powernv9",), err="",
           out=(rf"^memory: {mib} MiB$", rf"^mmu: {mmu.replace('hpt', 'hash')}$"))
      for size, mib, mmu in (("64M", 64, "radix"), ("64M", 64, "hpt"), ("65536K", 64, "radix"),
                             ("1G", 1024, "radix"), ("1025M", 1025, "hpt"),
                             ("1025", 1025, "radix"), ("2g", 2048, "radix"))),
    Case("help and version", "paprika help && paprika --help && paprika help run && "
         "paprika run --help && paprika --version", ("powernv9",),
         out=(r"^usage: paprika VERB", r"^usage: paprika run", r"^paprika \d"), err=""),
)

# ---- what is given arrives

LONG = 'console=hvc0 quiet loglevel=3 paprika.run="md5sum /proc/cmdline" '
LONG += "x" * (PARAMS_MAX - len(LONG))

EXACT = (
    Case(f"a command line of {PARAMS_MAX} bytes arrives whole",
         f"paprika run -k {VMLINUX} -i {INITRD} -p {shlex.quote(LONG)} </dev/null", ("powernv9",),
         out=(rf"^{md5(LONG.encode() + bytes([10]))}  /proc/cmdline$",), err="", timeout=300),
    Case("an initrd arrives exact, a compressed kernel boots",
         "paprika run -k $F/vmlinux.gz -i $F/initrd-payload -p " +
         quoted_run("md5sum /payload; cd /proc/device-tree/chosen; "
                    "echo $((0x$(xxd -p linux,initrd-end) - 0x$(xxd -p linux,initrd-start)))") +
         " </dev/null; stat -c %s $F/initrd-payload", ("powernv9",),
         out=(rf"^{md5(PAYLOAD)}  /payload$", r"^(\d+)\n(?:.*\n)*\1\n\Z"), err="", timeout=300),
    Case("a compressed program runs", "paprika run -k $F/hello.elf.gz </dev/null",
         ("powernv9", "powernv8"), out=(r"^hello from",), err=""),
)

CASES = (*OPTIONS, *SIZE, *EXACT)
