# SPDX-License-Identifier: GPL-2.0-only
"""The lab's initramfs: busybox, the agent, and the modules that a kernel needs.

One image a kernel, under build/lab; made again only when its inputs change.
"""

import fcntl
import glob
import hashlib
import lzma
import os
import re
import stat
import subprocess

from .common import BUILD, TOP, LabError

CC = "powerpc64le-linux-gnu-gcc"
AGENT = os.path.join(TOP, "tools/lab/agent")
BUSYBOX = os.path.join(BUILD, "sysroot/ppc64el/bin/busybox")

# Loaded by the agent, with what they depend on. A kernel that has one of them
# built in has no such module: that is fine.
LOADED = ("kvm", "kvm-hv", "virtio_pci", "virtio_console", "9pnet_virtio", "9p")
# Carried as well, for modprobe in the box.
CARRIED = ("kvm-pr", "virtio_blk", "virtio_net", "virtio-rng", "tun", "vhost_net",
           "vhost_vsock", "vsock_loopback", "bridge")


def _key(name):
    """Module names write - and _ alike."""
    return os.path.basename(name).split(".")[0].replace("-", "_")


def _read_module(path):
    with open(path, "rb") as f:
        data = f.read()
    return lzma.decompress(data) if path.endswith(".xz") else data


class Modules:
    """The modules of one kernel: which are needed, in what order."""

    def __init__(self, directory):
        # DIRECTORY holds one tree, named by its kernel's release.
        self.release = None
        self.paths = {}
        if directory and os.path.isdir(directory):
            for release in sorted(os.listdir(directory)):
                self.release = release
            for where, _, files in os.walk(os.path.join(directory, self.release or "")):
                for name in files:
                    if re.search(r"\.ko(\.xz)?$", name):
                        self.paths[_key(name)] = os.path.join(where, name)
        self._data = {}

    def data(self, key):
        """The module's ELF file."""
        if key not in self._data:
            self._data[key] = _read_module(self.paths[key])
        return self._data[key]

    def depends(self, key):
        """The modules that it names in its .modinfo section."""
        found = re.search(rb"\0depends=([^\0]*)\0", self.data(key))
        return [_key(d) for d in found.group(1).decode().split(",") if d] if found else []

    def closure(self, names):
        """NAMES and what they need, each after what it depends on."""
        order = []

        def visit(key):
            if key in order or key not in self.paths:
                return
            for dep in self.depends(key):
                visit(dep)
            order.append(key)

        for name in names:
            visit(_key(name))
        return order


class Cpio:
    """A cpio archive in the "newc" format that the kernel unpacks."""

    def __init__(self):
        self.parts = []
        self.inode = 0

    def add(self, name, mode, data=b""):
        self.inode += 1
        name = name.lstrip("/").encode() + b"\0"
        fields = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + name
        for part in (head, data):
            self.parts += [part, b"\0" * (-len(part) % 4)]

    def directory(self, name):
        self.add(name, stat.S_IFDIR | 0o755)

    def file(self, name, data, mode=0o644):
        self.add(name, stat.S_IFREG | mode, data)

    def link(self, name, target):
        self.add(name, stat.S_IFLNK | 0o777, target.encode())

    def image(self):
        self.add("TRAILER!!!", 0)
        return b"".join(self.parts)


def _stamp(path):
    st = os.stat(path)
    return f"{path} {st.st_size} {st.st_mtime_ns}"


def _agent(out):
    """Compile the agent to OUT, unless that is newer than its sources."""
    sources = sorted(glob.glob(f"{AGENT}/*.[ch]"))
    newest = max(os.stat(source).st_mtime_ns for source in sources)
    if os.path.exists(out) and os.stat(out).st_mtime_ns > newest:
        return
    tmp = f"{out}.{os.getpid()}"
    try:
        subprocess.run([CC, "-static", "-Os", "-s", "-Wall", "-Wno-unused-result", "-o", tmp,
                        *(source for source in sources if source.endswith(".c"))], check=True)
    except FileNotFoundError:
        raise LabError(f"no {CC}; run: tools/setup host") from None
    except subprocess.CalledProcessError:
        raise LabError("the lab's agent does not compile") from None
    os.replace(tmp, out)


def build(label, modules_dir):
    """Returns the path of the initramfs for the kernel named LABEL."""
    lab = os.path.join(BUILD, "lab")
    os.makedirs(lab, exist_ok=True)
    # Boxes that start together would each make an agent, and take the other's image for old.
    with open(os.path.join(lab, "lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _build(label, modules_dir, lab)


def _build(label, modules_dir, lab):
    if not os.path.exists(BUSYBOX):
        raise LabError("no busybox for the emulated host; run: tools/setup sysroot")
    agent = os.path.join(lab, "agent")
    _agent(agent)

    inputs = [_stamp(agent), _stamp(BUSYBOX), _stamp(__file__)]
    if modules_dir and os.path.isdir(modules_dir):
        inputs.append(_stamp(modules_dir))
        inputs.append(os.path.realpath(modules_dir))
    key = hashlib.sha256("\n".join(inputs).encode()).hexdigest()[:12]
    path = os.path.join(lab, f"initrd-{label}-{key}.cpio")
    if os.path.exists(path):
        return path

    cpio = Cpio()
    for name in ("bin", "dev", "etc", "lab", "lab/copy", "lab/path", "lib", "lib/modules", "proc", "root", "run",
                 "sys", "tmp", "usr", "var"):
        cpio.directory(name)
    for name in ("sbin", "usr/bin", "usr/sbin"):
        cpio.link(name, "/bin")
    cpio.link("var/run", "/run")
    cpio.link("var/tmp", "/tmp")
    cpio.file("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n"
                            b"nobody:x:65534:65534:nobody:/tmp:/bin/sh\n")
    cpio.file("etc/group", b"root:x:0:\nnogroup:x:65534:\n")
    cpio.file("etc/hosts", b"127.0.0.1 localhost box\n")
    with open(agent, "rb") as f:
        cpio.file("init", f.read(), 0o755)
    with open(BUSYBOX, "rb") as f:
        cpio.file("bin/busybox", f.read(), 0o755)
    cpio.link("bin/sh", "busybox")

    modules = Modules(modules_dir)
    if modules.release:
        base = f"lib/modules/{modules.release}"
        cpio.directory(base)
        dep = []
        for name in modules.closure(LOADED + CARRIED):
            file = os.path.basename(modules.paths[name]).removesuffix(".xz")
            cpio.file(f"{base}/{file}", modules.data(name))
            needs = [os.path.basename(modules.paths[d]).removesuffix(".xz")
                     for d in modules.closure([name])[-2::-1]]
            dep.append(f"{file}: {' '.join(needs)}".rstrip())
        cpio.file(f"{base}/modules.dep", ("\n".join(dep) + "\n").encode())
        cpio.file("lab/modules", "".join(
            f"/{base}/{os.path.basename(modules.paths[name]).removesuffix('.xz')}\n"
            for name in modules.closure(LOADED)).encode())

    tmp = f"{path}.{os.getpid()}"
    with open(tmp, "wb") as f:
        f.write(cpio.image())
    # Images of older inputs go; one that is being booted has been read already.
    for old in os.listdir(lab):
        if re.fullmatch(rf"initrd-{re.escape(label)}-[0-9a-f]{{12}}\.cpio", old):
            os.unlink(os.path.join(lab, old))
    os.replace(tmp, path)
    return path
