# SPDX-License-Identifier: GPL-2.0-only
"""The hosts that guests are tested on: name, and what Box is asked for."""

HOSTS = {
    "powernv9": {"machine": "powernv9", "cpus": 2, "mem": "4G"},
    "powernv10": {"machine": "powernv10", "cpus": 2, "mem": "4G"},
    "powernv8": {"machine": "powernv8", "cpus": 2, "mem": "4G"},
    "pseries": {"machine": "pseries", "cpus": 2, "mem": "4G"},
    # Newer kernels, with pages of 64 KiB and of 4 KiB
    "powernv9/6.12-64k": {"machine": "powernv9", "cpus": 2, "mem": "4G", "kernel": "6.12-64k"},
    "powernv9/6.12": {"machine": "powernv9", "cpus": 2, "mem": "4G", "kernel": "6.12"},
    # Two threads a core, both online, on which KVM of POWER8 must refuse to run
    "powernv8-smt": {"machine": "powernv8", "cpus": 2, "mem": "2G", "threads": 2},
}
