// SPDX-License-Identifier: GPL-2.0-only
/* paprika debug: ask a running guest's monitor, over its control socket (control.h). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/size.h"
#include "lib/stop.h"
#include "lib/util.h"
#include "lib/why.h"
#include "vmm/control_wire.h"
#include "vmm/options.h"
#include "vmm/verbs.h"

static const char help[] =
	"usage: paprika debug [options] irqchip|calls|hpt|translate ADDRESS\n"
	"\n"
	"Look into a running guest's monitor.\n"
	"\n"
	"  irqchip              the interrupt controller: presenters, sources, counters\n"
	"  calls                how often each hypercall came to the monitor\n"
	"  hpt                  compare the hashed page table with KVM's (run --hpt user);\n"
	"                       ends with 1 if they differ\n"
	"  translate ADDRESS    how data at an effective address would be found now;\n"
	"                       ends with 1 if it would not\n"
	"\n"
	"  -n, --name NAME      the guest's name (paprika)\n"
	"  -c, --cpu N          translate on processor N (0)\n"
	"      --json           irqchip as JSON\n"
	"      --load FILE      set irqchip's state from lines that this printed; - is standard "
	"input\n"
	"  -h, --help           show this text\n";

struct request {
	const char *name, *what, *load;
	uint64_t cpu, address;
	bool json;
};

/* A monitor is root's or the user's own: anyone can take a name. Root may look at all. */
static bool is_trusted(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (geteuid() == 0 || peer.uid == 0 || peer.uid == geteuid());
}

static int connect_to(const char *name, struct why *why)
{
	static const struct timeval patience = {.tv_sec = 10};
	struct sockaddr_un address;
	socklen_t len = control_address(name, &address);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return why_set(why, -errno, "socket: %s", strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!connect(fd, (struct sockaddr *)&address, len)) {
		if (is_trusted(fd))
			return fd;
		err = why_set(why, -EPERM, "'%s' is another user's", name);
	} else if (errno == ECONNREFUSED) {
		err = why_set(why, -ESRCH, "no guest named '%s' runs here", name);
	} else if (errno == EAGAIN) {
		err = why_set(why, -EAGAIN, "guest '%s' does not answer", name);
	} else {
		err = why_set(why, -errno, "cannot reach guest '%s': %s", name, strerror(errno));
	}
	close(fd);
	return err;
}

/* What is written for nothing, as the other side hung up, is no error: it says why. */
static void send_all(int fd, const char *from, size_t len)
{
	while (len) {
		ssize_t n = send(fd, from, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		from += n;
		len -= (size_t)n;
	}
}

/* Exactly so many bytes: 0, -EAGAIN after a while without any, -EPIPE at the end. */
static int receive_all(int fd, char *to, size_t len)
{
	while (len) {
		ssize_t n = recv(fd, to, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN ? -EAGAIN : -EPIPE;
		to += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A file's contents behind the request's line; all of it, before anyone is asked. */
static int append_file(char *message, size_t *len, const char *path, struct why *why)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int err = 0;

	if (!f)
		return why_set(why, -errno, "%s: %s", path, strerror(errno));
	*len += fread(message + *len, 1, CONTROL_HEADER + CONTROL_REQUEST_MAX + 1 - *len, f);
	if (ferror(f))
		err = why_set(why, -EIO, "%s: cannot be read", path);
	else if (*len > CONTROL_HEADER + CONTROL_REQUEST_MAX)
		err = why_set(why, -E2BIG, "%s makes a request of more than %d bytes", path,
			      CONTROL_REQUEST_MAX);
	else if (message[*len - 1] != '\n')
		err = why_set(why, -EINVAL, "%s: the last line has no end", path);
	if (f != stdin)
		fclose(f);
	return err;
}

/* The answer, with a NUL behind it, to be freed; NULL with @why set. */
static char *receive(int fd, const char *name, struct why *why)
{
	char header[CONTROL_HEADER], *answer = NULL;
	size_t len = 0;
	int err = receive_all(fd, header, sizeof(header));

	if (!err)
		err = control_get_header(header, CONTROL_ANSWER_MAX, &len);
	if (!err) {
		answer = calloc(1, len + 1);
		err = answer ? receive_all(fd, answer, len) : -ENOMEM;
	}
	if (!err)
		return answer;
	free(answer);
	why_set(why, err,
		err == -EAGAIN ? "guest '%s' does not answer" : "guest '%s' gave no whole answer",
		name);
	return NULL;
}

/* Nothing of it is to move a cursor or ring a bell. */
static int print(const char *text, struct why *why)
{
	for (; *text; text++)
		putchar(*text == '\n' || (*text >= ' ' && *text != 0x7f) ? *text : '?');
	if (fflush(stdout) || ferror(stdout))
		return why_set(why, -EIO, "standard output: %s", strerror(errno));
	return 0;
}

static int show(char *answer, struct why *why)
{
	size_t verdict = strlen(CONTROL_PASSED);
	bool differ = !strncmp(answer, CONTROL_DIFFER, verdict);
	int err;

	if (!strncmp(answer, CONTROL_FAILED, verdict)) {
		answer[verdict + strcspn(answer + verdict, "\n")] = '\0';
		return why_set(why, -EINVAL, "%s", answer + verdict);
	}
	if (!differ && strncmp(answer, CONTROL_PASSED, verdict))
		return why_set(why, -EINVAL, "an answer that is none");
	err = print(answer + verdict, why);
	return err ? err : differ ? -EILSEQ : 0;
}

/* The request's line, and for some a word or two after it. */
static void write_request(const struct request *r, char *to, size_t size)
{
	if (!strcmp(r->what, "irqchip"))
		snprintf(to, size, "irqchip %s\n", r->load ? "load" : r->json ? "json" : "text");
	else if (!strcmp(r->what, "translate"))
		snprintf(to, size, "translate\n%llu %#llx\n", (unsigned long long)r->cpu,
			 (unsigned long long)r->address);
	else
		snprintf(to, size, "%s\n", r->what);
}

static int talk(const struct request *r, char *message, struct why *why)
{
	char header[CONTROL_HEADER + 1], *answer;
	size_t len = CONTROL_HEADER;
	int err = 0, fd;

	write_request(r, message + len, CONTROL_REQUEST_MAX);
	len += strlen(message + len);
	if (r->load)
		err = append_file(message, &len, r->load, why);
	if (err)
		return err;
	fd = connect_to(r->name, why);
	if (fd < 0)
		return fd;
	control_put_header(header, len - CONTROL_HEADER);
	memcpy(message, header, CONTROL_HEADER);
	send_all(fd, message, len);
	answer = receive(fd, r->name, why);
	err = answer ? show(answer, why) : -EPIPE;
	free(answer);
	close(fd);
	return err;
}

static int ask(const struct request *r, struct why *why)
{
	char *message = malloc(CONTROL_HEADER + CONTROL_REQUEST_MAX + 1);
	int err = message ? talk(r, message, why) : why_set(why, -ENOMEM, "no memory");

	free(message);
	return err;
}

/* A number in C's notation that fills all of @text. */
static int parse_address(const char *text, uint64_t *address)
{
	char *end;

	errno = 0;
	*address = strtoull(text, &end, 0);
	return errno || end == text || *end || *text == '-' ? -EINVAL : 0;
}

/* The words after the options: what to look at, and where. */
static int set_subject(struct request *r, int argc, char **argv, struct why *why)
{
	static const char *const subjects[] = {"irqchip", "calls", "hpt", "translate"};
	int used = 1;

	for (size_t i = 0; argc && i < ARRAY_SIZE(subjects); i++)
		if (!strcmp(argv[0], subjects[i]))
			r->what = subjects[i];
	if (!*r->what)
		return why_set(why, -EINVAL,
			       "'%s' is not what can be looked at: irqchip, calls, hpt, translate",
			       argc ? argv[0] : "");
	if (!strcmp(r->what, "translate")) {
		if (argc < 2)
			return why_set(why, -EINVAL, "translate needs an address");
		if (parse_address(argv[1], &r->address))
			return why_set(why, -EINVAL,
				       "translate '%s': no address of 64 bits (hexadecimal has 0x)",
				       argv[1]);
		used = 2;
	}
	if (argc > used)
		return why_set(why, -EINVAL, "unexpected word '%s'", argv[used]);
	if ((r->load || r->json) && strcmp(r->what, "irqchip"))
		return why_set(why, -EINVAL, "--%s is for irqchip, not %s",
			       r->load ? "load" : "json", r->what);
	if (r->load && r->json)
		return why_set(why, -EINVAL, "--load takes lines, not --json");
	return 0;
}

static int set_option(struct request *r, int opt, const char *word, struct why *why)
{
	switch (opt) {
	case 'n':
		r->name = optarg;
		if (strlen(optarg) > GUEST_NAME_MAX)
			return why_set(why, -E2BIG, "name has %zu bytes, limit %d", strlen(optarg),
				       GUEST_NAME_MAX);
		return 0;
	case 'c':
		return parse_number(optarg, UINT32_MAX, &r->cpu)
			       ? why_set(why, -EINVAL, "cpu '%s' is not a number", optarg)
			       : 0;
	case 'j':
		r->json = true;
		return 0;
	case 'l':
		r->load = optarg;
		return 0;
	default:
		return why_set(why, -EINVAL, "unknown or misused option '%s'", word);
	}
}

/* 0, 1 for --help, or negative errno. */
static int parse(struct request *r, int argc, char **argv, struct why *why)
{
	static const struct option options[] = {
		{"name", required_argument, NULL, 'n'}, {"cpu", required_argument, NULL, 'c'},
		{"json", no_argument, NULL, 'j'},	{"load", required_argument, NULL, 'l'},
		{"help", no_argument, NULL, 'h'},	{NULL, 0, NULL, 0},
	};
	int opt, err;

	*r = (struct request){.name = "paprika", .what = ""};
	opterr = 0;
	while ((opt = getopt_long(argc, argv, ":n:c:h", options, NULL)) != -1) {
		if (opt == 'h')
			return 1;
		err = set_option(r, opt, argv[optind - 1], why);
		if (err)
			return err;
	}
	return set_subject(r, argc - optind, argv + optind, why);
}

int verb_debug(int argc, char **argv)
{
	struct request request;
	struct why why;
	int err = parse(&request, argc, argv, &why);

	if (err > 0) {
		fputs(help, stdout);
		return 0;
	}
	if (err) {
		fprintf(stderr, "paprika debug: %s\n", why.text);
		return EXIT_USAGE;
	}
	err = ask(&request, &why);
	if (err && err != -EILSEQ) /* which was said where it was printed */
		fprintf(stderr, "paprika: %s\n", why.text);
	return err ? EXIT_FAILED : 0;
}
