#pragma once
#include <stdint.h>

typedef struct {
	uint64_t *components;    // handles
	uint64_t component_count;
	uint64_t messages;       // for each thread
	uint64_t *latencies;     // ns for each message, thread by thread; or NULL
} pipeline;

// run_pipeline lets threads of C work through their messages and returns the sum of what the sink gave for them; 0 if not
// all threads could be started.
uint64_t run_pipeline(pipeline *p, int threads);

// read_clock measures how long nothing takes, n times.
void read_clock(uint64_t *latencies, int n);
