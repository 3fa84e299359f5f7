#pragma once
#include <stdint.h>

typedef struct {
	uint64_t *components;    // handles
	uint64_t component_count;
	uint64_t messages;       // for each thread
	uint64_t *latencies;     // ns per message, thread by thread; or NULL
} pipeline;

// run_pipeline lets C threads send their messages and returns the sum of the sink's results, or 0 if not all threads could be started.
uint64_t run_pipeline(pipeline *p, int threads);

// read_clock measures n empty intervals.
void read_clock(uint64_t *latencies, int n);
