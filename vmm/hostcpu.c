// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/hostcpu.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/endian.h"

/* The first node of /cpus whose device_type is cpu; false if there is none. */
static bool find_cpu_node(const char *root, char *path, size_t size)
{
	struct dirent *entry;
	char cpus[256];
	bool found = false;
	DIR *dir;

	snprintf(cpus, sizeof(cpus), "%s/cpus", root);
	dir = opendir(cpus);
	while (dir && !found && (entry = readdir(dir))) {
		int n = snprintf(path, size, "%s/%s", cpus, entry->d_name);

		found = !strncmp(entry->d_name, "PowerPC,", 8) && (size_t)n < size;
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Bytes read of a property, or negative. */
static ssize_t read_property(int node, const char *name, void *to, size_t size)
{
	int fd = openat(node, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	if (fd >= 0) {
		n = read(fd, to, size);
		close(fd);
	}
	return n;
}

/* A property of one or two cells, or @otherwise. */
static uint64_t read_cells(int node, const char *name, uint64_t otherwise)
{
	be32_t cells[2];
	ssize_t n = read_property(node, name, cells, sizeof(cells));

	if (n == 4)
		return be32_get(cells[0]);
	if (n == 8)
		return (uint64_t)be32_get(cells[0]) << 32 | be32_get(cells[1]);
	return otherwise;
}

/* One server number for each thread of the core that the node stands for. */
static uint32_t count_threads(int node)
{
	be32_t servers[8];
	ssize_t n = read_property(node, "ibm,ppc-interrupt-server#s", servers, sizeof(servers));

	return n > 4 ? (uint32_t)n / 4 : 1;
}

void hostcpu_read(struct platform *p, const char *root)
{
	char path[400];
	int node = -1;

	if (find_cpu_node(root, path, sizeof(path)))
		node = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	p->timebase_hz = (uint32_t)read_cells(node, "timebase-frequency", 512000000);
	p->clock_hz = read_cells(node, "clock-frequency", 1000000000);
	p->clock_hz = read_cells(node, "ibm,extended-clock-frequency", p->clock_hz);
	p->icache_size = (uint32_t)read_cells(node, "i-cache-size", 32768);
	p->icache_line = (uint32_t)read_cells(node, "i-cache-line-size", 128);
	p->dcache_size = (uint32_t)read_cells(node, "d-cache-size", 32768);
	p->dcache_line = (uint32_t)read_cells(node, "d-cache-line-size", 128);
	p->slb_size = (uint32_t)read_cells(node, "ibm,slb-size", 32);
	p->host_threads = count_threads(node);
	p->dec_bits = (uint32_t)read_cells(node, "ibm,dec-bits", 32);
	if (node >= 0)
		close(node);
}
