#!/usr/bin/env python3
"""CP-SAT of OR-Tools (pip install ortools): cpsat.py INSTANCE SECONDS SEED THREADS.

Prints every schedule and every lower bound when it has it, and whether the last schedule is optimal.
"""
import json
import sys

from ortools.sat.python import cp_model


def tell(**message):
    print(json.dumps(message), flush=True)


class Teller(cp_model.CpSolverSolutionCallback):
    """Tells of each schedule that is better than all before it."""

    def __init__(self, operations):
        super().__init__()
        self.operations = operations

    def on_solution_callback(self):
        entries = []
        for (job, step), (start, machine, duration) in self.operations.items():
            begin = self.value(start)
            entries.append({"job": job, "step": step, "machine": machine, "start": begin, "end": begin + duration})
        tell(type="plan", entries=entries)


file, seconds, seed, threads = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
with open(file) as lines:
    numbers = [int(word) for line in lines for word in line.split("#")[0].split()]
jobs, machines = numbers[:2]
horizon = sum(numbers[3::2])

model = cp_model.CpModel()
operations, on_machine = {}, [[] for _ in range(machines)]
end = model.new_int_var(0, horizon, "end")
for job in range(jobs):
    ready = 0
    for step in range(machines):
        machine, duration = numbers[2 + 2 * (job * machines + step) :][:2]
        start = model.new_int_var(0, horizon, f"start {job} {step}")
        on_machine[machine].append(model.new_fixed_size_interval_var(start, duration, f"{job} {step}"))
        model.add(start >= ready)
        ready = start + duration
        operations[job, step] = (start, machine, duration)
    model.add(end >= ready)
for intervals in on_machine:
    model.add_no_overlap(intervals)
model.minimize(end)

solver = cp_model.CpSolver()
solver.parameters.max_time_in_seconds = seconds
solver.parameters.random_seed = seed % 2**31
solver.parameters.num_workers = threads
solver.best_bound_callback = lambda bound: tell(type="lower_bound", value=bound)
status = solver.solve(model, Teller(operations))
tell(type="lower_bound", value=solver.best_objective_bound)
tell(type="status", status=solver.status_name(status).lower().replace("model_invalid", "unknown"))
