# SPDX-License-Identifier: GPL-2.0-only
"""One run: the guest's image, the command in the host, and what is made of its output."""

import gzip
import os
import re
import shlex
from dataclasses import dataclass, field

import suite
from lab import klog
from lab.common import BUILD, TOP
from lab.initrd import Cpio

from .scenario import LIBRARY, SELFTESTS, load, names
from .settings import find_kernel

INITRD = os.path.join(BUILD, "guest/initrd.gz")

# A fault of the guest's kernel ends it, and so does a CPU that stands still. A busy machine lets an
# emulated CPU wait for long.
PARAMS = ("console=hvc0 quiet loglevel=3 oops=panic panic=-1 "
          "rcupdate.rcu_cpu_stall_timeout=120 sysctl.kernel.panic_on_rcu_stall=1 "
          "watchdog_thresh=60 softlockup_panic=1")

# What the guest runs. Of its kernel's log as much as may tell of a fault: klog looks closer.
RUNNER = b"""sh /stress/$1
status=$?
echo stress: log
dmesg | grep -iE 'bug|oops|warn|stall|lock|block|cut here|unable|panic|bad|corr|rss|san|fence' |
	grep -v 'Command line'
echo stress: end of the log
exit $status
"""

TROUBLE = (suite.TROUBLE + r"|^stress: worker|^stress: (\S+ )?stall|soft lockup|hard LOCKUP"
           "|self-detected stall")
RATE = re.compile(r"^stress: (\S+) (\d+) (\S+) (\d+) ms (\d+) mismatches$", re.M)

# Nothing of a run may be left on the host: monitors, whatever has a VM or its memory open,
# sockets with a name, files; but what lies in a mounted directory, as a checkout in /tmp does, is
# not of the host.
LOOK = ("for p in /proc/[0-9]*; do "
        "ls -l $p/fd 2>/dev/null | grep -qE 'kvm-v|memfd:' && "
        "echo process ${p#/proc/} $(tr '\\0' ' ' <$p/cmdline | cut -c1-60); done; "
        "pidof paprika | sed 's/^/process /'; awk 'NF > 7 { print $8 }' /proc/net/unix; "
        "find /tmp /dev/shm /run -xdev -mindepth 1")

# With its usual firmware
QEMU = ("qemu-kvm -machine ic-mode=xics,kernel-irqchip={chip}{more} -smp {cpus} -m {mem} "
        "-nodefaults -display none -serial stdio -no-reboot -action panic=exit-failure "
        "-kernel {kernel} -initrd {initrd} -append {params} </dev/null")
NO_AIL = "cap-ail-mode-3=off"


def make_image(path, scenarios):
    """The guest's initramfs with SCENARIOS, what they share, and the kernel's own programs."""
    cpio = Cpio()
    cpio.directory("stress")
    cpio.file("stress/run", RUNNER)
    # One may run others, which come with this.
    texts = {name: load(name).text for name in names()}
    texts.update((scenario.name, scenario.text) for scenario in scenarios)
    for name, text in sorted(texts.items()):
        cpio.file(f"stress/{name}.sh", text)
    for directory in (LIBRARY, SELFTESTS):
        for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else ():
            with open(os.path.join(directory, name), "rb") as f:
                cpio.file(f"stress/{name}", f.read(), 0o755)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(INITRD, "rb") as f:
        base = f.read()
    with open(path + ".new", "wb") as f:
        f.write(base + gzip.compress(cpio.image(), mtime=0))
    os.replace(path + ".new", path)


def limit(setting):
    """Seconds after which a run does not end any more; workers that stand still say so before."""
    return 480 + 30 * setting.cpus + 4 * setting.time


def command(scenario, setting, image, more=""):
    """The shell line that runs it, in the host."""
    run = (f"TIME={setting.time} SEED={setting.seed} CPUS={setting.cpus} "
           f"sh /stress/run {scenario.name}.sh")
    params = f"{PARAMS} paprika.run=\"{run}\""
    if setting.monitor == "qemu":
        if setting.mmu == "hpt":
            params = "disable_radix " + params
        return QEMU.format(chip="off" if setting.irqchip == "user" else "on", cpus=setting.cpus,
                           mem=setting.mem, kernel=find_kernel(setting.kernel), initrd=image,
                           params=shlex.quote(params), more=more)
    hpt = f"--hpt {setting.hpt} " if setting.mmu == "hpt" else ""
    return (f"paprika run -n stress -k {find_kernel(setting.kernel)} -i {image} -m {setting.mem} "
            f"-c {setting.cpus} --mmu {setting.mmu} {hpt}--irqchip {setting.irqchip} "
            f"-p {shlex.quote(params)} </dev/null")


def watched(line, seconds):
    """LINE, and after so many seconds what the monitor knows of where it stands, before its end."""
    # QEMU may be tried twice in one directory: the mark of the first end goes.
    return (f"rm -f $T/over; (n=0; while [ $n -lt {seconds} ]; do sleep 5; n=$((n + 5)); "
            "kill -0 $$ 2>/dev/null || exit 0; [ ! -e $T/over ] || exit 0; done; "
            f"echo 'stress: stall: no end after {seconds} s'; paprika debug -n stress irqchip; "
            "paprika debug -n stress calls) & "
            f"{line}; s=$?; touch $T/over; exit $s")


@dataclass
class Outcome:
    """How a run went."""
    scenario: str
    setting: object
    seconds: float = 0.0
    wrong: list = field(default_factory=list)
    rates: list = field(default_factory=list)   # (name, count, unit, ms, mismatches)
    side: str = ""      # of a comparison, and
    round: int = 0      # its turn, and
    group: str = ""     # what both sides have

    def rate(self, name):
        """Per second, or None."""
        for n, count, _, ms, _ in self.rates:
            if n == name:
                return count * 1000 / max(ms, 1)
        return None


def guest_faults(out):
    """Lines of the guest's kernel that tell of a fault."""
    _, begun, log = out.partition("stress: log\n")
    log, ended, _ = log.partition("stress: end of the log")
    if not begun or not ended:
        return ["the guest did not show its log"]
    return [f"the guest's kernel: {line}" for line in klog.faults(log.splitlines())]


def judge(setting, result, seconds):
    """(what is wrong, rates) of a finished command."""
    mmu = "hash" if setting.mmu == "hpt" else setting.mmu
    case = suite.Case("", "", trouble=TROUBLE, out=(
        rf"^paprika-guest: .* mmu={mmu} cpus={setting.cpus}$", r"^paprika-guest: status=0$"))
    wrong = suite.judge(case, result, seconds)
    out = result.out.decode(errors="replace").replace("\r", "")
    rates = [(name, int(count), unit, int(ms), int(bad))
             for name, count, unit, ms, bad in RATE.findall(out)]
    if not wrong:
        wrong = guest_faults(out)
    if not rates:
        wrong.append("no rate: the guest printed no line \"stress: NAME N UNIT T ms M mismatches\"")
    for name, count, unit, _, bad in rates:
        if bad:
            wrong.append(f"{name}: {bad} mismatches")
        if not count:
            wrong.append(f"{name}: no {unit}")
    return wrong, rates


def leftovers(host, scratch="/nowhere"):
    return suite.leftovers(host, scratch, LOOK)
