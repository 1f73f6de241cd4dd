# SPDX-License-Identifier: GPL-2.0-only
"""QEMU's own monitor, to look at the emulated machine from outside."""

import contextlib
import json
import re
import threading

from .common import LabError

# Of MSR: the hypervisor's, not a guest's; a program's, not a kernel's.
MSR_HV, MSR_PR = 1 << 60, 1 << 14

# A QEMU that says nothing for so long, in seconds, hangs.
ANSWER = 20


class Monitor:
    """SOCK is the other end of a monitor in QEMU's control mode (QMP)."""

    def __init__(self, sock):
        self._sock, self._ready = sock, False
        self._one = threading.Lock()    # command at a time
        sock.settimeout(ANSWER)
        self._file = sock.makefile("rw", encoding="utf-8")

    def close(self):
        # What QEMU never took is to be lost.
        with contextlib.suppress(OSError):
            self._file.close()
        self._sock.close()

    def _command(self, name, **arguments):
        self._file.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        self._file.flush()
        # Greetings and events come in between.
        for line in self._file:
            answer = json.loads(line)
            if "error" in answer:
                raise LabError(f"QEMU's monitor: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
        raise LabError("QEMU's monitor has gone")

    def ask(self, line):
        """What it answers to a LINE as people type it, like "info registers -a"; or LabError."""
        try:
            with self._one:
                if not self._ready:
                    self._command("qmp_capabilities")
                    self._ready = True
                return self._command("human-monitor-command", **{"command-line": line})
        except (OSError, ValueError):
            # It was closed, or the answer does not come, now or before.
            raise LabError("QEMU's monitor does not answer") from None

    def where(self):
        """(address of the next instruction, MSR) of each CPU: one after the other, while
        they run, so that no two are of exactly the same time."""
        text = self.ask("info registers -a")
        return [(int(nip, 16), int(msr, 16)) for nip, msr in
                re.findall(r"^NIP ([0-9a-f]+).*?^MSR ([0-9a-f]+)", text, re.M | re.S)]
