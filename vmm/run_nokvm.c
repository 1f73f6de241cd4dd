// SPDX-License-Identifier: GPL-2.0-only
/* paprika run where there is no POWER KVM: the same checks of its words, then why not. */
#include <stdio.h>
#include <sys/utsname.h>

#include "lib/stop.h"
#include "vmm/image.h"
#include "vmm/options.h"
#include "vmm/verbs.h"

int run_guest(const struct run_options *options)
{
	struct image kernel, initrd;
	struct utsname host;
	struct why why;

	if (image_open(&kernel, "kernel", options->kernel, &why) ||
	    (options->initrd && image_open(&initrd, "initrd", options->initrd, &why))) {
		fprintf(stderr, "paprika: %s\n", why.text);
		return EXIT_FAILED;
	}
	uname(&host);
	fprintf(stderr,
		"paprika: this host is %s, not POWER: its KVM has no PAPR guests (tools/box gives "
		"an "
		"emulated POWER host)\n",
		host.machine);
	return EXIT_FAILED;
}
