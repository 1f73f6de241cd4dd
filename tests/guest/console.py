# SPDX-License-Identifier: GPL-2.0-only
"""The console: input and output of every kind, and every way of ending."""

import random
import subprocess

from suite import Case

HOSTS = ("powernv9",)
CONSOLE = "paprika run -k $G/console.elf"
LINUX = "paprika run -k build/guest/vmlinux -i build/guest/initrd.gz"
SHELL = LINUX + " -p 'console=hvc0 quiet loglevel=3'"
STOPPED = "paprika: stopped from outside"
LOST = r"paprika: [1-9]\d* bytes of console output could not be written"


def lines_of_input(size, first="quiet"):
    """SIZE bytes and some, in lines of all lengths up to 200, of printable characters."""
    chars = bytes(range(33, 127))
    rng, parts, n = random.Random(size), [first.encode() + b"\n"], 0
    while n < size:
        line = bytes(rng.choices(chars, k=rng.randrange(200))) + b"\n"
        parts.append(line)
        n += len(line)
    return b"".join(parts)


def cksum(data):
    """What cksum(1) says, and console.elf."""
    r = subprocess.run(["cksum"], input=data, capture_output=True, check=True)
    crc, size = r.stdout.split()[:2]
    return rf"^console: {size.decode()} bytes, cksum {crc.decode()}, \d+ interrupts$"


def arrived_whole(data):
    return (r"^console: ready$", cksum(data))


POLLED = lines_of_input(100_000)
WITH_IRQ = lines_of_input(100_001, "irq\nquiet")
ECHOED = lines_of_input(30_000, "irq")
# More than the monitor keeps for an output that does not move
TOO_MUCH = lines_of_input(100_000, "irq")
SHORT = b"irq\nfirst\nsecond\n"

INPUT = (
    Case("100 KB through a pipe, polled", CONSOLE, HOSTS, stdin=POLLED + b"quit\n",
         out=arrived_whole(POLLED), err=""),
    Case("100 KB through a pipe, by interrupt", CONSOLE, (*HOSTS, "powernv8", "pseries"),
         stdin=WITH_IRQ + b"quit\n", out=arrived_whole(WITH_IRQ), err=""),
    Case("100 KB by interrupt, -be, -c 2, hpt", "paprika run -k $G/console-be.elf -c 2 --mmu hpt",
         HOSTS, stdin=WITH_IRQ + b"quit\n", out=arrived_whole(WITH_IRQ), err=""),
    Case("30 KB through a pipe come back as they went", CONSOLE, HOSTS,
         stdin=ECHOED + b"quit\n", err="",
         check=lambda r: None if r.out.split(b"console: ready\n", 1)[1].rsplit(b"console:", 1)[0] ==
         b"".join(b"< " + line + b"\n" for line in ECHOED.splitlines()) else "the echo differs"),
    Case("input from a file", f"cat >$T/in; {CONSOLE} <$T/in", HOSTS,
         stdin=WITH_IRQ + b"quit\n", out=arrived_whole(WITH_IRQ), err=""),
    Case("input that comes in pieces",
         f"(printf 'irq\\nfi'; sleep 2; printf 'rst\\nsec'; sleep 1; printf 'ond\\nquit\\n'; "
         f"sleep 5) | {CONSOLE}", HOSTS, out=(r"^< first$", r"^< second$", cksum(SHORT)), err=""),
    # The guest never reads a thing; what is left of the input is nobody's.
    Case("a guest that reads nothing ends with input left", "paprika run -k $G/hello.elf", HOSTS,
         stdin=POLLED * 5, out=(r"^hello from paprika guest$",), err=""),
    Case("input from /dev/null", "paprika run -k $G/hello.elf </dev/null", HOSTS,
         out=(r"^hello from paprika guest$",), err=""),
    Case("input closed", "paprika run -k $G/hello.elf <&-", HOSTS,
         out=(r"^hello from paprika guest$",), err=""),
    Case("all three closed", "paprika run -k $G/hello.elf <&- >&- 2>&-", HOSTS, silent=True,
         err=""),
    Case("no shell where there is no input", SHELL + " </dev/null", HOSTS,
         out=(r"^paprika-guest: ",), trouble="A guest of paprika", err="", timeout=300),
    Case("a guest's shell through a pipe",
         f'echo "echo hello-from-shell; poweroff -f" | {SHELL}', HOSTS,
         out=(r"^hello-from-shell$",), err="", timeout=300),
)

# A pipe that takes no byte more, and that nobody reads.
FULL_PIPE = ("mkfifo $T/p; exec 3<>$T/p; "
             "(timeout 1 cat /dev/zero >$T/p; :) 2>/dev/null")

OUTPUT = (
    Case("output to a file", "paprika run -k $G/hello.elf </dev/null >$T/out; echo status=$?; "
         "cat $T/out", HOSTS, out=(r"^status=0$", r"^hello from", r"^bootargs"), err=""),
    Case("output appended to a file", "echo before >$T/out; paprika run -k $G/hello.elf "
         "</dev/null >>$T/out; cat $T/out", HOSTS,
         out=(r"\Abefore\nhello from", r"^bootargs.*\n\Z"), err=""),
    Case("output to a closed pipe",
         "mkfifo $T/p; (exec 3<$T/p) & { paprika run -k $G/hello.elf </dev/null; "
         "echo status=$? >&2; } >$T/p", HOSTS, err=LOST + r"\nstatus=0"),
    Case("output to a full device", "paprika run -k $G/hello.elf </dev/null >/dev/full", HOSTS,
         err=LOST),
    # The guest must finish for all that, and then the monitor.
    Case("output to a pipe that is full",
         f"cat >$T/in; {FULL_PIPE}; {CONSOLE} <$T/in >$T/p; echo status=$? >&2", HOSTS,
         stdin=TOO_MUCH + b"quit\n", err=LOST + r"\nstatus=0", timeout=60,
         check=lambda r: None if int(r.err.split()[1]) > len(TOO_MUCH)
         else f"fewer bytes told than lost, {len(TOO_MUCH)}"),
    Case("a full pipe that is emptied in time loses nothing",
         f"cat >$T/in; {FULL_PIPE}; (exec 4<$T/p 3>&-; sleep 2; cat <&4 | tr -d '\\0' >$T/out) & "
         f"reader=$!; {CONSOLE} <$T/in >$T/p; s=$?; exec 3>&-; wait $reader; cat $T/out; exit $s",
         HOSTS, stdin=ECHOED + b"quit\n", out=(r"^console: ready$", cksum(ECHOED)), err="", timeout=60),
    Case("SIGTERM while output is stuck",
         f"cat >$T/in; {FULL_PIPE}; {CONSOLE} <$T/in >$T/p & pid=$!; sleep 3; "
         "kill -TERM $pid; wait $pid", HOSTS, 12,
         stdin=ECHOED, err=LOST + "\n" + STOPPED, timeout=30),
    Case("output to a slow reader is whole",
         f"cat >$T/in; {CONSOLE} <$T/in | (while dd bs=8192 count=1 2>/dev/null | grep . ; "
         "do usleep 20000; done)", HOSTS, stdin=ECHOED + b"quit\n", out=(cksum(ECHOED),), err=""),
)


def signalled(signal):
    """The monitor in front, and beside it who signals it once its guest is up."""
    return ("export T G; mkfifo $T/in; exec 3<>$T/in; (until grep -q ready $T/out; do "
            f"usleep 200000; done; kill -{signal} $(cat $T/pid)) & "
            f"sh -c 'echo $$ >$T/pid; exec {CONSOLE}' <$T/in >$T/out")


SIGNALS = (
    *(Case(f"SIG{name} ends it", signalled(name), HOSTS, 12, err=STOPPED,
           timeout=60) for name in ("TERM", "INT", "HUP", "QUIT")),
    Case("SIGSTOP and SIGCONT",
         f"mkfifo $T/in; {CONSOLE} <$T/in >$T/out & pid=$!; exec 3>$T/in; "
         "until grep -q ready $T/out; do usleep 200000; done; kill -STOP $pid; "
         "echo meanwhile >&3; sleep 2; grep State /proc/$pid/status; grep -c meanwhile $T/out; "
         "kill -CONT $pid; echo quit >&3; wait $pid; s=$?; cat $T/out; exit $s", HOSTS,
         out=(r"State:\s+T", r"^0$", r"^< meanwhile$", r"^console: 10 bytes"), err=""),
)


def on_terminal(command, when_raw=None):
    """Run COMMAND, WHEN_RAW beside it, and say whether the terminal is as it was."""
    beside = ("tty=$(tty); (until stty -a <$tty | grep -q -e -isig; do usleep 200000; done; "
              f"{when_raw}) & " if when_raw else "")
    return (f"export T G F; {beside}stty -g >$T/before; {command}; echo status=$?; "
            "stty -g >$T/after; cmp $T/before $T/after && echo terminal as before")


AS_BEFORE = r"^terminal as before$"

TERMINAL = (
    Case("terminal: typed and echoed once, restored at the end", on_terminal(CONSOLE), HOSTS,
         talk=((b"console: ready", b"typed\r"), (b"< typed\n", b"quit\r")),
         out=(r"^< typed$", cksum(b"typed\n"), r"^status=0$", AS_BEFORE)),
    Case("terminal: raw, so that Ctrl-C and Ctrl-Z are the guest's",
         on_terminal(CONSOLE, "echo is raw"), HOSTS,
         talk=((b"is raw", b"\x03\x1a\r"), (b"< \x03\x1a", b"quit\r")),
         out=(r"is raw", cksum(b"\x03\x1a\n"), r"^status=0$", AS_BEFORE)),
    Case("terminal: Ctrl-A x quits", on_terminal(CONSOLE), HOSTS,
         talk=((b"console: ready", b"a\r"), (b"< a", b"b\x01x")),
         out=(r"^< a$", r"^paprika: stopped from outside$", r"^status=12$", AS_BEFORE)),
    Case("terminal: Ctrl-A and x apart quit", on_terminal(CONSOLE), HOSTS,
         talk=((b"console: ready", b"a\r\x01"), (b"< a", b"x")),
         out=(r"^status=12$", AS_BEFORE)),
    Case("terminal: Ctrl-A Ctrl-A sends one", on_terminal(CONSOLE), HOSTS,
         talk=((b"console: ready", b"\x01\x01q\r"), (b"< \x01q", b"quit\r")),
         out=(r"^< \x01q$", cksum(b"\x01q\n"), r"^status=0$", AS_BEFORE)),
    Case("terminal: Ctrl-A and another key send both", on_terminal(CONSOLE), HOSTS,
         talk=((b"console: ready", b"\x01b\r"), (b"< \x01b", b"quit\r")),
         out=(r"^< \x01b$", cksum(b"\x01b\n"), r"^status=0$", AS_BEFORE)),
    Case("terminal: Ctrl-A x while the guest reads nothing",
         on_terminal("paprika run -k $F/spin.elf", "echo is raw"), HOSTS,
         talk=((b"is raw", b"x" * 3000 + b"\x01x"),), out=(r"^status=12$", AS_BEFORE), timeout=60),
    *(Case(f"terminal: restored after SIG{name}",
           on_terminal(f"sh -c 'echo $$ >$T/pid; exec {CONSOLE}'",
                       f"sleep 1; kill -{name} $(cat $T/pid)"), HOSTS,
           talk=((b"console: ready", b""),), out=(r"^status=12$", AS_BEFORE), timeout=60)
      for name in ("TERM", "INT", "HUP")),
    Case("terminal: restored after a panic", on_terminal("paprika run -k $G/panic.elf"), HOSTS,
         talk=((b"", b""),), out=(r"^status=11$", AS_BEFORE)),
    Case("terminal: restored after an error", on_terminal("paprika run -k $F/x86.elf"), HOSTS,
         talk=((b"", b""),), out=(r"^status=1$", AS_BEFORE)),
    Case("terminal: a guest's shell", on_terminal(SHELL), HOSTS,
         talk=((b" # ", b"(sleep 2; echo $((6*7))) & sleep 1000\r"),
               (b"\n42\r\n", b"\x03"),
               (b" # ", b"exit\r")),
         out=(r"^42$", r"^status=0$", AS_BEFORE), timeout=120),
)

CASES = (*INPUT, *OUTPUT, *SIGNALS, *TERMINAL)
