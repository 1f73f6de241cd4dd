# SPDX-License-Identifier: GPL-2.0-only
"""The lab on a real POWER host: commands run here and now."""

import os
import platform
import subprocess
import time

from . import klog
from .box import Result, shell_status
from .common import BUILD, TOP, say


def possible():
    """Is this a little-endian POWER host with KVM?"""
    return platform.machine() == "ppc64le" and os.path.exists("/dev/kvm")


def environment():
    return {**os.environ, "PATH": os.path.join(BUILD, "ppc64le") + ":" +
            os.environ.get("PATH", "/usr/bin:/bin"), "PAPRIKA_BOX": "direct"}


class Direct:
    """The interface of Box, without one."""

    KMSG = "/dev/kmsg"
    told = False    # that it cannot be read: once

    def __init__(self, verbose=False, **_):
        self.machine, self.release, self.boot_seconds = "direct", platform.release(), 0.0
        self.icount, self.verbose, self.log, self.complaints = False, verbose, [], []
        self._kmsg = self._open_log()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Idempotent."""
        if self._kmsg is not None:
            os.close(self._kmsg)
        self._kmsg = None

    def _open_log(self):
        """The kernel's log from here on, or None."""
        try:
            fd = os.open(self.KMSG, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            os.lseek(fd, 0, os.SEEK_END)
            return fd
        except OSError as e:
            if not Direct.told:
                say(f"{self.KMSG}: {e.strerror}: faults of the host's kernel are not seen")
            Direct.told = True
            return None

    def _records(self):
        """Those that came since the last call."""
        records = b""
        while self._kmsg is not None:
            try:
                record = os.read(self._kmsg, 16384)
            except BlockingIOError:
                break
            except BrokenPipeError:
                # As the agent of a box says it.
                record = b"4,0,0,-;lab: kernel log records were lost\n"
            if not record:
                break
            records += record
        return records

    def faults(self):
        """Fault lines in the kernel log since this was made, whoever caused them."""
        self.log += klog.parse(self._records())
        return klog.faults(self.log)

    def run(self, argv, stdin=b"", timeout=None, cwd=None, tty=False, env=None, warm=()):
        """As Box.run(); there is no terminal here to be had with TTY."""
        del tty, warm
        began = time.monotonic_ns()
        result = Result(0)
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=cwd or TOP,
                              env={**environment(), **(env or {})}, start_new_session=True) as p:
            try:
                result.out, result.err = p.communicate(stdin, timeout)
            except subprocess.TimeoutExpired:
                result.timed_out = True
                os.killpg(p.pid, 9)
                result.out, result.err = p.communicate()
        result.ns = time.monotonic_ns() - began
        result.status = p.returncode if p.returncode >= 0 else 128 - p.returncode
        return result


def main(args):
    """tools/box on such a host."""
    if args.verbose:
        say("this host has KVM: running directly")
    os.environ.update(environment())
    if args.batch:
        first = 0
        with open(0 if args.batch == "-" else args.batch, encoding="utf-8") as f:
            lines = f.read().splitlines()
        for line in lines:
            if line.strip() and not line.startswith("#"):
                status = shell_status(os.system(line))
                print(f"# status {status}: {line}", flush=True)
                first = first or status
        return first
    cmd = args.cmd or ["sh"]
    try:
        os.execvp(cmd[0], cmd)
    except OSError as e:
        say(f"{cmd[0]}: {e.strerror}")
        return 127 if isinstance(e, FileNotFoundError) else 126
