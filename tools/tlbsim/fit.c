// SPDX-License-Identifier: GPL-2.0-only
#include "tools/tlbsim/fit.h"

#include <math.h>
#include <string.h>

#define SWEEPS 4000 /* one thousand does */

void fit_add(struct fit *f, const double *factor, double measured)
{
	for (size_t i = 0; i < f->params; i++) {
		f->moment[i] += factor[i] / measured;
		for (size_t j = 0; j < f->params; j++)
			f->gram[i][j] += factor[i] * factor[j] / measured / measured;
	}
	f->rows++;
}

double fit_predict(const struct fit *f, const double *factor)
{
	double sum = 0;

	for (size_t i = 0; i < f->params; i++)
		sum += f->value[i] * factor[i];
	return sum;
}

/* One value after the other to where the error is least, not below 0: this is convex. */
static void descend(struct fit *f)
{
	for (int sweep = 0; sweep < SWEEPS; sweep++)
		for (size_t i = 0; i < f->params; i++) {
			double slope = f->moment[i] - fit_predict(f, f->gram[i]);

			if (f->gram[i][i] > 0)
				f->value[i] = fmax(0, f->value[i] + slope / f->gram[i][i]);
		}
}

/* The inverse's diagonal for the values above 0, by Gauss and Jordan; @a is destroyed. */
static void inverse_diagonal(double a[FIT_MAX][FIT_MAX], const size_t *index, size_t n,
			     double *diagonal)
{
	double inverse[FIT_MAX][FIT_MAX] = {0};

	for (size_t i = 0; i < n; i++)
		inverse[i][i] = 1;
	for (size_t p = 0; p < n; p++) {
		double pivot = a[p][p];

		for (size_t j = 0; j < n; j++) {
			a[p][j] /= pivot;
			inverse[p][j] /= pivot;
		}
		for (size_t i = 0; i < n; i++) {
			double factor = a[i][p];

			for (size_t j = 0; i != p && j < n; j++) {
				a[i][j] -= factor * a[p][j];
				inverse[i][j] -= factor * inverse[p][j];
			}
		}
	}
	for (size_t i = 0; i < n; i++)
		diagonal[index[i]] = inverse[i][i];
}

void fit_solve(struct fit *f)
{
	double a[FIT_MAX][FIT_MAX], diagonal[FIT_MAX], squares = (double)f->rows, variance;
	size_t index[FIT_MAX], n = 0;

	memset(f->value, 0, sizeof(f->value));
	descend(f);
	/* Each row is measured as 1, so that the sum of their squares is their number. */
	for (size_t i = 0; i < f->params; i++) {
		squares += f->value[i] * (fit_predict(f, f->gram[i]) - 2 * f->moment[i]);
		diagonal[i] = NAN;
		if (f->value[i] > 0)
			index[n++] = i;
	}
	f->rms = sqrt(fmax(0, squares) / (double)f->rows);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			a[i][j] = f->gram[index[i]][index[j]];
	inverse_diagonal(a, index, n, diagonal);
	variance = fmax(0, squares) / (double)(f->rows - n);
	for (size_t i = 0; i < f->params; i++)
		f->error[i] = sqrt(variance * diagonal[i]);
}
