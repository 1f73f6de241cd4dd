# SPDX-License-Identifier: GPL-2.0-only
"""Bad input from the user and from the host: each is refused in one line.

A row is: what is bad, the command, the exit code, what standard error must be, all
of it, and where: NATIVE rows need no KVM, and run on the machine of the build too;
the others only on a POWER host. Standard output stays empty; nothing is left behind.
"""

import os
import shutil
import subprocess
import tempfile
import types

from suite import FILES, TOP, Case, judge

RUN = "paprika run -k $G/hello.elf"
NATIVE, POWER = True, False
USAGE, FAILED = 2, 1

# In all messages: "paprika: " or "paprika VERB: ", then
TABLE = (
    # ---- verbs and options
    ("no verb", "paprika", USAGE, r"no verb given.*help.*", NATIVE),
    ("unknown verb", "paprika frobnicate", USAGE, r"unknown verb 'frobnicate'.*", NATIVE),
    ("empty verb", "paprika ''", USAGE, r".*''.*", NATIVE),
    ("verb of two lines", "paprika \"$(printf 'a\\nb')\"", USAGE, r".*'a.b'.*", NATIVE),
    ("no kernel", "paprika run", USAGE, r"no kernel given \(-k FILE\)", NATIVE),
    ("unknown long option", f"{RUN} --frob", USAGE, r".*option '--frob'", NATIVE),
    ("unknown short option", f"{RUN} -z", USAGE, r"unknown option '-z'", NATIVE),
    ("ambiguous option", f"{RUN} --m 1", USAGE, r".*ambiguous.*'--m'", NATIVE),
    ("value for an option without", f"{RUN} --no-reboot=1", USAGE, r".*'--no-reboot=1'", NATIVE),
    *((f"{option} without a value", f"{RUN} {option}", USAGE,
       rf"option '{option}' needs a value", NATIVE)
      for option in ("-k", "-i", "-p", "-m", "-c", "-n", "--kernel", "--initrd", "--params",
                     "--mem", "--cpus", "--name", "--mmu", "--irqchip", "--sandbox", "--dump-dtb",
                     "--trace-file")),
    ("stray word", f"{RUN} stray", USAGE, r"unexpected word 'stray'", NATIVE),
    ("stray word in front", "paprika run stray -k $G/hello.elf", USAGE,
     r"unexpected word 'stray'", NATIVE),
    ("--mmu", f"{RUN} --mmu large", USAGE, r"mmu 'large' is not one of auto, hpt, radix", NATIVE),
    ("--mmu, empty", f"{RUN} --mmu ''", USAGE, r"mmu '' is not one of auto, hpt, radix", NATIVE),
    ("--irqchip", f"{RUN} --irqchip xive", USAGE, r"irqchip 'xive' is not one of user, kernel",
     NATIVE),
    ("--sandbox", f"{RUN} --sandbox 1", USAGE, r"sandbox '1' is not one of on, log, off", NATIVE),
    ("--tty", f"{RUN} --tty null", USAGE, r"tty 'null' is not one of loop, loop-lsi", NATIVE),
    ("16 terminals that loop", RUN + 16 * " --tty loop", USAGE,
     r"16 terminals that loop, limit 15", NATIVE),
    ("--trace", f"{RUN} --trace=hcall,all,some", USAGE,
     r"trace 'hcall,all,some' is not a list of exit, .*all", NATIVE),
    ("--trace, empty", f"{RUN} --trace=", USAGE, r"trace '' is not a list of .*", NATIVE),
    ("--trace-file alone", f"{RUN} --trace-file /tmp/t", USAGE,
     r"--trace-file '/tmp/t' without --trace", NATIVE),
    ("name of 65 bytes", f"{RUN} -n {'n' * 65}", USAGE, r"name has 65 bytes, limit 64", NATIVE),
    ("command line of 2048 bytes", f"{RUN} -p {'p' * 2048}", USAGE,
     r"kernel command line has 2048 bytes, limit 2047", NATIVE),
    ("command line of 100000 bytes", f"{RUN} -p {'p' * 100000}", USAGE,
     r"kernel command line has 100000 bytes, limit 2047", NATIVE),

    # ---- debug
    ("debug without what", "paprika debug", USAGE,
     r"'' is not what can be looked at: irqchip, calls, hpt, translate", NATIVE),
    ("debug something else", "paprika debug memory", USAGE,
     r"'memory' is not what can be looked at: irqchip, calls, hpt, translate", NATIVE),
    ("debug with a stray word", "paprika debug irqchip stray", USAGE,
     r"unexpected word 'stray'", NATIVE),
    ("debug translate nothing", "paprika debug translate", USAGE,
     r"translate needs an address", NATIVE),
    *((f"debug translate {text!r}", f"paprika debug translate '{text}'", USAGE,
       rf"translate '{text}': no address of 64 bits \(hexadecimal has 0x\)", NATIVE)
      for text in ("", "abc", "0x", "0x10000000000000000", "c000000000000000")),
    ("debug a processor that is none", "paprika debug -c x translate 0", USAGE,
     r"cpu 'x' is not a number", NATIVE),
    ("debug --load of something else", "paprika debug --load f hpt", USAGE,
     r"--load is for irqchip, not hpt", NATIVE),
    ("help of an unknown verb", "paprika help frob", USAGE, r"unknown verb 'frob'", NATIVE),
    ("--hpt", f"{RUN} --hpt both", USAGE, r"hpt 'both' is not one of kernel, user", NATIVE),
    ("--hpt-check alone", f"{RUN} --hpt-check", USAGE, r"--hpt-check without --hpt user", NATIVE),
    ("--hpt user of a radix guest", f"{RUN} --hpt user --mmu radix", USAGE,
     r"--hpt user is for hash guests, not with --mmu radix", NATIVE),
    ("--hpt-order", f"{RUN} --hpt-order 47", USAGE, r"hpt order '47' is not 18 to 46", NATIVE),
    ("--hpt-order that no host has", f"{RUN} --hpt-order 46", FAILED,
     r"cannot allocate a hashed page table of 2\^46 bytes: Cannot allocate memory", POWER),
    ("--hpt-order of a radix guest", f"{RUN} --hpt-order 24 --mmu radix", USAGE,
     r"--hpt-order is for hash guests, not with --mmu radix", NATIVE),
    ("debug, unknown option", "paprika debug --frob irqchip", USAGE,
     r"unknown or misused option '--frob'", NATIVE),
    ("debug --load as JSON", "paprika debug --json --load - irqchip", USAGE,
     r"--load takes lines, not --json", NATIVE),
    ("debug a name of 65 bytes", f"paprika debug -n {'n' * 65} irqchip", USAGE,
     r"name has 65 bytes, limit 64", NATIVE),
    ("debug nobody", "paprika debug -n nobody irqchip", FAILED,
     r"no guest named 'nobody' runs here", NATIVE),

    # ---- memory
    ("memory 0", f"{RUN} -m 0", USAGE, r"memory size '0' is zero", NATIVE),
    *((f"memory {text!r}", f"{RUN} -m '{text}'", USAGE,
       rf"memory size '{text.replace('.', chr(92) + '.')}' is not a number with K, M, G or T",
       NATIVE) for text in ("abc", "-1", "", "M", "1.5G", "0x10", "64MM", "64MiB", "64 ", " 64")),
    *((f"memory {text}", f"{RUN} -m {text}", USAGE,
       rf"memory size '{text}' is larger than 64 bits can count", NATIVE)
      for text in ("99999999999T", "16777216T", "18446744073709551616K", "9" * 60)),
    ("odd memory", f"{RUN} -m 65537K", FAILED,
     r"memory of 65537 KiB is not a multiple of the page size, (64|4) KiB", POWER),
    ("more memory than the host has", f"{RUN} -m 1T", FAILED,
     r"memory of 1048576 MiB is more than the host has, \d+ MiB", POWER),
    ("the most memory that can be said", f"{RUN} -m 16777215T", FAILED,
     r"memory of \d+ MiB is more than the host has, \d+ MiB", POWER),
    ("memory that holds no Linux", "paprika run -k build/guest/vmlinux -m 16M", FAILED,
     r"kernel needs memory up to 0x\w+, but there are 16384 KiB of memory", POWER),
    ("memory that holds no tree", f"{RUN} -m 5M", FAILED,
     r"(no room for the device tree: kernel ends at 0x\w+, memory that it may use at 0x500000, "
     r"\d+ KiB are needed between|kernel needs memory up to 0x\w+, but there are 5120 KiB of "
     r"memory)", POWER),
    ("memory of one page", f"{RUN} -m 64K", FAILED,
     r"kernel needs memory up to 0x\w+, but there are 64 KiB of memory", POWER),
    ("--hugetlb where none are set aside", f"{RUN} --hugetlb -m 1G", FAILED,
     r"(cannot (map|create).*guest memory.*|this host has no huge pages)", POWER),

    # ---- processors
    *((f"CPUs {text!r}", f"{RUN} -c '{text}'", USAGE,
       rf"number of processors '{text}' is not 1 or more", NATIVE)
      for text in ("0", "-1", "abc", "", "1x", " 2")),
    ("CPUs threads=3 alone", f"{RUN} -c threads=3", USAGE,
     r"number of processors 'threads=3' is not 1 or more", NATIVE),
    ("CPUs beyond 32 bits", f"{RUN} -c 4294967296", USAGE,
     r"number of processors '4294967296' is above every limit", NATIVE),
    ("CPUs beyond 64 bits", f"{RUN} -c {'9' * 30}", USAGE,
     r"number of processors '9{30}' is above every limit", NATIVE),
    ("CPUs above KVM's limit", f"{RUN} -c 5000", FAILED,
     r"5000 processors are more than KVM's limit, \d+", POWER),
    ("CPUs far above KVM's limit", f"{RUN} -c 4294967295", FAILED,
     r"4294967295 processors are more than KVM's limit, \d+", POWER),
    *((f"threads {text!r}", f"{RUN} -c 4,threads={text}", USAGE,
       rf"threads '{text}' is not 1, 2, 4 or 8", NATIVE)
      for text in ("3", "0", "16", "-1", "abc", "", "4294967297")),
    ("CPUs that do not fill a core", f"{RUN} -c 3,threads=2", USAGE,
     r"3 processors do not fill cores of 2 threads", NATIVE),
    ("CPUs and something else", f"{RUN} -c 2,sockets=2", USAGE,
     r"'sockets=2' after the number of processors is not threads=T", NATIVE),
    ("CPUs and nothing else", f"{RUN} -c 2,", USAGE,
     r"'' after the number of processors is not threads=T", NATIVE),

    # ---- kernel files
    ("missing kernel", "paprika run -k /nowhere/vmlinux", FAILED,
     r"kernel /nowhere/vmlinux: No such file or directory", NATIVE),
    ("kernel without a name", "paprika run -k ''", FAILED,
     r"kernel : No such file or directory", NATIVE),
    ("missing kernel of two lines", "paprika run -k \"$(printf 'a\\nb')\"", FAILED,
     r"kernel a\?b: No such file or directory", NATIVE),
    ("name too long", f"paprika run -k {'k' * 300}", FAILED,
     r"kernel k{300}: File name too long", NATIVE),
    ("directory as kernel", "paprika run -k $G", FAILED, r"kernel /\S+: is a directory", NATIVE),
    ("file in a file", "paprika run -k $G/hello.elf/x", FAILED,
     r"kernel /\S+hello\.elf/x: Not a directory", NATIVE),
    ("device as kernel", "paprika run -k /dev/zero", FAILED,
     r"kernel /dev/zero: is not a regular file", NATIVE),
    ("pipe as kernel", "mkfifo $T/pipe; paprika run -k $T/pipe", FAILED,
     r"kernel /\S+/pipe: is not a regular file", NATIVE),
    ("empty kernel", "paprika run -k $F/empty", FAILED, r"kernel /\S+/empty: is empty", NATIVE),
    *((f"kernel cut in its header: {name}", f"paprika run -k $F/{name}", FAILED,
       rf"kernel /\S+/{name}: truncated: the file ends within its ELF header", POWER)
      for name in ("one-byte", "cut-15.elf", "cut-63.elf")),
    *((f"kernel cut in its program headers: {name}", f"paprika run -k $F/{name}", FAILED,
       rf"kernel /\S+/{name}: truncated: the file ends within its program headers", POWER)
      for name in ("cut-64.elf", "cut-100.elf")),
    *((f"kernel cut in a segment: {name}", f"paprika run -k $F/{name}", FAILED,
       rf"kernel /\S+/{name}: truncated: the file ends within a segment", POWER)
      for name in ("cut-half.elf", "cut-vmlinux")),
    *((f"compressed kernel that is {what}", f"paprika run -k $F/{name}", FAILED,
       rf"kernel /\S+/{name}: .*(truncated|cannot be read or unpacked|cannot read).*", POWER)
      for what, name in (("cut", "cut.gz"), ("rotten", "rot.gz"))),
    ("text as kernel", "paprika run -k $F/text", FAILED,
     r"kernel /\S+/text: (not an ELF file: it starts with 54 68 69 73|truncated: .*)", POWER),
    ("x86 kernel", "paprika run -k $F/x86.elf", FAILED,
     r"kernel /\S+/x86\.elf: ELF machine is 62, only 21 .*", POWER),
    ("32-bit kernel", "paprika run -k $F/ppc32.elf", FAILED,
     r"kernel /\S+/ppc32\.elf: ELF class is 1, only 2 .*", POWER),
    ("kernel of no byte order", "paprika run -k $F/order-3.elf", FAILED,
     r"kernel /\S+: ELF byte order is 3, neither 1 nor 2", POWER),
    ("object file as kernel", "paprika run -k $F/object.elf", FAILED,
     r"kernel /\S+: ELF type is 1, only 2 and 3 .*", POWER),
    ("kernel without program headers", "paprika run -k $F/no-headers.elf", FAILED,
     r"kernel /\S+: ELF file has 0 program headers, limit 1 to 64", POWER),
    ("kernel with too many of them", "paprika run -k $F/65-headers.elf", FAILED,
     r"kernel /\S+: ELF file has 65 program headers, limit 1 to 64", POWER),
    ("kernel with small ones", "paprika run -k $F/phentsize.elf", FAILED,
     r"kernel /\S+: ELF program headers have 32 bytes, expected 56", POWER),
    ("kernel with nothing in it", "paprika run -k $F/no-segment.elf", FAILED,
     r"kernel /\S+: ELF file has nothing to load", POWER),
    ("segment larger in the file", "paprika run -k $F/filesz.elf", FAILED,
     r"kernel /\S+: ELF segment has 0x40 bytes in the file, 0x3f in all", POWER),
    ("segment beyond 64 bits", "paprika run -k $F/overflow.elf", FAILED,
     r"kernel /\S+: ELF segment at 0xfffffffffffff000 .* of 0x2000 bytes overflows", POWER),
    ("segment beyond any file", "paprika run -k $F/offset.elf", FAILED,
     r"kernel /\S+: ELF segment at 0x400000 \(file offset 0x8000000000000000\) .*", POWER),
    ("segments that overlap by a byte", "paprika run -k $F/overlap.elf", FAILED,
     r"kernel /\S+: ELF segments at 0x400000 and 0x401fff overlap", POWER),
    ("segment within another", "paprika run -k $F/inside.elf", FAILED,
     r"kernel /\S+: ELF segments at 0x400000 and 0x401000 overlap", POWER),
    ("entry outside", "paprika run -k $F/entry.elf", FAILED,
     r"kernel /\S+: ELF entry 0x800000 is not an instruction of any segment", POWER),
    ("entry that is odd", "paprika run -k $F/odd-entry.elf", FAILED,
     r"kernel /\S+: ELF entry 0x400002 is not an instruction of any segment", POWER),
    ("segment that leaves memory by a byte", "paprika run -k $F/leaves-ram.elf -m 64M", FAILED,
     r"kernel needs memory up to 0x4000001, but there are 65536 KiB of memory", POWER),
    ("segment far outside", "paprika run -k $F/far.elf", FAILED,
     r"kernel needs memory up to 0x10000000004, but there are 524288 KiB of memory", POWER),
    ("segment that the bias puts outside", "paprika run -k $F/biased-out.elf -m 64M", FAILED,
     r"kernel needs memory up to 0x4100000, but there are 65536 KiB of memory", POWER),

    # ---- initrds
    ("missing initrd", f"{RUN} -i /nowhere/initrd", FAILED,
     r"initrd /nowhere/initrd: No such file or directory", NATIVE),
    ("directory as initrd", f"{RUN} -i $G", FAILED, r"initrd /\S+: is a directory", NATIVE),
    ("device as initrd", f"{RUN} -i /dev/null", FAILED,
     r"initrd /dev/null: is not a regular file", NATIVE),
    ("empty initrd", f"{RUN} -i $F/empty", FAILED, r"initrd /\S+/empty: is empty", NATIVE),
    ("initrd larger than memory", f"truncate -s 1G $T/i; {RUN} -i $T/i -m 64M", FAILED,
     r"initrd has 1073741824 bytes, room is for \d+ .*", POWER),

    # ---- files to write
    ("device tree to nowhere", f"{RUN} --dump-dtb /nowhere/dtb", FAILED,
     r"device tree /nowhere/dtb: No such file or directory", POWER),
    ("device tree to a directory", f"{RUN} --dump-dtb $G", FAILED,
     r"device tree /\S+: Is a directory", POWER),
    ("device tree to a full device", f"{RUN} --dump-dtb /dev/full", FAILED,
     r"device tree /dev/full: No space left on device", POWER),
    ("trace to nowhere", f"{RUN} --trace --trace-file /nowhere/trace", FAILED,
     r"trace /nowhere/trace: No such file or directory", POWER),
)

# What depends on who asks. SU is how to be somebody else.
SU = 'su -s /bin/sh nobody -c'
COPY = "cp $(command -v paprika) $G/hello.elf $T; chmod 755 $T; "


def in_box(host):
    return None if host.machine != "direct" else "would change this host: only in the lab"


def needs_module(host):
    why = in_box(host)
    if not why and host.run(["sh", "-c", "grep -q ^kvm_hv /proc/modules"]).status:
        why = "kvm_hv is no module of this host"
    return why


def needs_sysctl(host):
    why = in_box(host)
    if not why and host.run(["test", "-e", "/proc/sys/kernel/io_uring_disabled"]).status:
        why = f"Linux {host.release} has no kernel.io_uring_disabled"
    return why


# What, command, standard error, hosts, when to skip
HOST_TABLE = (
    ("unreadable kernel", COPY + "cp $G/hello.elf $T/secret; chmod 0 $T/secret; "
     f'{SU} "$T/paprika run -k $T/secret"', r"kernel /\S+/secret: Permission denied",
     ("powernv9",), None),
    ("unreadable initrd", COPY + "echo >$T/secret; chmod 0 $T/secret; "
     f'{SU} "$T/paprika run -k $T/hello.elf -i $T/secret"',
     r"initrd /\S+/secret: Permission denied", ("powernv9",), None),
    ("no permission for /dev/kvm", COPY + f'{SU} "$T/paprika run -k $T/hello.elf"',
     r"no permission for /dev/kvm \(be root, or a member of group kvm\)", ("powernv9",), in_box),
    ("no /dev/kvm", COPY + "unshare -m sh -c "
     "'mount -t tmpfs none /dev; mknod /dev/null c 1 3; exec '$T'/paprika run -k '$T'/hello.elf'",
     r"no /dev/kvm on this host \(modprobe kvm_hv.*", ("powernv9",), None),
    ("/dev/kvm that is something else", COPY + "unshare -m sh -c "
     "'mount -t tmpfs none /dev; mknod /dev/null c 1 3; mknod /dev/kvm c 1 3; "
     "exec '$T'/paprika run -k '$T'/hello.elf'",
     r"/dev/kvm has API version -25, expected 12", ("powernv9",), None),
    ("kvm_hv not loaded", f"rmmod kvm_hv; {RUN}; s=$?; modprobe kvm_hv || exit 99; exit $s",
     r"KVM-HV is not there: modprobe kvm_hv .*", ("powernv9", "powernv8"), needs_module),
    ("io_uring forbidden", f"sysctl -q kernel.io_uring_disabled=2; {RUN}; s=$?; "
     "sysctl -q kernel.io_uring_disabled=0; exit $s",
     r"io_uring is forbidden .*sysctl kernel\.io_uring_disabled=0 .*", ("powernv9/6.12-64k",),
     needs_sysctl),
)

# The room for an initrd is what the message says, to the byte.
EDGE = """truncate -s 1G $T/i; room=$(paprika run -k $G/hello.elf -m 64M -i $T/i 2>&1 |
    sed -n 's/.*room is for \\([0-9]*\\) .*/\\1/p'); echo "room=$room"
truncate -s $room $T/i; paprika run -k $G/hello.elf -m 64M -i $T/i </dev/null || exit
truncate -s $((room + 1)) $T/i; paprika run -k $G/hello.elf -m 64M -i $T/i </dev/null
s=$?; echo "one more: $((room + 1))"; exit $s"""


def stderr_of(message):
    return rf"paprika( run| debug| help)?: ({message})"


def bad(name, sh, status, message, hosts, skip=None):
    return Case(f"bad input: {name}", f"exec </dev/null; {sh}", hosts, status,
                err=stderr_of(message), lines=1, silent=True, timeout=60, skip=skip)


CASES = (
    *(bad(*row[:4], ("powernv9",)) for row in TABLE),
    *(bad(name, sh, FAILED, message, hosts, skip)
      for name, sh, message, hosts, skip in HOST_TABLE),
    Case("bad input: initrd too large by one byte", EDGE, ("powernv9",), FAILED,
         out=(r"^room=(\d{7,})$", r"^hello from", r"^one more: \d+$"),
         err=stderr_of(r"initrd has \d+ bytes, room is for \d+ .*"), lines=1,
         check=lambda r: None if int(r.err.split()[3]) == int(r.err.split()[8]) + 1
         else "the message's figures are not one apart"),
)

# ---- the same on the machine of the build

PAPRIKA = os.path.join(TOP, "build/native/paprika")
AS_NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups sh -c"

NATIVE_ONLY = (
    ("not POWER", RUN, FAILED, r"this host is \S+, not POWER: .*"),
    ("not POWER, with everything", "paprika run -k $G/hello.elf -i $F/text -m 64M -c 4 -p x",
     FAILED, r"this host is \S+, not POWER: .*"),
    ("unreadable kernel", COPY + "cp $G/hello.elf $T/secret; chmod 0 $T/secret; "
     f'{AS_NOBODY} "$T/paprika run -k $T/secret"', FAILED,
     r"kernel /\S+/secret: Permission denied"),
    ("unreadable initrd", COPY + "echo >$T/secret; chmod 0 $T/secret; "
     f'{AS_NOBODY} "$T/paprika run -k $T/hello.elf -i $T/secret"', FAILED,
     r"initrd /\S+/secret: Permission denied"),
)


def why_not_native(name):
    if os.uname().machine == "ppc64le" and name.startswith("not POWER"):
        return "this is a POWER host"
    if name.startswith("unreadable") and (os.getuid() or not shutil.which("setpriv")):
        return "needs root and setpriv to become somebody else"
    return None


def run_native(counts):
    """The rows that need no KVM, by build/native/paprika."""
    rows = [row[:4] for row in TABLE if row[4] == NATIVE] + list(NATIVE_ONLY)
    for name, sh, status, message in rows:
        label = f"guest/native: bad input: {name}"
        if not counts.wanted(f"native: bad input: {name}"):
            continue
        why = why_not_native(name)
        if not why and not os.path.exists(PAPRIKA):
            why = "there is no build/native/paprika"
        if why:
            counts.skip(label, why)
            continue
        case = bad(name, sh, status, message, ())
        with tempfile.TemporaryDirectory() as scratch:
            env = {**os.environ, "T": scratch, "F": FILES, "G": os.path.join(TOP, "build/guest"),
                   "PATH": f"{os.path.dirname(PAPRIKA)}:{os.environ['PATH']}", "LC_ALL": "C"}
            try:
                r = subprocess.run(["sh", "-c", case.sh], capture_output=True, check=False,
                                   cwd=TOP, env=env, timeout=case.timeout)
                result = types.SimpleNamespace(status=r.returncode, out=r.stdout, err=r.stderr,
                                               timed_out=False)
            except subprocess.TimeoutExpired as e:
                result = types.SimpleNamespace(status=-1, out=e.stdout or b"",
                                               err=e.stderr or b"", timed_out=True)
        wrong = judge(case, result, case.timeout)
        if wrong:
            counts.not_ok(label, wrong)
        else:
            counts.ok(label)
