// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to logical real storage (PAPR 14.5.4.2): loads and stores of 1, 2, 4 or 8
 * bytes, big-endian. There is no device memory yet, so what is not guest memory is
 * a bad address.
 */
#include <string.h>

#include "hcall/hcall.h"
#include "hcall/papr.h"
#include "lib/endian.h"
#include "lib/util.h"

/* What one H_LOGICAL_MEMOP does at most: the processor hears nothing meanwhile. */
#define MEMOP_MAX MIB(64)

static bool size_ok(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* args: size, address; answers: value */
int64_t h_logical_load(struct hcpu *cpu, uint64_t args[])
{
	be64_t value = {0};
	uint64_t size = args[0];

	if (!size_ok(size) || args[1] % size)
		return H_PARAMETER;
	if (gmem_read(&cpu->machine->mem, args[1], (uint8_t *)&value + 8 - size, size))
		return H_PARAMETER;
	args[0] = be64_get(value);
	return H_SUCCESS;
}

/* args: size, address, value */
int64_t h_logical_store(struct hcpu *cpu, uint64_t args[])
{
	be64_t value = be64(args[2]);
	uint64_t size = args[0];

	if (!size_ok(size) || args[1] % size)
		return H_PARAMETER;
	if (gmem_write(&cpu->machine->mem, args[1], (uint8_t *)&value + 8 - size, size))
		return H_PARAMETER;
	return H_SUCCESS;
}

/* H_LOGICAL_ICBI, H_LOGICAL_DCBF: memory is coherent here, the address is checked. */
int64_t h_logical_cache_op(struct hcpu *cpu, uint64_t args[])
{
	return gmem_has(&cpu->machine->mem, args[0], 1) ? H_SUCCESS : H_PARAMETER;
}

/*
 * H_LOGICAL_MEMOP, KVM's own for firmware: args destination, source, element size
 * as a power of two, count, operation (0 copy, 1 copy inverted).
 */
int64_t h_logical_memop(struct hcpu *cpu, uint64_t args[])
{
	uint64_t shift = args[2], op = args[4], len;
	uint8_t *to, *from;

	if (shift > 3 || op > 1 || __builtin_mul_overflow(args[3], 1ull << shift, &len))
		return H_PARAMETER;
	if ((args[0] | args[1]) & ((1ull << shift) - 1))
		return H_PARAMETER;
	if (len > MEMOP_MAX)
		return H_PARAMETER;
	to = gmem_ptr(&cpu->machine->mem, args[0], len);
	from = gmem_ptr(&cpu->machine->mem, args[1], len);
	if (!to || !from)
		return H_PARAMETER;
	memmove(to, from, len);
	for (uint64_t i = 0; op == 1 && i < len; i++)
		to[i] ^= 0xff;
	return H_SUCCESS;
}
