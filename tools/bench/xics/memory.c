// SPDX-License-Identifier: GPL-2.0-only
/* What the model takes of the heap, as the C library counts it. */
#include <malloc.h>
#include <stdio.h>

#include "devices/xics/internal.h"
#include "tools/bench/xics/bench.h"

static size_t heap(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

static void print_heap(const char *name, uint32_t servers, uint32_t end)
{
	size_t before = heap();
	struct controller *m = controller_new(&model_itself, servers, end);

	printf("memory.%s %zu\n", name, heap() - before - sizeof(*m));
	controller_free(m);
}

void bench_memory(void)
{
	printf("memory.presenter %zu\n", sizeof(struct xics_presenter));
	printf("memory.source %.3f\n", (double)sizeof(struct xics_block) / XICS_BLOCK);
	print_heap("empty", 1, 0);
	print_heap("one-source", 1, XICS_SOURCE_FIRST + 1);
	print_heap("1-M-sources", 1, XICS_SOURCE_END);
}
