// SPDX-License-Identifier: GPL-2.0-only
#include "tools/bench/xics/block_lock.h"

_Alignas(XICS_LINE) atomic_bool block_locked;
