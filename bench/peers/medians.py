"""Prints the medians of benchmarks: processor time of the thread and of the process, wall clock, and how many times rustgo's time each way takes (the
median over the passes of the ratio within a pass)."""

import re
import statistics
import sys

LINE = re.compile(r"BenchmarkBorder/(\w+)/([\w-]+?)-\d+\s+\d+\s+([\d.]+) ns/op\s+([\d.]+) process-ns/op\s+([\d.]+) thread-ns/op")

rows = {}
for line in open(sys.argv[1]):
    if match := LINE.match(line):
        row, way, *times = match.groups()
        rows.setdefault(row, {}).setdefault(way, []).append([float(time) for time in times])
print(f"{'':32}{'thread ns':>11}{'process ns':>11}{'wall ns':>11}{'by thread':>11}")
for row, ways in rows.items():
    for way, passes in ways.items():
        wall, process, thread = (statistics.median(times) for times in zip(*passes))
        ratio = statistics.median(theirs[2] / ours[2] for ours, theirs in zip(ways["rustgo"], passes))
        print(f"{row:15} {way:16}{thread:11.1f}{process:11.1f}{wall:11.1f}{ratio:9.1f} ×")
