# SPDX-License-Identifier: GPL-2.0-only
"""How it is noticed that nothing moves, and who is named."""

import os
import select
import signal
import subprocess
import time

from harness import OUT
from fuzz import hang, machine
from lab import LabError, Result


class Box:
    """Of a box as a Watch sees it: its command says things, and minds signals, or not."""
    def __init__(self, says, minds):
        self.says, self.minds, self.asked = says, minds, []
        self.monitor, self.ended = self, False

    def ask(self, line):
        self.asked.append(line)
        self.ended |= line == "quit"
        return f"answer to {line}\n"

    def command(self, argv, stdin, out, err, signals):
        del argv, stdin, err
        for seconds in self.says:
            time.sleep(seconds)
            out.put(b"hcall-fuzz: cpu=0 at=1\n")
            if self.minds and select.select([signals], [], [], 0)[0]:
                return Result(124)
        if self.minds is None:
            return Result(0)
        while not self.ended:
            if select.select([signals], [], [], 0.1)[0] and signals.take() and self.minds:
                return Result(124)
        raise LabError("it has died")


def hangs():
    """What stands still is noticed, asked, and ended if it does not answer."""
    # What it says when; if it minds signals, None: it ends; limits; seconds it takes; how it ends
    rows = (((0.1,), None, (9, 9, 9), 1, "ends"), ((0.1,), True, (1, 1, 9), 3, "asked"),
            ((0.1,), False, (1, 1, 9), 4, "gone"), ((), True, (1, 9, 9), 3, "asked"),
            # Its steps take time; and it speaks for ever.
            ((0.6, 0.6, 0.6, 0.6), None, (1, 0.5, 9), 4, "ends"),
            ((0.1,) * 20, True, (9, 9, 1), 4, "asked"), ((0.1,), True, (0, 9, 1), 3, "asked"))
    there, hang.ANSWER, wrong = hang.ANSWER, 1, []
    for n, (says, minds, limits, seconds, how) in enumerate(rows):
        box, began, died = Box(says, minds), time.monotonic(), False
        watch = hang.Watch(box, *limits)
        try:
            watch.run(["true"])
        except LabError:
            died = True
        took = time.monotonic() - began
        now = "gone" if died and watch.gone else "asked" if watch.asked else "ends"
        registers = box.asked[:1] == ["info registers -a"] and watch.registers
        if now != how or took > seconds or bool(registers) != (how != "ends"):
            wrong.append(f"row {n}: {now} after {took:.1f} s, not {how}; {box.asked}")
    hang.ANSWER = there
    return wrong


def looks():
    """watch.sh, by programs in the place of the monitor and of busybox."""
    path = os.path.join(OUT, "bin")
    os.makedirs(path)
    for name, text in (("usleep", "exec sleep 0.2"), ("pidof", ":"),
                       ("paprika", '[ "$1" = debug ] || exec sleep 100; $ANSWERS')):
        with open(os.path.join(path, name), "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\n{text}\n")
        os.chmod(f.name, 0o755)
    wrong = []
    for answers, expected in (("echo calls", "debug=0 calls=stand"),
                              ("cat /proc/uptime", "debug=0 calls=come"),
                              ("sleep 100", "debug=124 calls=stand")):
        env = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "ANSWERS": answers,
               "ANSWER": "3"}
        env.pop("PAPRIKA_BOX", None)
        with subprocess.Popen(["sh", machine.WATCH, "x", "paprika", "run"], text=True, env=env,
                              stderr=subprocess.PIPE, start_new_session=True) as process:
            time.sleep(1)
            os.killpg(process.pid, signal.SIGUSR2)
            began = time.monotonic()
            _, err = process.communicate(timeout=60)
        looked = err.partition(machine.LOOK)[2]
        if f"watch: hangs {expected}\n" not in looked or process.returncode != 124:
            wrong += [f"{answers}: status {process.returncode}", *err.splitlines()]
        if ": system call " not in looked:
            wrong += [f"{answers}: no processes", *err.splitlines()]
        if time.monotonic() - began > hang.ANSWER / 2:
            wrong.append(f"{answers}: it took {time.monotonic() - began} s")
    return wrong
