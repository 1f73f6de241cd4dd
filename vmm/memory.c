// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/util.h"

static uint64_t host_memory(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The default huge page size from /proc/meminfo, or 0 where there is none. */
static uint64_t hugetlb_page_size(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	static const char key[] = "Hugepagesize:";
	uint64_t kib = 0;
	char line[128];

	while (f && !kib && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			kib = strtoull(line + strlen(key), NULL, 10);
	if (f)
		fclose(f);
	return kib << 10;
}

uint64_t memory_page_size(bool hugetlb)
{
	return hugetlb ? hugetlb_page_size() : (uint64_t)sysconf(_SC_PAGESIZE);
}

static int check_size(uint64_t size, bool hugetlb, struct why *why)
{
	uint64_t page = memory_page_size(hugetlb), limit = host_memory();

	if (!page)
		return why_set(why, -ENOTSUP, "this host has no huge pages");
	if (size % page)
		return why_set(why, -EINVAL,
			       "memory of %llu KiB is not a multiple of the page size, %llu KiB",
			       (unsigned long long)size >> 10, (unsigned long long)page >> 10);
	if (size > limit)
		return why_set(why, -ENOMEM,
			       "memory of %llu MiB is more than the host has, %llu MiB",
			       (unsigned long long)size >> 20, (unsigned long long)limit >> 20);
	return 0;
}

int memory_create(struct gmem *mem, uint64_t size, bool hugetlb, struct why *why)
{
	unsigned int flags = MFD_CLOEXEC | (hugetlb ? MFD_HUGETLB : 0);
	int err = check_size(size, hugetlb, why), fd;
	void *base;

	if (err)
		return err;
	fd = memfd_create("guest", flags);
	if (fd < 0)
		return why_set(why, -errno, "cannot create guest memory: %s", strerror(errno));
	base = MAP_FAILED;
	if (!ftruncate(fd, (off_t)size))
		base = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | (hugetlb ? 0 : MAP_NORESERVE), fd, 0);
	err = errno;
	close(fd);
	if (base == MAP_FAILED)
		return why_set(why, -err, "cannot map %llu MiB of guest memory%s: %s",
			       (unsigned long long)size >> 20,
			       hugetlb ? " in huge pages (see vm.nr_hugepages)" : "",
			       strerror(err));
	*mem = (struct gmem){.base = base, .size = size};
	return 0;
}

void memory_destroy(struct gmem *mem)
{
	if (mem->base)
		munmap(mem->base, mem->size);
	*mem = (struct gmem){0};
}

int memory_reset(struct gmem *mem)
{
	return madvise(mem->base, mem->size, MADV_REMOVE) ? -errno : 0;
}
