// SPDX-License-Identifier: GPL-2.0-only
/* Byte queues, and frames that wait for the port. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"

size_t queue_len(const struct queue *q)
{
	return q->tail - q->head;
}

/* Returns room for len bytes at the tail, which the caller then moves. */
char *queue_room(struct queue *q, size_t len)
{
	if (q->head) {
		memmove(q->data, q->data + q->head, queue_len(q));
		q->tail -= q->head;
		q->head = 0;
	}
	if (q->tail + len > q->room) {
		q->room = (q->tail + len) * 2;
		q->data = realloc(q->data, q->room);
		if (!q->data)
			die("out of memory");
	}
	return q->data + q->tail;
}

void queue_put(struct queue *q, const void *data, size_t len)
{
	if (!len)
		return;
	memcpy(queue_room(q, len), data, len);
	q->tail += len;
}

void send_frame(enum frame type, const void *data, size_t len)
{
	uint32_t be = htonl(len);
	uint8_t t = type;

	queue_put(&lab.tx, &be, sizeof(be));
	queue_put(&lab.tx, &t, 1);
	queue_put(&lab.tx, data, len);
}

void send_text(enum frame type, const char *text)
{
	send_frame(type, text, strlen(text));
}
