# SPDX-License-Identifier: GPL-2.0-only
"""The driver of hcall-fuzz: many guests in one emulated host, each with a seed of its own."""
