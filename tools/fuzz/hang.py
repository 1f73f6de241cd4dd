# SPDX-License-Identifier: GPL-2.0-only
"""A guest that comes to no end: ended, after a look at who hangs.

LOCKING: the watch is a thread. It reads what the other adds to `out`, and writes `asked`,
`gone` and `registers`, which are read after it was joined.
"""

import os
import signal
import threading
import time

import lab
from lab.box import _Input, _Output

# Seconds for watch.sh to look and to end, which is several questions to a monitor
ANSWER = 90
# Once a guest has said something: as long again, so many times, and it is late.
PATIENCE = 5


class Watch:
    """Runs watch.sh in a box. A host that does not answer it hangs, and is ended from outside.

    STILL is how many seconds a guest may say nothing for, LEAST how many it always may, as it
    tells how far it is at equal steps; LIMIT is for all. None of STILL, where output is held
    back, is no bound.
    """

    def __init__(self, host, still, least, limit):
        self.host, self.still, self.least, self.limit = host, still, least, limit
        self.out, self.err = bytearray(), bytearray()
        self.asked = False          # it was too late
        self.gone = False           # and the host did not answer
        self.registers = ""         # of the host's processors, then
        self._over = threading.Event()
        self._pipe = ()

    def fileno(self):
        """Of signals, as Box.command() has it."""
        return self._pipe[0]

    def take(self):
        return os.read(self._pipe[0], 512)

    def run(self, argv):
        """As Box.run()."""
        self._pipe = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            result = self.host.command(argv, _Input(), _Output(sink=self.out),
                                       _Output(sink=self.err), signals=self)
        except lab.LabError as e:
            e.out, e.err = bytes(self.out), bytes(self.err)
            raise
        finally:
            self._over.set()
            thread.join()
            for fd in self._pipe:
                os.close(fd)
        result.out, result.err = bytes(self.out), bytes(self.err)
        return result

    def _wait_for_hang(self):
        """False if it ended."""
        began = last = time.monotonic()
        size, longest = 0, 0.0
        while not self._over.wait(0.2):
            now = time.monotonic()
            if len(self.out) != size:
                longest = max(longest, now - last)
                size, last = len(self.out), now
            still = self.still
            if still and size:
                still = min(still, max(self.least, PATIENCE * longest))
            if now - began > self.limit or (still and now - last > still):
                return True
        return False

    def _watch(self):
        if not self._wait_for_hang():
            return
        self.asked = True
        self.registers = ask(self.host, "info registers -a")
        os.write(self._pipe[1], bytes([signal.SIGUSR2]))
        if not self._over.wait(ANSWER):
            self.gone = True
            self.registers += ask(self.host, "info registers -a")
            end(self.host)


def ask(host, line):
    """What QEMU's monitor says to it, or why it does not."""
    try:
        return host.monitor.ask(line)
    except (lab.LabError, OSError, ValueError, AttributeError) as e:
        return f"{line}: {e}\n"


def end(host):
    """Have a host end that may not do so when it is asked."""
    ask(host, "quit")
