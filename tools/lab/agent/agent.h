/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the agent share: its protocol, its one command, queues. */
#ifndef LAB_AGENT_H
#define LAB_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CHUNK 32768 /* a port takes 32 KiB a write */

enum frame {
	/* to the agent */
	F_MOUNT = 'm',	/* tag, path, options: strings with their NULs */
	F_WARM = 'w',	/* pairs of paths: copy the first into memory as the second */
	F_RUN = 'r',	/* struct run_head, then cwd, argv and environment */
	F_STDIN = 'i',	/* bytes; none means end of file */
	F_SIGNAL = 's', /* one byte: for the command's process group */
	F_WINCH = 'c',	/* rows, columns: 16 bits each */
	F_DMESG = 'd',	/* nothing */
	F_BYE = 'b',	/* nothing: write everything back */
	/* from the agent */
	F_HELLO = 'H', /* text: kernel release, then what went wrong */
	F_DONE = 'D',  /* text: empty, or why it failed (of m, w, b) */
	F_STDOUT = 'O',
	F_STDERR = 'E',
	F_CREDIT = 'C', /* 32 bits: bytes of standard input that were taken */
	F_EXIT = 'X',	/* struct run_tail */
	F_LOG = 'L',	/* records of /dev/kmsg; none means end */
};

#define RUN_TTY	  1
#define RUN_EXACT 2

struct run_head {
	uint8_t flags;
	uint8_t pad;
	uint16_t rows, cols;
	uint16_t argc;
} __attribute__((packed));

struct run_tail {
	uint32_t status; /* as wait() gives it */
	uint64_t ns;	 /* from before fork() to the command's end */
} __attribute__((packed));

/* A byte queue: data at [head, tail). */
struct queue {
	char *data;
	size_t head, tail, room;
};

size_t queue_len(const struct queue *q);
char *queue_room(struct queue *q, size_t len);
void queue_put(struct queue *q, const void *data, size_t len);

/* The port, and the command that runs, if pid > 0. */
struct lab {
	int port, sigfd, kmsg;
	struct queue rx, tx; /* of the port */

	pid_t pid;
	bool tty, exact, ended;
	int status;
	uint64_t start, end;
	int in, out, err; /* our ends; for a terminal in == out */
	struct queue input;
	bool input_eof;
	char *waiting; /* an exact run's F_RUN, kept until its input is there */
	size_t waiting_len;
};
extern struct lab lab;

/* End the host, with a line on its console. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Put a frame in the port's queue. */
void send_frame(enum frame type, const void *data, size_t len);
void send_text(enum frame type, const char *text);

/* system.c: make this a Linux system; what went wrong with modules goes to @complaints. */
void system_start(struct queue *complaints);
int system_open_port(void);
void mkdirs(const char *path);
void run_helper(char *const argv[]);

/* requests.c: payloads end at @end. */
char *next_string(char **p, char *end);
void serve_mount(char *p, char *end);
void serve_warm(char *p, char *end);
void serve_dmesg(void);

/* command.c */
void serve_run(char *data, size_t len);
void serve_stdin(char *data, size_t len);
void serve_signal(const char *data, size_t len);
void serve_window(const char *data, size_t len);
/* What the loop found to do. */
void command_reap(void);
void command_push_input(void);
bool command_pull_output(int *fd, enum frame type);
void command_relieve_pipes(void);
void command_finish(void);

#endif
