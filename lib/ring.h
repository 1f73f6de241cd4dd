/* SPDX-License-Identifier: GPL-2.0-only */
/* A byte queue of fixed size, first in first out. The owner does the locking. */
#ifndef LIB_RING_H
#define LIB_RING_H

#include <stddef.h>
#include <stdint.h>

struct ring {
	uint8_t *buf;
	size_t size; /* a power of two */
	size_t head; /* bytes ever put; free-running */
	size_t tail; /* bytes ever taken */
};

/* @size must be a power of two. 0 or -ENOMEM. */
int ring_init(struct ring *ring, size_t size);
void ring_free(struct ring *ring);
void ring_clear(struct ring *ring);

static inline size_t ring_used(const struct ring *ring)
{
	return ring->head - ring->tail;
}

static inline size_t ring_room(const struct ring *ring)
{
	return ring->size - ring_used(ring);
}

/* What can be taken in one piece: where it lies, and its length. */
size_t ring_peek(const struct ring *ring, const uint8_t **at);

/* Take @len bytes, no more than are used, without a copy. */
static inline void ring_skip(struct ring *ring, size_t len)
{
	ring->tail += len;
}

/* Put or take at most @len bytes; the number that went. */
size_t ring_put(struct ring *ring, const void *from, size_t len);
size_t ring_take(struct ring *ring, void *to, size_t len);

#endif
