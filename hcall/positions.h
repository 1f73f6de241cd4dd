/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where each call stands in hcalls.def, and each service, by its handler, in rtas.def; behind the
 * last, how many there are. Guest programs include this too.
 */
#ifndef HCALL_POSITIONS_H
#define HCALL_POSITIONS_H

enum {
#define HCALL(number, call, ...) POSITION_##call,
#include "hcall/hcalls.def"
#undef HCALL
	HCALLS
};

enum {
#define RTAS(service, handler, ...) POSITION_##handler,
#include "hcall/rtas.def"
#undef RTAS
	SERVICES
};

#endif
