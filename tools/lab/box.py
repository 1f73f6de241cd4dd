# SPDX-License-Identifier: GPL-2.0-only
"""A box: one emulated POWER host, and commands that run in it.

    with Box(machine="powernv9", cpus=2) as box:
        result = box.run(["uname", "-a"])
        print(result.status, result.out)
"""

import itertools
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass

from . import initrd, klog, qemu
from .common import BUILD, CACHE, TOP, LabError, say
from .monitor import Monitor

# Frames of the agent's protocol: see agent/agent.h.
HEAD = struct.Struct(">IB")
RUN_TTY, RUN_EXACT = 1, 2
WINDOW = 256 * 1024

# Seconds between looks at the console, for a panic that cannot end the machine.
LOOK = 0.2

# A host whose agent leaves a request without an answer for so long, in seconds, is stuck; so
# is one where a command is still there so long after it was killed.
ANSWER = 60

# Lines of a log that are shown with a failure.
EXCERPT = 25
# Failed boxes whose logs are kept under build/lab.
FAILURES_KEPT = 8

# What comes before the box's own programs on PATH.
PATH_DIRS = (os.path.join(BUILD, "ppc64le"), os.path.join(TOP, "tools/lab/bin"))

# After one of these on the console nothing more is to be had from a machine.
HOST_END = re.compile(rb"Kernel panic - not syncing|[Hh]ard LOCKUP|OPAL: Reboot request")

# No sign of life on the console for so long, in seconds, means that firmware
# hangs: emulated machines of several CPUs do so once in a while.
SILENCE = (20, 40, 80)

# Of the box's own system: what is mounted over these would hide it.
OWN = ("bin", "dev", "etc", "init", "lab", "lib", "proc", "root", "run", "sbin", "sys", "usr",
       "var")

APPEND = (
    "console=hvc0 loglevel=5"
    # A fault of the host ends it, and QEMU with it, at once.
    " panic=-1 oops=panic"
    # Room for everything since boot; an emulated CPU may be off for long on a
    # busy machine, which is no stall.
    " log_buf_len=4M rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
    # Not needed here, and slow when emulated.
    " cryptomgr.notests apparmor=0 audit=0")


@dataclass
class Result:
    """How a command ended."""
    status: int            # as a shell gives it: 128 + N for signal N
    out: bytes = b""
    err: bytes = b""
    ns: int = 0            # by the box's clock; under --icount: instructions
    timed_out: bool = False


def shell_status(wait_status):
    """The exit status that a shell shows."""
    if os.WIFSIGNALED(wait_status):
        return 128 + os.WTERMSIG(wait_status)
    return os.WEXITSTATUS(wait_status)


class Box:
    """Boots on construction. Raises LabError whenever the lab itself fails."""

    def __init__(self, machine="powernv9", cpus=None, mem="4G", kernel="6.1", icount=False,
                 verbose=False, shares=(), append="", threads=1, gdb=None):
        self.machine, self.icount, self.verbose = machine, icount, verbose
        self.threads = threads      # a core
        self.gdb = gdb              # where QEMU listens for it: a TCP port
        self.cpus = cpus or (1 if icount else 2)
        self.boot_seconds = 0.0
        self.log = []               # the host kernel's log, as far as it was read
        self._qemu = self._sock = None
        self.monitor = None         # see monitor.py
        self._rx, self._tx, self._frames = bytearray(), bytearray(), []
        self._console_seen = 0      # bytes of it that were looked at

        label, vmlinux, modules = qemu.find_kernel(kernel)
        image = initrd.build(label, modules)
        self._shares = self._list_shares(shares)
        self._dir = self._make_dir()
        self._console = os.path.join(self._dir, "console")
        if icount:
            # The same addresses every time.
            append += " norandmaps nokaslr"

        began = time.monotonic()
        for attempt, silence in enumerate(SILENCE):
            try:
                self._boot(mem, vmlinux, image, f"{APPEND} {append}", silence)
                break
            except TimeoutError:
                self._kill()
                if attempt + 1 == len(SILENCE):
                    raise self._failure(f"the emulated {machine} does not boot") from None
                if verbose:
                    say(f"no sign of life for {silence} s: starting the machine again")
            except BaseException:
                self.close()
                raise
        self.boot_seconds = time.monotonic() - began

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---------------------------------------------------------- start and end

    @staticmethod
    def _list_shares(extra):
        """(tag, path) of what the box sees at its own place: checkout, cache, more."""
        paths = []
        for path in sorted({os.path.realpath(p) for p in (TOP, CACHE, *extra)
                            if os.path.isdir(p)}, key=len):
            if path == "/" or path[1:] in OWN:
                raise LabError(f"{path} cannot be shared: the box has its own")
            # A directory in another that is shared comes with it.
            if not any(path.startswith(p + "/") for p in paths):
                paths.append(path)
        return [(f"share{n}", path) for n, path in enumerate(paths)]

    @staticmethod
    def _make_dir():
        """A directory for this box's logs; those of boxes that were killed go."""
        lab = os.path.join(BUILD, "lab")
        for name in os.listdir(lab):
            found = re.fullmatch(r"box-(\d+)-\d+", name)
            if found and not os.path.exists(f"/proc/{found.group(1)}"):
                shutil.rmtree(os.path.join(lab, name), ignore_errors=True)
        for n in itertools.count():
            path = os.path.join(lab, f"box-{os.getpid()}-{n}")
            if not os.path.exists(path):
                os.mkdir(path)
                return path

    def _keep_logs(self):
        """Put the logs of a failure where the next boxes let them be, the last few."""
        lab = os.path.dirname(self._dir)
        kept = os.path.join(lab, f"failed-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")
        if not os.path.exists(kept):
            os.rename(self._dir, kept)
            self._dir, self._console = kept, os.path.join(kept, "console")
        for old in sorted(n for n in os.listdir(lab) if n.startswith("failed-"))[:-FAILURES_KEPT]:
            shutil.rmtree(os.path.join(lab, old), ignore_errors=True)

    def _boot(self, mem, vmlinux, image, append, silence):
        """Start QEMU and wait for the agent. TimeoutError if nothing moves."""
        ours, theirs = socket.socketpair()
        self._rx, self._tx, self._frames, self._console_seen = bytearray(), bytearray(), [], 0
        open(self._console, "wb").close()
        monitor, far = socket.socketpair()
        with theirs, far:
            files = theirs.fileno(), far.fileno()
            args = qemu.command(self.machine, self.cpus, self.threads, mem, vmlinux, image,
                                append, self.icount, self._console, *files, self._shares,
                                self.gdb)
            self._qemu = qemu.start(args, files, os.path.join(self._dir, "qemu"))
        self._sock, self.monitor = ours, Monitor(monitor)
        ours.setblocking(False)

        last, size = time.monotonic(), 0
        while not self._frames:
            self._pump(0.1)
            new = os.path.getsize(self._console)
            if new != size:
                last, size = time.monotonic(), new
            elif time.monotonic() - last > silence:
                raise TimeoutError
        kind, payload = self._frames.pop(0)
        if kind != b"H":
            raise self._failure("the lab's agent speaks another language")
        self.release, *complaints = payload.decode(errors="replace").splitlines()
        self.complaints = complaints
        if self.verbose:
            for line in complaints:
                say(f"module not loaded: {line}")
        for tag, path in self._shares:
            # The cache does not change under us, the checkout may.
            cache = "loose" if path == os.path.realpath(CACHE) else "mmap"
            self._request(b"m", tag, path, f"trans=virtio,version=9p2000.L,msize=1048576,"
                          f"cache={cache},access=any")
        self.log += klog.parse(self._dmesg())

    def _kill(self):
        if self._qemu:
            self._qemu.kill()
            self._qemu.wait()
            self._qemu = None
        for end in (self._sock, self.monitor):
            if end:
                end.close()
        self._sock = self.monitor = None

    def close(self):
        """Write everything back and end. Idempotent; never raises."""
        try:
            if self._qemu and self.boot_seconds:
                self._request(b"b")
        except LabError as e:
            say(e)
        self._kill()
        if os.path.basename(self._dir).startswith("box-"):
            shutil.rmtree(self._dir, ignore_errors=True)

    def _stuck(self):
        """A LabError that tells, before the last of the log, where each CPU is."""
        try:
            where = [f"CPU {n}: NIP {nip:016x} MSR {msr:016x}"
                     for n, (nip, msr) in enumerate(self.monitor.where())]
        except LabError as e:
            where = [str(e)]
        return self._failure(f"the emulated {self.machine} does not answer", where)

    def _failure(self, text, known=()):
        """A LabError with what is KNOWN and the last of what the machine said; its log is kept."""
        self._kill()
        self._keep_logs()
        with open(self._console, "rb") as f:
            lines = f.read().decode(errors="replace").replace("\r", "").splitlines()
        with open(os.path.join(self._dir, "qemu"), "rb") as f:
            lines += f.read().decode(errors="replace").splitlines()
        lines = [line for line in lines if line.strip()]
        # From where things went wrong, if that can be told.
        first = klog.faults(lines)[:1]
        at = max(0, lines.index(first[0]) - 2) if first else len(lines) - EXCERPT
        where = os.path.relpath(self._console)
        return LabError(f"{text}; its console is in {where}",
                        [*known, *lines[max(0, at):][:EXCERPT]])

    # ---------------------------------------------------------- the wire

    def _send(self, kind, payload=b""):
        self._tx += HEAD.pack(len(payload), kind[0]) + payload

    def _pump(self, timeout, also=()):
        """Move bytes to and from the agent; wait at most TIMEOUT seconds.

        ALSO is a list of (fd, events) to wait for; returns {fd: events} of them.
        """
        poll = select.poll()
        poll.register(self._sock, select.POLLIN | (select.POLLOUT if self._tx else 0))
        for fd, events in also:
            poll.register(fd, events)
        timeout = LOOK if timeout is None else min(timeout, LOOK)
        self._look_at_console()
        ready = dict(poll.poll(timeout * 1000))
        events = ready.pop(self._sock.fileno(), 0)
        if events & select.POLLOUT:
            try:
                del self._tx[:self._sock.send(self._tx)]
            except (BlockingIOError, BrokenPipeError, ConnectionResetError):
                pass
        if events & (select.POLLIN | select.POLLHUP | select.POLLERR):
            try:
                data = self._sock.recv(1 << 18)
            except BlockingIOError:
                return ready
            except ConnectionResetError:
                data = b""
            if not data:
                self._host_died()
            self._rx += data
            while len(self._rx) >= HEAD.size:
                length, kind = HEAD.unpack_from(self._rx)
                if len(self._rx) < HEAD.size + length:
                    break
                self._frames.append((bytes([kind]), bytes(self._rx[HEAD.size:HEAD.size + length])))
                del self._rx[:HEAD.size + length]
        return ready

    def _host_died(self):
        code = self._qemu.wait()
        self._look_at_console(final=True)
        if not self._console_seen and code:
            raise self._failure(f"QEMU did not start (status {code})")
        raise self._failure(f"the emulated {self.machine} has died")

    def _look_at_console(self, final=False):
        """Show what is new on the console if that is wanted; end with a panic there."""
        if os.path.getsize(self._console) == self._console_seen:
            return
        with open(self._console, "rb") as f:
            # A line may have come in two pieces.
            back = min(self._console_seen, 80)
            f.seek(self._console_seen - back)
            data = f.read()
        self._console_seen += len(data) - back
        if self.verbose:
            sys.stderr.buffer.write(data[back:])
            sys.stderr.buffer.flush()
        if HOST_END.search(data) and not final:
            # Firmware takes its time to reset the machine. Let the kernel finish
            # what it has to say, and no more.
            try:
                self._qemu.wait(1)
            except subprocess.TimeoutExpired:
                self._qemu.kill()
            self._host_died()

    def _too_late(self, end):
        """Is it after END? Never with gdb, which may stop the machine for as long as it likes."""
        return not self.gdb and time.monotonic() > end

    def _answer(self, kind, patience=1):
        """The payload of the next frame of that KIND."""
        end = time.monotonic() + patience * ANSWER
        while True:
            while self._frames:
                got, payload = self._frames.pop(0)
                if got == kind:
                    return payload
            if self._too_late(end):
                raise self._stuck()
            self._pump(None)

    def _request(self, kind, *strings, patience=1):
        """A request that is answered by DONE."""
        self._send(kind, b"".join(os.fsencode(s) + b"\0" for s in strings))
        why = self._answer(b"D", patience)
        if why:
            raise self._failure(why.decode(errors="replace"))

    def _dmesg(self):
        """Records of the kernel's log since the last call."""
        self._send(b"d")
        records = b""
        while payload := self._answer(b"L"):
            records += payload
        return records

    # ---------------------------------------------------------- commands

    def environment(self):
        """What a command finds set, beyond what the caller asks for."""
        env = {
            "PATH": ":".join((*PATH_DIRS, "/bin")),
            "HOME": "/root", "USER": "root", "TMPDIR": "/tmp",
            "TERM": os.environ.get("TERM", "dumb"), "PS1": "box:\\w# ",
            "PAPRIKA_BOX": self.machine, "PAPRIKA_TOP": TOP,
        }
        env.update((k, v) for k, v in os.environ.items()
                   if k.startswith("PAPRIKA_") or k in ("LANG", "LC_ALL", "TZ", "COLUMNS", "LINES"))
        return env

    def run(self, argv, stdin=b"", timeout=None, cwd=None, tty=False, env=None, warm=(),
            out=None):
        """Run a command, with its input and output in memory. Returns a Result.

        OUT, a bytearray, has the output as it comes, for another thread to see."""
        out, err = bytearray() if out is None else out, bytearray()
        try:
            result = self.command(argv, _Input(data=stdin), _Output(sink=out), _Output(sink=err),
                                  timeout=timeout, cwd=cwd, tty=tty, env=env, warm=warm)
        except LabError as e:
            e.out, e.err = bytes(out), bytes(err)
            raise
        result.out, result.err = bytes(out), bytes(err)
        return result

    def faults(self):
        """Fault lines in the host's kernel log since boot."""
        self.log += klog.parse(self._dmesg())
        return klog.faults(self.log)

    def _warm(self, argv, more, cwd):
        """Copy what an exact run is going to read into memory, as far as one can guess:
        the files that its words name, those asked for, and what PATH leads to."""
        names = set(more)
        for word in re.split(r"[\s=,:;'\"()]+", " ".join(argv)):
            if os.path.isfile(os.path.join(cwd, word)):
                names.add(word)
            if word == "qemu-kvm":
                names.add(os.path.join(BUILD, "sysroot/qemu"))
        pairs = []
        for name in sorted(names):
            path = os.path.realpath(os.path.join(cwd, name))
            pairs += [path, path]
        for directory in PATH_DIRS:
            if os.path.isdir(directory):
                for entry in os.scandir(directory):
                    if entry.is_file() and os.access(entry, os.X_OK):
                        pairs += [entry.path, f"/lab/path/{entry.name}"]
        # QEMU with its libraries takes a while.
        self._request(b"w", *pairs, patience=10)

    def command(self, argv, stdin, stdout, stderr, timeout=None, cwd=None, tty=False, env=None,
                warm=(), window=None, signals=None):
        """Run a command between an _Input and two _Outputs. Returns a Result.

        WINDOW() gives the terminal's (rows, columns). SIGNALS is an object with
        fileno() that is readable, and take(), the signals that came since.
        """
        exact = self.icount and not tty
        if exact:
            self._warm(argv, warm, cwd or TOP)
            env = {"PATH": "/lab/path:/bin", **(env or {})}
        rows, cols = window() if window else (24, 80)
        strings = [cwd or TOP, *argv]
        strings += [f"{k}={v}" for k, v in {**self.environment(), **(env or {})}.items()]
        flags = (RUN_TTY if tty else 0) | (RUN_EXACT if exact else 0)
        self._send(b"r", struct.pack(">BBHHH", flags, 0, rows, cols, len(argv)) +
                   b"".join(os.fsencode(s) + b"\0" for s in strings))

        credit, eof, result = WINDOW, False, Result(0)
        deadline = time.monotonic() + timeout if timeout else None
        grace, killed = (signal.SIGTERM, signal.SIGKILL), None
        while True:
            # Frames go out in order; a full output keeps those behind it waiting.
            while self._frames and not (stdout.pending or stderr.pending):
                kind, payload = self._frames.pop(0)
                if kind == b"O":
                    stdout.put(payload)
                elif kind == b"E":
                    stderr.put(payload)
                elif kind == b"C":
                    credit += struct.unpack(">I", payload)[0]
                elif kind == b"X":
                    status, ns = struct.unpack(">IQ", payload)
                    result.status, result.ns = shell_status(status), ns
                    return result

            also = [(o.fd, select.POLLOUT) for o in (stdout, stderr) if o.pending]
            if not eof and credit:
                if stdin.fd is None:
                    data = stdin.take(credit)
                    credit -= len(data)
                    eof = not data
                    self._send(b"i", data)
                else:
                    also.append((stdin.fd, select.POLLIN))
            if signals:
                also.append((signals.fileno(), select.POLLIN))
            wait = None
            if deadline is not None:
                wait = max(0.0, deadline - time.monotonic())
                if not wait:
                    if killed and self._too_late(killed + ANSWER):
                        raise self._stuck()
                    result.timed_out = True
                    self._send(b"s", bytes([grace[0]]))
                    if grace[0] == signal.SIGKILL:
                        killed = killed or time.monotonic()
                    grace = grace[1:] or grace
                    deadline = time.monotonic() + 2
            ready = self._pump(wait, also)

            for output in (stdout, stderr):
                if output.fd in ready and output.pending and not output.flush():
                    # Nobody reads any more: what a pipe's writer is told.
                    self._send(b"s", bytes([signal.SIGPIPE]))
            if stdin.fd in ready and not eof:
                data = stdin.take(min(credit, 65536))
                if data is not None:
                    credit -= len(data)
                    eof = not data
                    self._send(b"i", data)
            if signals and signals.fileno() in ready:
                for number in signals.take():
                    if number == signal.SIGWINCH:
                        if window and tty:
                            self._send(b"c", struct.pack(">HH", *window()))
                    else:
                        self._send(b"s", bytes([number]))


class _Input:
    """A command's input: bytes in memory, or a file descriptor."""

    def __init__(self, data=b"", fd=None):
        self.data, self.fd, self.at = data, fd, 0

    def take(self, most):
        """Up to MOST bytes; none at the end; None if there is nothing for now."""
        if self.fd is None:
            data = self.data[self.at:self.at + min(most, 65536)]
            self.at += len(data)
            return data
        try:
            return os.read(self.fd, most)
        except BlockingIOError:
            return None
        except OSError:
            return b""  # a terminal that has gone


class _Output:
    """Where a command's output goes: a bytearray, or a file descriptor.

    WATCH, a bytes pattern, is looked for in what passes; .seen is the line.
    """

    def __init__(self, sink=None, fd=None, watch=None):
        self.sink, self.fd, self.watch = sink, fd, watch
        self.pending, self.seen, self._line, self._gone = bytearray(), None, b"", False

    def put(self, data):
        if self.watch:
            *lines, last = (self._line + data).split(b"\n")
            for line in lines + [last]:
                if self.watch in line and not self.seen:
                    self.seen = line.strip(b"\r")
            self._line = last[-4096:]
        if self.fd is None:
            self.sink += data
        elif not self._gone:
            self.pending += data

    def flush(self):
        """Write what can be written without blocking. False if the reader has gone."""
        try:
            # A pipe that is writable takes that much without blocking.
            done = os.write(self.fd, self.pending[:select.PIPE_BUF])
            del self.pending[:done]
        except BlockingIOError:
            pass
        except OSError:
            self.pending.clear()
            self._gone = True
            return False
        return True
