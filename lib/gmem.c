// SPDX-License-Identifier: GPL-2.0-only
#include "lib/gmem.h"

#include <errno.h>
#include <string.h>

bool gmem_has(const struct gmem *mem, uint64_t addr, uint64_t len)
{
	return addr <= mem->size && len <= mem->size - addr;
}

void *gmem_ptr(const struct gmem *mem, uint64_t addr, uint64_t len)
{
	return gmem_has(mem, addr, len) ? mem->base + addr : NULL;
}

int gmem_read(const struct gmem *mem, uint64_t addr, void *to, uint64_t len)
{
	const void *from = gmem_ptr(mem, addr, len);

	if (!from)
		return -EFAULT;
	memcpy(to, from, len);
	return 0;
}

int gmem_write(const struct gmem *mem, uint64_t addr, const void *from, uint64_t len)
{
	void *to = gmem_ptr(mem, addr, len);

	if (!to)
		return -EFAULT;
	memcpy(to, from, len);
	return 0;
}

int gmem_zero(const struct gmem *mem, uint64_t addr, uint64_t len)
{
	void *to = gmem_ptr(mem, addr, len);

	if (!to)
		return -EFAULT;
	memset(to, 0, len);
	return 0;
}

int gmem_read_be32(const struct gmem *mem, uint64_t addr, uint32_t *value)
{
	be32_t raw;
	int err = gmem_read(mem, addr, &raw, sizeof(raw));

	if (!err)
		*value = be32_get(raw);
	return err;
}

int gmem_write_be32(const struct gmem *mem, uint64_t addr, uint32_t value)
{
	be32_t raw = be32(value);

	return gmem_write(mem, addr, &raw, sizeof(raw));
}
