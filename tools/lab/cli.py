# SPDX-License-Identifier: GPL-2.0-only
"""The command line of tools/box."""

import argparse
import os
import shutil
import signal
import struct
import sys
import termios
import tty

from . import direct
from .box import OWN, Box, _Input, _Output
from .common import CACHE, LAB_FAILED, MACHINES, TOP, LabError, say

HELP = """\
Run a command on an emulated POWER host with real KVM, and end.

The checkout, the cache of tools/setup and the current directory are shared at
their own places; the terminal, input, output, signals and the exit status pass
through. Without a command: a shell. On a POWER host with /dev/kvm the command
runs directly.
"""

STATUS = """\
exit status: that of the command; 128+N if signal N ended it; 125 if the lab
failed: the machine did not start, died or does not answer, its kernel reported
a fault (oops, BUG, WARNING, lockdep, stall), or a guest panicked and the command
did not tell.
"""

GUEST_PANIC = b"Kernel panic - not syncing"


class Signals:
    """Signals as something to poll: the first of a kind is for the command."""

    WATCHED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGWINCH)

    def __init__(self):
        self._pipe = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._asked = 0
        signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for number in self.WATCHED:
            signal.signal(number, self._note)

    def _note(self, number, _):
        # Asked again, the box itself ends; a Ctrl-C in a hurry is one question.
        if number != signal.SIGWINCH:
            self._asked += 1
            if self._asked > 1:
                raise SystemExit(128 + number)

    def fileno(self):
        return self._pipe[0]

    def take(self):
        return os.read(self._pipe[0], 512)


class Terminal:
    """The user's terminal in raw mode; as it was, on every way out."""

    def __init__(self):
        self.saved = None

    def __enter__(self):
        self.saved = termios.tcgetattr(0)
        tty.setraw(0)
        return self

    def __exit__(self, *_):
        termios.tcsetattr(0, termios.TCSADRAIN, self.saved)

    @staticmethod
    def window():
        size = os.get_terminal_size(0)
        return size.lines, size.columns


def parse(argv):
    parser = argparse.ArgumentParser(
        prog="box", description=HELP, epilog=STATUS, usage="%(prog)s [options] [--] [CMD ARG...]",
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = parser.add_argument
    add("-M", "--machine", default="powernv9", choices=MACHINES, metavar="HOST",
        help=f"{' '.join(MACHINES)} (nested KVM); default powernv9")
    add("-c", "--cpus", type=int, metavar="N", help="CPUs; default 2, with --icount 1")
    add("--threads", type=int, default=1, choices=(1, 2, 4, 8), metavar="T",
        help="threads a core; default 1, which is all that KVM of powernv8 runs with")
    add("-m", "--mem", default="4G", metavar="SIZE", help="memory; default 4G")
    add("-k", "--kernel", default="6.1", help="a name in build/kernels, or a vmlinux; default 6.1")
    add("-i", "--icount", action="store_true",
        help="exact: an instruction a nanosecond; see docs/LAB.md")
    add("-a", "--append", default="", metavar="ARGS", help="more on the kernel's command line")
    add("--share", action="append", default=[], metavar="DIR", help="share another directory")
    add("--warm", action="append", default=[], metavar="FILE",
        help="with --icount: have this file in memory before the command starts")
    add("--batch", metavar="FILE",
        help="run each line of FILE (- is standard input) by a shell, in one boot")
    add("-g", "--gdb", type=int, metavar="PORT",
        help="let gdb look at the host: target remote :PORT")
    add("-v", "--verbose", action="store_true", help="show firmware, kernel and what is done")
    add("cmd", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.cmd[:1] == ["--"]:
        del args.cmd[0]
    if args.cpus is not None and args.cpus < 1:
        parser.error(f"CPUs: {args.cpus} is not at least 1")
    if args.gdb is not None and not 1 <= args.gdb <= 65535:
        parser.error(f"port for gdb: {args.gdb} is not 1 to 65535")
    if args.batch and args.cmd:
        parser.error("a command and --batch exclude each other")
    return args


def run_one(box, cmd, args, stdin, signals, stdout=1):
    """Run CMD with the user's own files. Returns its status."""
    terminal = stdin == 0 and os.isatty(0) and os.isatty(1)
    out, err = _Output(fd=stdout, watch=GUEST_PANIC), _Output(fd=2, watch=GUEST_PANIC)
    source = _Input(fd=stdin) if stdin is not None else _Input()
    common = {"cwd": working_directory(), "warm": args.warm, "signals": signals}
    if terminal:
        with Terminal() as term:
            result = box.command(cmd, source, out, err, tty=True, window=term.window, **common)
    else:
        result = box.command(cmd, source, out, err, **common)
    if args.verbose:
        say(f"{cmd[0]}: status {result.status}, {result.ns} "
            f"{'instructions' if args.icount else 'ns'}")
    panic = out.seen or err.seen
    if panic and not result.status:
        say(f"a guest panicked: {panic.decode(errors='replace')}")
        return LAB_FAILED
    return result.status


def run_batch(box, args, signals):
    """Run a shell line after another. Returns the first status that is not 0."""
    with open(0 if args.batch == "-" else args.batch, encoding="utf-8") as f:
        lines = [line.strip() for line in f]
    first = 0
    for line in lines:
        if not line or line.startswith("#"):
            continue
        status = run_one(box, ["sh", "-c", line], args, None, signals)
        print(f"# status {status}: {line}", flush=True)
        first = first or status
    return first


def working_directory():
    here = os.path.realpath(os.getcwd())
    return "/" if here.split("/")[1] in OWN and not here.startswith((TOP, CACHE)) else here


def emulated(args):
    signals = Signals()
    here = working_directory()
    shares = args.share + ([here] if here != "/" else [])
    with Box(args.machine, args.cpus, args.mem, args.kernel, args.icount, args.verbose, shares,
             args.append, args.threads, args.gdb) as box:
        if args.verbose:
            say(f"Linux {box.release} on {args.machine} is up after {box.boot_seconds:.1f} s")
        if args.batch:
            status = run_batch(box, args, signals)
        else:
            status = run_one(box, args.cmd or ["sh"], args, 0, signals)
        faults = box.faults()
    if faults:
        say("the host's kernel reported a fault:")
        at = max(0, box.log.index(faults[0]) - 2)
        for line in box.log[at:at + 40]:
            print(line, file=sys.stderr)
        if status:
            say(f"the command's own status was {status}")
        return LAB_FAILED
    return status


def main(argv):
    args = parse(argv)
    try:
        if direct.possible() and not args.icount:
            return direct.main(args)
        return emulated(args)
    except LabError as e:
        for line in e.detail:
            print(f"  {line}", file=sys.stderr)
        say(e)
        return LAB_FAILED
