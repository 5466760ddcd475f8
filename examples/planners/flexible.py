#!/usr/bin/env python3
"""A flexible job shop, operation by operation, each on the machine that ends it first. Takes an .fjs file."""
import json
import sys

rows = [[float(word) for word in line.split("#")[0].split()] for line in open(sys.argv[1])]
rows = [row for row in rows if row]
machines = int(rows[0][1])
jobs = []
for row in rows[1:]:
    numbers = [int(number) for number in row]
    steps, at = [], 1
    for _ in range(numbers[0]):
        pairs = numbers[at + 1 : at + 1 + 2 * numbers[at]]
        # Machines count from 1 in the file, and from 0 in plans.
        steps.append([(machine - 1, duration) for machine, duration in zip(pairs[::2], pairs[1::2])])
        at += 1 + 2 * numbers[at]
    jobs.append(steps)

free, ready, entries = [0] * machines, [0] * len(jobs), []
for step in range(max(len(steps) for steps in jobs)):
    for job, steps in enumerate(jobs):
        if step >= len(steps):
            continue
        end, machine, start = min(
            (max(ready[job], free[machine]) + duration, machine, max(ready[job], free[machine]))
            for machine, duration in steps[step]
        )
        entries.append({"job": job, "step": step, "machine": machine, "start": start, "end": end})
        free[machine] = ready[job] = end
print(json.dumps({"type": "plan", "entries": entries}), flush=True)
