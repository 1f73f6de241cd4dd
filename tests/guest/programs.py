# SPDX-License-Identifier: GPL-2.0-only
"""The bare-metal programs of guest/, in both byte orders and MMU modes."""

from fuzz.plan import MODES
from suite import Case

PASSED = r"^\d+ passed, 0 failed\n\Z"


def agree_case(what, option, host, mmu, order, words):
    """A drawn sequence of calls of a family is answered alike by KVM and the monitor."""
    run = (f"paprika run -k $G/hcall-fuzz{order}.elf -m 64M --mmu {mmu} {option} $i "
           f"-p 'only={what} agree {words}' </dev/null")
    return Case(
        f"hcall-fuzz{order} only={what}: kernel and user agree, {mmu}",
        f"for i in kernel user; do {run} >$T/out || exit; "
        "tr -d '\\0' <$T/out | grep '^hcall-fuzz: cpu=' >$T/$i; done; "
        "cmp $T/kernel $T/user && tail -n 1 $T/user", (host,),
        out=(r"^hcall-fuzz: cpu=0 at=1000 issued=[1-9]\d\d digest=\w+$",), err="")


# Program, processors, more options, exit code, output, standard error
PROGRAMS = (
    ("hello", 1, "-p 'one two'", 0,
     (r"^hello from paprika guest$", r"^endianness: {endian}$", r"^cpus: 1$",
      r"^memory: 512 MiB$", r"^mmu: {mmu}$", r"^bootargs: one two\n\Z"), ""),
    ("hello-exec", 2, "", 0,
     (r"^hello from paprika guest$", r"^endianness: {endian}$", r"^cpus: 2$",
      r"^mmu: {mmu}$"), ""),
    ("power-off", 1, "", 0, (r"\A\Z",), ""),
    ("panic", 1, "", 11, (), "paprika: guest panicked: paprika guest panics on purpose"),
    ("panic", 1, "-p unterminated", 11, (), "paprika: guest panicked.*"),
    ("panic", 1, "-p nowhere", 11, (), "paprika: guest panicked.*"),
    ("reboot", 2, "", 0, (r"\Aboot 0\nboot 1\nboot 2\nrebooted 2 times\n\Z",), ""),
    ("reboot", 2, "--no-reboot", 10, (r"\Aboot 0\n\Z",), "paprika: guest asked for reboot"),
    ("smp", 4, "", 0, (r"^4 cpus, booted on server 0$", PASSED), ""),
    ("smp", 8, "", 0, (r"^8 cpus, booted on server 0$", PASSED), ""),
    ("vectors", 2, "", 0, (PASSED,), ""),
    ("regs", 1, "", 0, (PASSED,), ""),
    ("hcall-null", 1, "", 0, (r"^hcall-null: empty ticks \d+ calls \d+ ", PASSED), ""),
    ("rtc", 1, "", 0, (PASSED,), ""),
    ("intr", 1, "", 0, (PASSED,), ""),
    ("intr", 4, "", 0, (PASSED,), ""),
    ("badaddr", 1, "", 0, (PASSED,), ""),
    ("badhcall", 2, "", 0, (PASSED,), ""),
    ("badrtas", 2, "", 0, (PASSED,), ""),
)

# Where time is better spent on other cases: only these, and in one byte order.
BRIEF = {"powernv10": ("hello", "smp", "intr", "reboot", "vectors", "badaddr"),
         "pseries": ("hello", "smp", "intr", "reboot", "panic", "badaddr"),
         "powernv8": ("hello", "smp", "intr", "reboot", "vectors", "badaddr", "badhcall")}
BOTH_ORDERS = ("hello", "hello-exec", "vectors", "smp")
# Long ones, by program and processors: little-endian on powernv9 alone
LONG = (("intr", 4), ("hcall-null", 1))


def program_cases():
    for host, mmu in MODES:
        for name, cpus, more, status, out, err in PROGRAMS:
            if name not in BRIEF.get(host, (name,)):
                continue
            for suffix, endian in (("", "little"), ("-be", "big")):
                if suffix and host in BRIEF and name not in BOTH_ORDERS:
                    continue
                if (name, cpus) in LONG and (suffix or host != "powernv9"):
                    continue
                what = " ".join(filter(None, (f"{name}{suffix}", f"-c {cpus}", more, mmu)))
                shown = "hash" if mmu == "hpt" else mmu
                yield Case(
                    what, f"paprika run -k $G/{name}{suffix}.elf -c {cpus} --mmu {mmu} {more} "
                    "</dev/null", (host,), status,
                    tuple(o.format(endian=endian, mmu=shown) for o in out), err,
                    timeout=240)


# Threads a core: what KVM makes of them, where cores of the host have one thread
THREADS = (
    Case("smp -c 4,threads=4", "paprika run -k $G/smp.elf -c 4,threads=4 </dev/null",
         ("powernv9", "powernv10"), out=(r"^4 cpus, ", PASSED), err=""),
    Case("smp -c 8,threads=8", "paprika run -k $G/smp.elf -c 8,threads=8 </dev/null",
         ("powernv9",), out=(r"^8 cpus, ", PASSED), err=""),
    Case("smp -c 8,threads=4: two cores", "paprika run -k $G/smp.elf -c 8,threads=4 </dev/null",
         ("powernv9",), out=(r"^8 cpus, ", PASSED), err=""),
    Case("-c 2,threads=2 is refused where cores have one thread",
         "paprika run -k $G/smp.elf -c 2,threads=2 </dev/null", ("powernv8",), 1,
         err=r"paprika: 2 threads a core are not possible here .*", lines=1, silent=True),
    Case("secondary threads online are told", "paprika run -k $G/smp.elf -c 2 </dev/null",
         ("powernv8-smt",), 1, lines=1,
         err=r"paprika: .*busy: secondary threads of the host's cores are online .*smt=off.*"),
)

# What a host's KVM does not have
MISSING_MODES = (
    Case("--mmu hpt is refused by a nested host",
         "paprika run -k $G/hello.elf --mmu hpt </dev/null", ("pseries",), 1,
         err=r"paprika: .*no hash \(HPT\) guests.*", lines=1, silent=True),
    *(Case(f"{option} is refused by a nested host",
           f"paprika run -k $G/hello.elf {option} </dev/null", ("pseries",), 1,
           err=r"paprika: .*no hash \(HPT\) guests.*", lines=1, silent=True)
      for option in ("--hpt user", "--hpt-order 20")),
    Case("--mmu radix is refused by a hash host",
         "paprika run -k $G/hello.elf --mmu radix </dev/null", ("powernv8",), 1,
         err=r"paprika: this host's KVM has no radix guests, only hash", lines=1, silent=True),
)

# Guests that do nothing the monitor hears of, or worse
def stop_by_term(kernel, mmu):
    return (f"paprika run -k {kernel} --mmu {mmu} </dev/null & pid=$!; sleep 3; kill -TERM $pid; "
            "wait $pid")


HOSTILE = tuple(
    Case(f"a guest that {what} can be stopped, {mmu}", stop_by_term(kernel, mmu), (host,), 12,
         err="paprika: stopped from outside", timeout=60)
    for host, mmu in MODES
    for what, kernel in (("spins", "$F/spin.elf"), ("has jumped nowhere", "$F/jump-nowhere.elf"),
                         ("reboots without end", "$G/reboot-storm.elf")))

# The most segments that a file may have
MANY = (
    Case("a kernel of 64 segments", stop_by_term("$F/many.elf", "radix"), ("powernv9",), 12,
         err="paprika: stopped from outside", timeout=60),
)

CASES = (*MANY, *program_cases(), *THREADS, *MISSING_MODES, *HOSTILE)
