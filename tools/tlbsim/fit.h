/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linear least squares with parameters that are not negative: costs of instructions are not. A
 * measurement counts by its relative error, so that 1 us matters as much as 98.
 */
#ifndef TOOLS_TLBSIM_FIT_H
#define TOOLS_TLBSIM_FIT_H

#include <stddef.h>

#define FIT_MAX 16

struct fit {
	size_t params, rows;
	double gram[FIT_MAX][FIT_MAX], moment[FIT_MAX]; /* normal equations */
	double value[FIT_MAX];
	double error[FIT_MAX]; /* standard error; NAN if the data do not determine the value */
	double rms;	       /* of the relative errors of all rows */
};

/* measured = sum of value[i] * factor[i], as nearly as can be; @measured is above 0. */
void fit_add(struct fit *f, const double *factor, double measured);

/* Needs more rows than parameters. */
void fit_solve(struct fit *f);

double fit_predict(const struct fit *f, const double *factor);

#endif
