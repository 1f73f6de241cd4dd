/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be asked of a running monitor, and how it is answered. */
#ifndef VMM_REQUESTS_H
#define VMM_REQUESTS_H

#include <stddef.h>

struct vm;

/**
 * request_serve - answer a request
 * @request: its line and what follows, with a NUL at the end
 * @answer: on success, the message with its header (control_wire.h), to be freed
 *
 * 0, or -ENOMEM.
 */
int request_serve(struct vm *vm, const char *request, char **answer, size_t *len);

/* The answer that a request failed with this reason, in the same form. */
int request_fail(const char *why, char **answer, size_t *len);

#endif
