// SPDX-License-Identifier: GPL-2.0-only
#include "lib/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"

int ring_init(struct ring *ring, size_t size)
{
	*ring = (struct ring){.buf = malloc(size), .size = size};
	return ring->buf ? 0 : -ENOMEM;
}

void ring_free(struct ring *ring)
{
	free(ring->buf);
	ring->buf = NULL;
}

void ring_clear(struct ring *ring)
{
	ring->head = ring->tail = 0;
}

size_t ring_put(struct ring *ring, const void *from, size_t len)
{
	size_t n = min_u64(len, ring_room(ring));
	size_t at = ring->head & (ring->size - 1);
	size_t first = min_u64(n, ring->size - at);

	memcpy(ring->buf + at, from, first);
	memcpy(ring->buf, (const uint8_t *)from + first, n - first);
	ring->head += n;
	return n;
}

size_t ring_take(struct ring *ring, void *to, size_t len)
{
	size_t n = min_u64(len, ring_used(ring));
	size_t at = ring->tail & (ring->size - 1);
	size_t first = min_u64(n, ring->size - at);

	memcpy(to, ring->buf + at, first);
	memcpy((uint8_t *)to + first, ring->buf, n - first);
	ring->tail += n;
	return n;
}

size_t ring_peek(const struct ring *ring, const uint8_t **at)
{
	size_t from = ring->tail & (ring->size - 1);

	*at = ring->buf + from;
	return min_u64(ring_used(ring), ring->size - from);
}
