# SPDX-License-Identifier: GPL-2.0-only
"""Interrupts in numbers: IPIs, the sources of terminals that loop, and Linux with both.

Counts are small; PAPRIKA_ROUNDS=N in the environment makes them N times as many.
"""

import os
import re
import shlex

from linux import INITRD, KERNELS, QUIET
from programs import PASSED, agree_case
from suite import TROUBLE, Case

# The interrupt controllers that a row is run with: --irqchip's words.
IRQCHIPS = ("user", "kernel")
DEFAULT = "user"

TIMES = int(os.environ.get("PAPRIKA_ROUNDS", "1"))

TTYS = "--tty loop --tty loop-lsi"
MORE_TTYS = f"{TTYS} {TTYS}"

SELF = (r"^irq-pingpong: self ticks \d+ rounds {rounds}$", PASSED)
PING_PONG = (r"^irq-pingpong: ping-pong ticks \d+ rounds {rounds}$", PASSED)
STORM = (r"^irq-storm: {cpus} cpus {rounds} rounds: (\d+) sent \1 received \1 acknowledged, ",
         PASSED)
COST = (*(rf"^irq-cost: {name} ticks [1-9]\d* rounds {{rounds}}$"
          for name in ("cppr", "ipi", "resend-1", "eoi", "resend-all")), PASSED)
SOURCES = (r"^irq-sources: {cpus} cpus \d terminals: [1-9]\d* bytes [1-9]\d* interrupts ", PASSED)

# Program, processors, rounds, more options, output
PINGPONG_2 = ("irq-pingpong", 2, 200, "", PING_PONG)
STORM_2, STORM_4, STORM_8 = (("irq-storm", cpus, rounds, "", STORM)
                             for cpus, rounds in ((2, 50), (4, 30), (8, 10)))
SOURCES_1, SOURCES_2, SOURCES_4, SOURCES_8 = (
    ("irq-sources", cpus, rounds, ttys, SOURCES)
    for cpus, rounds, ttys in ((1, 5, TTYS), (2, 10, TTYS), (4, 10, MORE_TTYS), (8, 5, MORE_TTYS)))
COST_2 = ("irq-cost", 2, 20, f"{TTYS} --tty loop", COST)

# Host, MMU mode, byte order, programs
PROGRAMS = (
    ("powernv9", "radix", "", (("irq-pingpong", 1, 200, "self", SELF), PINGPONG_2, STORM_2,
                               STORM_4, STORM_8, SOURCES_1, SOURCES_2, SOURCES_4, SOURCES_8)),
    ("powernv9", "hpt", "-be", (PINGPONG_2, STORM_4, SOURCES_1, SOURCES_4, COST_2)),
    ("powernv10", "radix", "", (STORM_4, SOURCES_4)),
    ("powernv8", "hpt", "", (PINGPONG_2, STORM_2, SOURCES_4)),
    ("pseries", "radix", "", (PINGPONG_2, STORM_4, SOURCES_2, COST_2)),
)


def option(irqchip):
    return "" if irqchip == DEFAULT else f" --irqchip {irqchip}"


def program_case(host, mmu, order, program, irqchip):
    name, cpus, rounds, more, out = program
    rounds *= TIMES
    words = [f"rounds={rounds}"]
    if more == "self":
        words, more = [*words, more], ""
    if irqchip == "kernel":
        words.append("kernel-xics")
    what = " ".join(filter(None, (f"{name}{order} -c {cpus}", *words, mmu, irqchip)))
    return Case(
        what, f"paprika run -k $G/{name}{order}.elf -c {cpus} --mmu {mmu}{option(irqchip)} {more} "
        f"-p {shlex.quote(' '.join(words))} </dev/null", (host,),
        out=tuple(o.format(cpus=cpus, rounds=rounds) if "{" in o else o for o in out), err="",
        timeout=150 + 30 * TIMES)


# KVM looks at RTAS blocks first, and ends KVM_RUN for what it cannot read or count.
BAD_BLOCKS = tuple(
    Case(f"badrtas {word}, kernel: the guest cannot go on",
         f"paprika run -k $G/badrtas.elf --irqchip kernel -p {word} </dev/null", (host,), status=13,
         err=rf"^paprika: guest cannot go on: cpu 0: KVM_RUN: {error}, exit 19$")
    for host in ("powernv9", "pseries")
    for word, error in (("wild-block", "Bad address"), ("wild-counts", "Invalid argument")))

# A drawn sequence of calls is answered alike by both controllers, where KVM's is none over XIVE.
AGREE = tuple(
    agree_case("xics", "--tty loop --tty loop --irqchip", host, mmu, order,
               "seed=4 calls=1000 kernel-xics")
    for host, mmu in (("powernv8", "hpt"), ("pseries", "radix")) for order in ("", "-be"))

# Two terminals are written and read at once while the processors of their interrupts
# change. (An IRQ is requested when its terminal is opened; raw, or bytes would change; in
# brackets, since the kernel logs its command line.) Once is enough, unless the host is so busy
# that no interrupt was moved meanwhile.
TRAFFIC = (
    "seq 1 {lines} >in; n=$(wc -c <in); exec 3<>/dev/hvc1 4<>/dev/hvc2; "
    "stty raw -echo <&3; stty raw -echo <&4; "
    "irqs=$(sed -n '/hvc_console/s/:.*//p' /proc/interrupts); "
    "(while [ ! -e end ]; do for i in $irqs; do for m in {masks}; do "
    "echo $m >/proc/irq/$i/smp_affinity; done; done; done) & "
    "traffic() {{ timeout 60 head -c $n <&3 >out1 & r1=$!; timeout 60 head -c $n <&4 >out2 & r2=$!; "
    "cat in >&3 & cat in >&4 & wait $r1 $r2; cmp -s in out1 && cmp -s in out2; }}; "
    "moved() {{ awk '/hvc_console/ {{m = 0; for (i = 2; i < {cpus} + 2; i++) m += $i > 0; "
    "s += m > 1}} END {{exit !s}}' /proc/interrupts; }}; "
    "r=0; while traffic && ! moved && [ $((r += 1)) -lt 20 ]; do :; done; touch end; "
    "for f in in out1 out2; do echo $f $(md5sum <$f); done; "
    "grep hvc_console /proc/interrupts; "
    "dmesg | grep -e '[n]obody cared' -e '[s]tall' -e '[l]ockup' -e '[W]ARNING'; echo traffic ends")

# Host, MMU mode, processors
LINUX = (("powernv9", "radix", 4), ("powernv9", "hpt", 4), ("powernv8", "hpt", 2),
         ("pseries", "radix", 2))
LINES = 3000


def arrived_everywhere(cpus):
    """Both terminals' bytes are as they were, and interrupts came, somewhere to several CPUs."""
    def check(result):
        out = result.out.decode(errors="replace").replace("\r", "")
        sums = dict(re.findall(r"^(in|out1|out2) (\w+) +-$", out, re.M))
        if len(sums) != 3 or len(set(sums.values())) != 1:
            return f"what came back is not what was sent: {sums}"
        lines = re.findall(r"^ *\d+: ((?: *\d+){%d}) .*hvc_console$" % cpus, out, re.M)
        busy = [sum(int(n) > 0 for n in line.split()) for line in lines]
        # How often the script gets to move them while there is traffic is the host's affair.
        if sum(n > 0 for n in busy) < 2 or max(busy) < 2:
            return f"interrupts of the terminals came to so many processors each: {busy}"
        return None
    return check


def linux_case(host, mmu, cpus, irqchip):
    script = TRAFFIC.format(lines=LINES, cpus=cpus, masks=" ".join(f"{1 << n:x}" for n in range(cpus)))
    params = f'{QUIET} paprika.run="{script}"'
    return Case(
        f"Linux: terminals that loop while their interrupts move, {mmu}, {cpus} CPUs, {irqchip}",
        f"paprika run -k {KERNELS['6.1']} -i {INITRD} -m 512M -c {cpus} --mmu {mmu}"
        f"{option(irqchip)} {TTYS} -p {shlex.quote(params)} </dev/null", (host,),
        out=(r"^traffic ends$", r"^paprika-guest: status=0$"), err="",
        trouble=TROUBLE + "|nobody cared|stall|lockup|WARNING",
        check=arrived_everywhere(cpus), timeout=360, needs=(KERNELS["6.1"], INITRD))


CASES = (
    *BAD_BLOCKS, *AGREE,
    *(program_case(host, mmu, order, program, irqchip) for irqchip in IRQCHIPS
      for host, mmu, order, programs in PROGRAMS for program in programs),
    # KVM's controller does not know the guest's MMU: once a host will do.
    *(linux_case(*guest, irqchip) for irqchip in IRQCHIPS for guest in LINUX
      if irqchip == DEFAULT or guest[:2] != ("powernv9", "hpt")),
)
