# SPDX-License-Identifier: GPL-2.0-only
"""Files that the tests need beside the guest programs: bad kernels, odd initrds."""

import gzip
import os
import random
import struct

from suite import FILES, TOP

GUEST = os.path.join(TOP, "build/guest")
PPC64, X86_64, PPC = 21, 62, 20
EXEC, DYN, REL = 2, 3, 1
MIB = 1 << 20

# Big-endian code, as processors enter in that order.
SPIN = struct.pack(">I", 0x48000000)                        # b .
JUMP_NOWHERE = struct.pack(">4I",
                           0x38800001,                      # li    r4,1
                           0x78843e06,                      # sldi  r4,r4,39
                           0x7c8903a6,                      # mtctr r4
                           0x4e800420)                      # bctr


def segment(addr, data=SPIN, memsz=None, vaddr=None, offset=None, filesz=None):
    return {"addr": addr, "data": data, "memsz": len(data) if memsz is None else memsz,
            "vaddr": addr if vaddr is None else vaddr, "offset": offset,
            "filesz": len(data) if filesz is None else filesz}


def elf(*segments, machine=PPC64, kind=EXEC, entry=None, elf_class=2, order=2, phnum=None,
        phentsize=56):
    """A 64-bit ELF file; ORDER is 2 for big-endian, 1 for little-endian."""
    end = "<" if order == 1 else ">"
    entry = segments[0]["addr"] if entry is None and segments else entry or 0
    data, phdrs, at = b"", b"", 64 + 56 * len(segments)
    for s in segments:
        offset = at + len(data) if s["offset"] is None else s["offset"]
        phdrs += struct.pack(end + "IIQQQQQQ", 1, 7, offset, s["vaddr"], s["addr"], s["filesz"],
                             s["memsz"], 0)
        data += s["data"]
    ident = b"\x7fELF" + bytes([elf_class, order, 1]) + bytes(9)
    header = struct.pack(end + "HHIQQQIHHHHHH", kind, machine, 1, entry, 64, 0, 0, 64, phentsize,
                         len(segments) if phnum is None else phnum, 0, 0, 0)
    return ident + header + phdrs + data


KERNELS = {
    "spin.elf": elf(segment(4 * MIB)),
    "jump-nowhere.elf": elf(segment(4 * MIB, JUMP_NOWHERE)),
    "empty": b"",
    "one-byte": b"\x7f",
    "text": b"This is no kernel.\n",
    "x86.elf": elf(segment(4 * MIB), machine=X86_64, order=1),
    "ppc32.elf": elf(segment(4 * MIB), machine=PPC, elf_class=1),
    "order-3.elf": elf(segment(4 * MIB), order=3),
    "object.elf": elf(segment(4 * MIB), kind=REL),
    "no-headers.elf": elf(segment(4 * MIB), phnum=0),
    "many.elf": elf(*[segment((4 + n) * MIB) for n in range(64)]),
    "65-headers.elf": elf(*[segment((4 + n) * MIB) for n in range(65)]),
    "phentsize.elf": elf(segment(4 * MIB), phentsize=32),
    "no-segment.elf": elf(segment(4 * MIB, memsz=0, filesz=0)),
    "filesz.elf": elf(segment(4 * MIB, bytes(64), memsz=63)),
    "overflow.elf": elf(segment(4 * MIB), segment((1 << 64) - 4096, memsz=8192)),
    "offset.elf": elf(segment(4 * MIB, offset=1 << 63)),
    "overlap.elf": elf(segment(4 * MIB, bytes(8192)), segment(4 * MIB + 8191, bytes(4096))),
    "inside.elf": elf(segment(4 * MIB, bytes(8192)), segment(4 * MIB + 4096, bytes(16))),
    "entry.elf": elf(segment(4 * MIB), entry=8 * MIB),
    "odd-entry.elf": elf(segment(4 * MIB, SPIN * 4), entry=4 * MIB + 2),
    "leaves-ram.elf": elf(segment(4 * MIB), segment(60 * MIB, memsz=4 * MIB + 1)),
    "far.elf": elf(segment(1 << 40)),
    "biased-out.elf": elf(segment(0, SPIN, memsz=61 * MIB), kind=DYN),
}


def cpio(name, data):
    """A cpio archive of one file, as the kernel unpacks it."""
    out = b""
    for n, (file, content) in enumerate(((name, data), ("TRAILER!!!", b""))):
        path = file.encode() + b"\0"
        fields = (n, 0o100644, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(path), 0)
        out += b"070701" + b"".join(b"%08x" % f for f in fields) + path
        out += b"\0" * (-len(out) % 4) + content
        out += b"\0" * (-len(out) % 4)
    return out


def put(name, data):
    """Write a file, unless it is there with the same bytes: runs may overlap."""
    path = os.path.join(FILES, name)
    try:
        with open(path, "rb") as f:
            if f.read() == data:
                return
    except FileNotFoundError:
        pass
    tmp = f"{path}.{os.getpid()}"
    with open(tmp, "wb") as f:
        f.write(data)
    os.chmod(tmp, 0o644)
    os.replace(tmp, path)


def get(name):
    with open(os.path.join(GUEST, name), "rb") as f:
        return f.read()


PAYLOAD = random.Random(1).randbytes(5 * MIB + 12345)


def make():
    """Bring all of them about."""
    os.makedirs(FILES, exist_ok=True)
    for name, data in KERNELS.items():
        put(name, data)

    hello = get("hello.elf")
    for size in (15, 63, 64, 100, len(hello) // 2):
        put(f"cut-{size}.elf" if size <= 100 else "cut-half.elf", hello[:size])
    packed = gzip.compress(hello, mtime=0)
    put("hello.elf.gz", packed)
    put("cut.gz", packed[:len(packed) // 2])
    put("rot.gz", packed[:200] + bytes(x ^ 0xff for x in packed[200:264]) + packed[264:])

    if os.path.exists(os.path.join(GUEST, "vmlinux")):
        with open(os.path.join(GUEST, "vmlinux"), "rb") as f:
            put("cut-vmlinux", f.read(MIB))
    if os.path.exists(os.path.join(GUEST, "initrd.gz")):
        initrd = get("initrd.gz")
        # The kernel wants the next archive on a multiple of 4 bytes.
        put("initrd-payload", initrd + b"\0" * (-len(initrd) % 4) + cpio("payload", PAYLOAD))
    stamp = os.path.join(FILES, "vmlinux.gz")
    vmlinux = os.path.join(GUEST, "vmlinux")
    if os.path.exists(vmlinux) and (not os.path.exists(stamp) or
                                    os.path.getmtime(stamp) < os.path.getmtime(vmlinux)):
        put("vmlinux.gz", gzip.compress(get("vmlinux"), 1, mtime=0))
