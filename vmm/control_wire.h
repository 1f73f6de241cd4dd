/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What both sides of a control socket agree on: where it is, and how messages look. Each
 * side sends one message: 8 hexadecimal digits, a newline, and so many bytes. A message
 * that is cut off is none.
 *
 * A request is a line, and for some requests more. An answer is a line, PASSED, DIFFER or
 * FAILED, and a text; of FAILED one line, the reason.
 */
#ifndef VMM_CONTROL_WIRE_H
#define VMM_CONTROL_WIRE_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#define CONTROL_HEADER	    9	       /* bytes before a message's own */
#define CONTROL_REQUEST_MAX (1 << 20)  /* bytes of a request */
#define CONTROL_ANSWER_MAX  (64 << 20) /* and of an answer */

/* Of one length. */
#define CONTROL_PASSED "passed\n"
#define CONTROL_DIFFER "differ\n"
#define CONTROL_FAILED "failed\n"

/* The address for a guest's name: its length for bind() and connect(). */
socklen_t control_address(const char *name, struct sockaddr_un *to);

/* Write a message's header, and a NUL. */
void control_put_header(char to[CONTROL_HEADER + 1], size_t len);

/* The length that a header says: 0, or -EINVAL if it is none or says more than @max. */
int control_get_header(const char *from, size_t max, size_t *len);

#endif
