# SPDX-License-Identifier: GPL-2.0-only
"""The hashed page table of hash guests, served by KVM and by the monitor (--hpt user).

Counts are small. PAPRIKA_LONG=1 makes them large: hours on an emulated host.
"""

import os
import shlex

from linux import INITRD, KERNELS, QUIET
from programs import PASSED, agree_case
from suite import TROUBLE, Case

LONG = bool(os.environ.get("PAPRIKA_LONG"))
HOSTS = ("powernv9", "powernv10", "powernv8")
CALLS = 100000 if LONG else 2000
# What --hpt-check says at the end, after it compared both tables
CHECK, SAME = "--hpt-check", r"hpt 2\^\d+ bytes, \d+ entries, \d+ valid, 0 differences"

# Each call's answers, and what hardware makes of the entries
CALL_CASES = tuple(
    Case(f"hpt{order} {server}",
         f"paprika run -k $G/hpt{order}.elf --mmu hpt --hpt {server} -p {server} </dev/null",
         (host,), out=(PASSED,), err="")
    for host in HOSTS for order, server in (("", "kernel"), ("", "user"), ("-be", "user")))


def digest_case(host, order, cpus, seed):
    """The same sequence for both; what they print must not differ but for the CPUs' turns."""
    run = (f"paprika run -k $G/hpt-digest{order}.elf --mmu hpt -c {cpus} "
           f"-p 'calls={CALLS} seed={seed}' </dev/null --hpt")
    lines = 10 * min(cpus, 4)
    return Case(
        f"hpt-digest{order} -c {cpus} calls={CALLS} seed={seed}: kernel and user agree",
        f"{run} kernel >$T/kernel || {{ cat $T/kernel; exit 1; }}; "
        f"{run} user {CHECK} >$T/user || {{ cat $T/user; exit 1; }}; cat $T/user; "
        "for s in kernel user; do sort $T/$s >$T/$s.sorted; done; "
        f"[ $(grep -c ' digest=' $T/user) = {lines} ] && "
        "cmp $T/kernel.sorted $T/user.sorted && echo the same", (host,),
        out=(r"^\d+ passed, 0 failed\nthe same\n\Z",), err=SAME, timeout=3600 if LONG else 180)


DIGEST_CASES = (
    *(digest_case(host, "", 1, 1) for host in HOSTS),
    digest_case("powernv9", "-be", 1, 2),
    digest_case("powernv9", "", 2, 3),
    digest_case("powernv9", "", 4, 4),
)
# Calls that no guest means
RANDOM_CASES = tuple(
    Case(f"random calls leave both tables the same, -c {cpus}",
         f"paprika run -k $G/hcall-fuzz.elf --hpt user {CHECK} --hpt-order 18 -c {cpus} "
         f"-p 'seed=7 calls=1000' </dev/null", (host,),
         out=(r"^hcall-fuzz: done issued=[1-9]\d+ ",), err=SAME)
    for host, cpus in (("powernv9", 1), ("powernv9", 4), ("powernv8", 1)))
# A sequence in which an entry that was read counts later, on the host where that was found
AGREE_CASES = (agree_case("hpt", "--hpt", "powernv10", "hpt", "-be", "seed=39000118 calls=1000"),)
# A look before KVM has entered anything must not count as having loaded that.
EARLY_LOOK = (
    "n=0; while [ $((n += 1)) -le 10 ]; do "
    f"paprika run -n a -k $G/hpt-digest.elf --mmu hpt --hpt user {CHECK} -p calls=200 </dev/null "
    ">$T/out 2>&1 & while kill -0 $! 2>/dev/null; do paprika debug -n a hpt >$T/look 2>&1; done; "
    "wait $! || { cat $T/out; exit 1; }; done; echo good")
# What the fuzzer must see: memory beside what calls may change, and at the end in any page;
# registers at once.
HARM_CASES = tuple(
    Case(f"hcall-fuzz sees harm, {word or 'beside its arena'}",
         f"paprika run -k $G/hcall-fuzz.elf -m 64M -p 'seed=3 calls=100 plant=50 {word}' </dev/null",
         ("powernv9",), status=11, out=(rf"^hcall-fuzz: FOUND cpu=0 index={index}: {why}$",))
    for word, index, why in (("", 100, "memory changed that no call was given"),
                             ("harm=page", 100, "memory changed that no call was given"),
                             ("harm=registers", 50, "registers lost"),
                             ("harm=answer", 50, "an answer that this call does not have")))
NO_CASES = (
    Case("looks at a table from the start on leave it right", EARLY_LOOK, ("powernv9",),
         out=(r"^good$",), err=""),
    Case("hcall-fuzz: a family that is none",
         "paprika run -k $G/hcall-fuzz.elf -p 'only=xic calls=1' </dev/null", ("powernv9",),
         status=11, out=(r"^hcall-fuzz: no such family of calls$",)),
    Case("hpt-digest with few calls",
         "paprika run -k $G/hpt-digest.elf --mmu hpt -p calls=3 </dev/null", ("powernv9",),
         out=(PASSED,), err=""),
)


# The host moves its pages, those of guests among them, as long as what follows runs.
MOVING = ("moved() { awk '/^pgmigrate_success/ { print $2 }' /proc/vmstat; }; m=$(moved); "
          "(while :; do head -c 67108864 /dev/zero >$T/fill; echo 1 >/proc/sys/vm/compact_memory; "
          "rm $T/fill; sleep 3; done) & ")
MOVED = "; s=$?; kill $!; echo moved $(($(moved) - m)); exit $s"


def linux_case(host, cpus, seconds, moving=False):
    """Linux has its page tables changed without end, and memory stays what it should be."""
    params = f'{QUIET} paprika.run="stress cow -t {seconds} -p {cpus + 1}"'
    line = (f"paprika run -k {KERNELS['6.1']} -i {INITRD} -m 512M -c {cpus} --mmu hpt --hpt user "
            f"{CHECK} -p {shlex.quote(params)} </dev/null")
    return Case(
        f"Linux forks for {seconds} s, hpt user, {cpus} CPU{'s' * (cpus > 1)}"
        f"{', pages move' * moving}",
        MOVING + line + MOVED if moving else line, (host,),
        out=(rf"^paprika-guest: .* mmu=hash cpus={cpus}$",
             r"^stress: cow [1-9]\d* forks \d+ ms 0 mismatches$",
             r"^paprika-guest: status=0$", *((r"^moved [1-9]\d*$",) if moving else ())),
        err=SAME, trouble=TROUBLE + "|stall|lockup|WARNING", timeout=3600 if LONG else 400,
        needs=(KERNELS["6.1"], INITRD))


LINUX_CASES = (
    *(linux_case("powernv9", cpus, 15, cpus == 2) for cpus in (1, 2, 4, 8) if not LONG),
    *(linux_case(host, cpus, 300) for host, cpus in
      (("powernv9", 1), ("powernv9", 2), ("powernv9", 4), ("powernv9", 8), ("powernv10", 4),
       ("powernv8", 2)) if LONG))

# Linux has its table made larger and smaller, while the monitor looks
RESIZE = ("mount -t debugfs none /sys/kernel/debug; cd /sys/kernel/debug/powerpc; "
          "for n in 23 21; do echo $n >hpt_order; echo order $(cat hpt_order); done; "
          "echo 40 >hpt_order || echo refused; echo look; sleep 8")

# Memory that it was told not to use is added: 384 MiB want 2^19 bytes
GROW = ("mount -t debugfs none /sys/kernel/debug; H=/sys/kernel/debug/powerpc/hpt_order; "
        "cd /sys/devices/system/memory; set -- $(grep MemTotal /proc/meminfo); "
        "B=memory$((0x10000000 / 0x$(cat block_size_bytes))); "
        "echo order $(cat $H); echo 0x10000000 >probe; echo order $(cat $H); "
        "echo online >$B/state; "
        "set -- $2 $(grep MemTotal /proc/meminfo); echo $(($3 - $1)) kB more")
GROW_PARAMS = shlex.quote(f'{QUIET} mem=256M paprika.run="{GROW}"')
GROW_CASES = tuple(
    Case(f"Linux makes its table larger for memory that is added, hpt {server}",
         f"paprika run -k {KERNELS['6.1']} -i {INITRD} -m 384M -c 2 --hpt-order 18 "
         f"--hpt {server} {options} -p {GROW_PARAMS} </dev/null", ("powernv9",),
         out=(r"^order 18\norder 19\n131072 kB more$",), err=err, timeout=400,
         needs=(KERNELS["6.1"], INITRD))
    for server, options, err in
    (("kernel", "", ""), ("user", CHECK, SAME.replace(r"\d+ bytes", "19 bytes"))))


def looked_at(mmu, options, command, ask):
    """Linux runs COMMAND, and ASK follows when it says "look"."""
    params = f'{QUIET} paprika.run="{command}"'
    return (f"paprika run -n a -k {KERNELS['6.1']} -i {INITRD} --mmu {mmu} {options} "
            f"-p {shlex.quote(params)} </dev/null >$T/out & "
            f"until grep -qs ^look $T/out; do sleep 1; done; {ask}; wait $!; cat $T/out")


TRANSLATED = (r"^cpu 0 ea 0xc000000000100000, msr 0x[0-9a-f]+$", r"^real 0x100000, page 2\^\d+$")
TRANSLATE = "paprika debug -n a translate 0xc000000000100000"
NOWHERE = "paprika debug -n a translate 0x1234567812345678; echo status $?"
LOOK_CASES = (
    Case("Linux resizes its table, which is checked and translates, hpt user",
         looked_at("hpt", f"-c 2 --hpt user {CHECK}", RESIZE,
                   f"paprika debug -n a hpt; {TRANSLATE}; {NOWHERE}"),
         ("powernv9",), err=SAME, timeout=400, needs=(KERNELS["6.1"], INITRD),
         out=(SAME.replace(r"\d+ bytes", "21 bytes"), TRANSLATED[0],
              r"^slb \d+: vsid 0x[0-9a-f]+, segment of (1T|256M), base page 2\^\d+$",
              r"^entry 0x[0-9a-f]+, (primary|secondary) group: ", TRANSLATED[1],
              r"^no segment in the SLB\nnot mapped\nstatus 1$", r"^order 23$", r"^order 21$",
              r"^refused$")),
    Case("an address translates in a table that was resized, hpt kernel",
         # Larger: there the address is in another group than it was.
         looked_at("hpt", "-c 2", RESIZE.replace("23 21", "23"), TRANSLATE), ("powernv9",), err="",
         timeout=400, needs=(KERNELS["6.1"], INITRD), out=(*TRANSLATED, r"^order 23$")),
    Case("an address of Linux translates, radix",
         looked_at("radix", "", "echo look; sleep 4", f"{TRANSLATE}; {NOWHERE}"), ("powernv9",),
         err="", timeout=200, needs=(KERNELS["6.1"], INITRD),
         out=(TRANSLATED[0], r"^process 0$", r"^level 1 at 0x[0-9a-f]+: 0x8[0-9a-f]{15}$",
              TRANSLATED[1], r"^not mapped\nstatus 1$")),
)

CASES = (*CALL_CASES, *DIGEST_CASES, *RANDOM_CASES, *AGREE_CASES, *HARM_CASES, *NO_CASES,
         *LINUX_CASES, *GROW_CASES, *LOOK_CASES)
