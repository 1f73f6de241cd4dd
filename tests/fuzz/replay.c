// SPDX-License-Identifier: GPL-2.0-only
/* A fuzz target by itself, without a fuzzer: runs the files that it is given. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE_MAX_RUN 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	static uint8_t data[SIZE_MAX_RUN];

	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		size_t size;

		if (!f) {
			perror(argv[i]);
			return EXIT_FAILURE;
		}
		size = fread(data, 1, sizeof(data), f);
		fclose(f);
		LLVMFuzzerTestOneInput(data, size);
	}
	return EXIT_SUCCESS;
}
