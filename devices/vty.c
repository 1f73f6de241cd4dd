// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING
 *
 * vty->lock protects the queues and all flags. It is a leaf: callbacks run
 * after it was dropped. A callback may therefore come late (the queue was
 * emptied in between) or twice; each is a hint to look again, so neither harms.
 */
#include "devices/vty.h"

#include <errno.h>

#define VTY_OUT_SIZE 65536
#define VTY_IN_SIZE  4096

int vty_init(struct vty *vty, const struct vty_ops *ops, void *ctx)
{
	*vty = (struct vty){.ops = ops, .ctx = ctx};
	pthread_mutex_init(&vty->lock, NULL);
	if (ring_init(&vty->out, VTY_OUT_SIZE) || ring_init(&vty->in, VTY_IN_SIZE)) {
		vty_fini(vty);
		return -ENOMEM;
	}
	return 0;
}

void vty_fini(struct vty *vty)
{
	ring_free(&vty->out);
	ring_free(&vty->in);
	pthread_mutex_destroy(&vty->lock);
	*vty = (struct vty){0};
}

void vty_reset(struct vty *vty)
{
	bool room;

	pthread_mutex_lock(&vty->lock);
	ring_clear(&vty->in);
	room = vty->in_blocked;
	vty->in_blocked = false;
	pthread_mutex_unlock(&vty->lock);

	if (room)
		vty->ops->input_room(vty->ctx);
}

int vty_write(struct vty *vty, const void *from, size_t len)
{
	bool was_empty, fits, refused;

	pthread_mutex_lock(&vty->lock);
	was_empty = ring_used(&vty->out) == 0;
	fits = ring_room(&vty->out) >= len;
	if (fits)
		ring_put(&vty->out, from, len);
	else if (vty->drop)
		vty->dropped += len;
	refused = !fits && !vty->drop;
	pthread_mutex_unlock(&vty->lock);

	if (fits && was_empty && len)
		vty->ops->output_ready(vty->ctx);
	return refused ? -EAGAIN : 0;
}

size_t vty_read(struct vty *vty, void *to, size_t len)
{
	bool room = false;
	size_t n;

	pthread_mutex_lock(&vty->lock);
	n = ring_take(&vty->in, to, len);
	if (n && vty->in_blocked) {
		vty->in_blocked = false;
		room = true;
	}
	pthread_mutex_unlock(&vty->lock);

	if (room)
		vty->ops->input_room(vty->ctx);
	return n;
}

size_t vty_output(struct vty *vty, void *to, size_t len)
{
	size_t n;

	pthread_mutex_lock(&vty->lock);
	n = ring_take(&vty->out, to, len);
	pthread_mutex_unlock(&vty->lock);
	return n;
}

size_t vty_input(struct vty *vty, const void *from, size_t len)
{
	size_t n;

	pthread_mutex_lock(&vty->lock);
	n = ring_put(&vty->in, from, len);
	vty->in_blocked = n < len;
	pthread_mutex_unlock(&vty->lock);

	if (n)
		vty->ops->interrupt(vty->ctx);
	return n;
}

void vty_set_drop(struct vty *vty, bool drop)
{
	pthread_mutex_lock(&vty->lock);
	vty->drop = drop;
	pthread_mutex_unlock(&vty->lock);
}

uint64_t vty_dropped(struct vty *vty)
{
	uint64_t dropped;

	pthread_mutex_lock(&vty->lock);
	dropped = vty->dropped;
	pthread_mutex_unlock(&vty->lock);
	return dropped;
}

void vty_fdt(struct fdtw *w, uint32_t source)
{
	fdtw_begin(w, "vty@%x", VTY_UNIT_ADDRESS);
	fdtw_string(w, "device_type", "serial");
	fdtw_string(w, "compatible", "hvterm1");
	fdtw_u32s(w, "reg", VTY_UNIT_ADDRESS);
	fdtw_u32s(w, "interrupts", source, 0);
	fdtw_end(w);
}
