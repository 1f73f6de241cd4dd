# SPDX-License-Identifier: GPL-2.0-only
"""Row E: e500mc flushes a vCPU's translations only if another of the same guest ran. Compiled, as
no emulated host has this KVM."""

import csv
import os
import re
import subprocess

from figures import TOP
from lab import LabError

TITLE = "e500mc: flush only when another vCPU of the same partition ran (2014)"
BUILDS = ("kernel-compile KERNEL_E500MC=1",)

OUT = "build/kernel-e500mc"
OBJECT = f"{OUT}/arch/powerpc/kvm/e500mc.o"
LAST, FLUSH = "last_vcpu_of_lpid", "kvmppc_e500_tlbil_all"
# The condition as a policy, simulated, where it was built
TLBSIM = "build/native/tlbsim"


def tool(*argv):
    done = subprocess.run(argv, cwd=TOP, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"{' '.join(argv)} failed", done.stderr.splitlines())
    return done.stdout


def measure():
    found = re.search(rf"^\w+ (\w+) \w {LAST}$", tool("powerpc64-linux-gnu-nm", "-S", OBJECT), re.M)
    code = tool("powerpc64-linux-gnu-objdump", "-dr", OBJECT)
    simulated = []
    if os.path.exists(os.path.join(TOP, TLBSIM)):
        simulated = list(csv.DictReader(tool(TLBSIM, "pollution", "--csv").splitlines()))
    return {
        "release": tool("cat", f"{OUT}/include/config/kernel.release").strip(),
        "bytes": int(found.group(1), 16) if found else 0,
        "flushes": len(re.findall(rf"R_PPC64_REL24\s+{FLUSH}", code)),
        "simulated": simulated,
    }


def check(data):
    if not data["bytes"]:
        yield f"{OBJECT} has no {LAST}"
    if data["flushes"] != 1:
        yield f"{OBJECT} has {data['flushes']} calls of {FLUSH}(), not 1"


def section(data):
    lines = [
        f"In the base already ({data['release']}: 64 bits, all of `arch/powerpc/kvm/` compiles):",
        f"`kvmppc_core_vcpu_load_e500mc()` calls `{FLUSH}()` only if the vCPU last ran on another CPU or",
        f"is not `{LAST}[LPID]` of this one. The object has that array, {data['bytes']} bytes a CPU, and",
        f"{data['flushes']} call to flush.",
        "",
        "| Guest, memory stress on 75 % of TLB0, CPUs oversubscribed | Published (P5020DS) | Simulated: "
        "time | flushes of so many loads |",
        "|---|---|---|---|",
    ]
    names = {"of CPU": "flush if any other vCPU ran (before)",
             "of LPID": "flush if another of its partition ran"}
    published = {"of CPU": "3.89 s", "of LPID": "3.75 s, 4 % less"}
    simulated = {row["condition"]: row for row in data["simulated"]}
    for key, name in names.items():
        row = simulated.get(key)
        lines.append(f"| {name} | {published[key]} | " +
                     (f"{row['guest_s']} s | {row['flushes']} of {row['loads']} |" if row
                      else "| |"))
    lines += ["| the host itself | 3.70 s | | |", ""]
    if simulated:
        lines += [
            "Simulated by `tlbsim pollution`, the condition as code of `mmu/`: the two times were used to",
            "fit it, so that they agree proves nothing; the flushes are what it counts. See",
            "[TLB.md](TLB.md).", ""]
    lines += [
        "No host of the lab has such a processor: nothing was run, nothing measured.",
    ]
    return lines
