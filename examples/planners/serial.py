#!/usr/bin/env python3
"""One job after the other, first to last, then last to first. The instance comes on stdin."""
import json
import sys

numbers = [int(word) for line in sys.stdin for word in line.split("#")[0].split()]
jobs, machines = numbers[:2]
for order in (range(jobs), reversed(range(jobs))):
    time, entries = 0, []
    for job in order:
        for step in range(machines):
            machine, duration = numbers[2 + 2 * (job * machines + step) :][:2]
            entries.append({"job": job, "step": step, "machine": machine, "start": time, "end": time + duration})
            time += duration
    print(json.dumps({"type": "plan", "entries": entries}), flush=True)
