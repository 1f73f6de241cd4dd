# SPDX-License-Identifier: GPL-2.0-only
"""The emulated machine: QEMU's command line, and a QEMU that cannot outlive us."""

import ctypes
import glob
import os
import re
import shutil
import signal
import subprocess

from .common import BUILD, MACHINES, LabError

QEMU = "qemu-system-ppc64"
# One that tools/setup unpacked, for what the machine's own cannot do.
OTHER = os.path.join(BUILD, "sysroot/qemu-host")
# Before this version, TCG's hrfid does not go with -icount ("Raised interrupt
# while not in I/O function"), and a powernv machine whose cores have two threads
# segfaults at its start; seen with 7.2, not with 10.0.
NEWER = 10
PR_SET_PDEATHSIG = 1
EM_PPC64 = 21


def find_kernel(kernel):
    """Returns (label, vmlinux, modules directory or None) for a -k argument."""
    directory = os.path.join(BUILD, "kernels", kernel)
    if "/" not in kernel and not os.path.isfile(kernel):
        vmlinux = os.path.join(directory, "vmlinux")
        if not os.path.exists(vmlinux):
            what = "kernel" if kernel == "6.1" else "kernels"
            raise LabError(f"no kernel {kernel} in build/kernels; run: tools/setup {what}")
        return kernel, vmlinux, os.path.join(directory, "modules")
    if not os.path.isfile(kernel):
        raise LabError(f"no kernel {kernel}")
    # A kernel of one's own: its modules may lie beside it, or it needs none.
    vmlinux = os.path.abspath(kernel)
    try:
        with open(vmlinux, "rb") as f:
            head = f.read(20)
    except OSError as e:
        raise LabError(f"{kernel}: {e.strerror}") from None
    # ELF, 64-bit, and the machine in the file's own byte order.
    order = "little" if head[5:6] == b"\1" else "big"
    if head[:5] != b"\x7fELF\2" or int.from_bytes(head[18:20], order) != EM_PPC64:
        raise LabError(f"{kernel} is not a kernel for 64-bit POWER (a vmlinux)")
    modules = os.path.join(os.path.dirname(vmlinux), "modules")
    return "own", vmlinux, modules if os.path.isdir(modules) else None


def find_qemu(newer):
    """The beginning of a command line that runs QEMU, a NEWER one if need be."""
    own = shutil.which(QEMU)
    if not own:
        raise LabError(f"no {QEMU}; run: tools/setup host")
    if not newer:
        return [own]
    version = subprocess.run([own, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"version (\d+)", version.stdout)
    if found and int(found.group(1)) >= NEWER:
        return [own]
    # It is unpacked, not installed, so it runs by its own linker and libraries.
    libraries = glob.glob(os.path.join(OTHER, "lib/*-linux-gnu")) + \
        glob.glob(os.path.join(OTHER, "usr/lib/*-linux-gnu"))
    linkers = [linker for d in libraries for linker in glob.glob(os.path.join(d, "ld[-6]*.so.*"))]
    if not linkers:
        raise LabError(f"--icount and --threads need QEMU {NEWER} or later; run: tools/setup exact")
    return [linkers[0], "--library-path", ":".join(libraries),
            os.path.join(OTHER, "usr/bin", QEMU), "-L", os.path.join(OTHER, "usr/share/qemu")]


def command(machine, cpus, threads, mem, kernel, initrd, append, icount, console, port_fd,
            monitor_fd, shares, gdb):
    """The command line. SHARES is a list of (tag, path), GDB a TCP port or None."""
    if machine not in MACHINES:
        raise LabError(f"no machine {machine}; there are: {' '.join(MACHINES)}")
    newer = (icount or threads > 1) and machine != "pseries"
    args = [*find_qemu(newer), "-nodefaults", "-display", "none", "-no-reboot"]
    devices = []
    if machine == "pseries":
        # TCG has none of the speculation barriers; they only make QEMU warn.
        args += ["-machine", "pseries,cap-nested-hv=on,cap-cfpc=broken,cap-sbbc=broken,"
                 "cap-ibs=broken,cap-ccf-assist=off", "-cpu", "POWER9"]
    else:
        # One PCI host bridge with one port: firmware waits seconds for the
        # links of empty ones, so all devices are functions of one slot. The
        # BMC is what firmware switches the machine off with.
        args += ["-machine", machine]
        devices = ["pnv-phb,id=phb,chip-id=0,index=0", "pnv-phb-root-port,bus=phb,id=port0",
                   "ipmi-bmc-sim,id=bmc0", "isa-ipmi-bt,bmc=bmc0,irq=10"]

    def place(function):
        if machine == "pseries":
            return "bus=pci.0"
        return f"bus=port0,addr=0.{function}" + (",multifunction=on" if function == 0 else "")

    # Cores have one thread unless asked: KVM of POWER8 cannot run with a core's
    # second thread online, and KVM of later ones does not care.
    if cpus % threads:
        raise LabError(f"{cpus} CPUs do not fill cores of {threads} threads")
    args += ["-smp", f"{cpus},cores={cpus // threads},threads={threads},sockets=1", "-m", mem]
    if icount:
        args += ["-icount", "shift=0,sleep=off", "-accel", "tcg,thread=single",
                 "-rtc", "base=2024-01-01T00:00:00,clock=vm"]
    else:
        args += ["-accel", "tcg,thread=multi"]
    args += ["-kernel", kernel, "-initrd", initrd, "-append", append,
             "-chardev", f"file,id=console,path={_escape(console)}", "-serial", "chardev:console",
             "-chardev", f"socket,id=lab,fd={port_fd}",
             "-chardev", f"socket,id=monitor,fd={monitor_fd}",
             "-mon", "chardev=monitor,mode=control"]
    if gdb:
        args += ["-gdb", f"tcp:127.0.0.1:{gdb}"]
    devices += [f"virtio-serial-pci,{place(0)}", "virtserialport,chardev=lab,name=paprika.lab"]
    for n, (tag, path) in enumerate(shares):
        args += ["-fsdev", f"local,id={tag},path={_escape(path)},security_model=none,"
                 "multidevs=remap"]
        devices.append(f"virtio-9p-pci,fsdev={tag},mount_tag={tag},{place(n + 1)}")
    for device in devices:
        args += ["-device", device]
    return args


def _escape(path):
    """QEMU's option syntax writes a comma twice."""
    return path.replace(",", ",,")


def start(args, files, errors):
    """Start QEMU so that it dies with this process, however that ends.

    It gets the file descriptors FILES, and leaves what it says in the file ERRORS.
    It has a session of its own: Ctrl-C is for the command, not for the machine.
    """
    parent = os.getpid()
    libc = ctypes.CDLL(None)

    def prepare():
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # The parent may have died before the call.
        if os.getppid() != parent:
            os._exit(1)

    with open(errors, "wb") as err:
        return subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=err, stderr=err,
                                pass_fds=files, preexec_fn=prepare)
