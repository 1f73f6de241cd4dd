# SPDX-License-Identifier: GPL-2.0-only
"""Scripted stress of Linux guests: tools/stress, docs/STRESS.md."""
