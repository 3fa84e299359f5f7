//go:build cgo && unix

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "pipeline.h"
#include "_cgo_export.h"

static uint64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void read_clock(uint64_t *latencies, int n) {
	uint64_t before = now();
	for (int i = 0; i < n; i++) {
		uint64_t after = now();
		latencies[i] = after - before;
		before = after;
	}
}

typedef struct {
	pipeline *p;
	int thread;
	pthread_t id;
	uint64_t sum;
} worker;

// work passes each message to a component, a Go value that C knows only by its handle. The component's result is a handle
// too, and goes to the sink.
static void *work(void *argument) {
	worker *w = argument;
	pipeline *p = w->p;
	uint64_t *latency = p->latencies ? p->latencies + w->thread * p->messages : NULL;
	uint64_t before = latency ? now() : 0;
	for (uint64_t i = 0; i < p->messages; i++) {
		uint64_t component = p->components[(i * 7 + w->thread) % p->component_count];
		w->sum += goSink(goCompute(component, i));
		if (latency) {
			uint64_t after = now();
			*latency++ = after - before;
			before = after;
		}
	}
	return NULL;
}

uint64_t run_pipeline(pipeline *p, int threads) {
	worker *workers = calloc(threads, sizeof(worker));
	if (!workers)
		return 0;
	int started = 0;
	for (; started < threads; started++) {
		workers[started].p = p;
		workers[started].thread = started;
		if (pthread_create(&workers[started].id, NULL, work, &workers[started]))
			break;
	}
	uint64_t sum = 0;
	for (int i = 0; i < started; i++) {
		pthread_join(workers[i].id, NULL);
		sum += workers[i].sum;
	}
	free(workers);
	return started == threads ? sum : 0;
}
