"""OR-Tools CP-SAT on the instances, seconds and threads of bench/search.mjs, on the same machine.

usage: python3 cpsat.py BENCHMARKS INSTANCES SECONDS THREADS OUT
       (needs the package `ortools`; one line of JSON per solve is appended to OUT, and what is
       there already is not solved again). side-by-side.mjs calls it in turns with the search.
"""
import glob
import json
import os
import sys
import time

import ortools
from ortools.sat.python import cp_model


def load(path):
    lines = [line for line in open(path) if line.strip() and not line.startswith("#")]
    jobs = [list(map(int, line.split())) for line in lines[1:]]
    return [list(zip(job[::2], job[1::2])) for job in jobs]


class Trace(cp_model.CpSolverSolutionCallback):
    """Notes when each better makespan was found, in seconds since the model was handed over."""

    def __init__(self, began):
        super().__init__()
        self.began = began
        self.points = []

    def on_solution_callback(self):
        self.points.append([round(time.monotonic() - self.began, 3), int(self.objective_value)])


def solve(jobs, seconds, threads):
    model = cp_model.CpModel()
    horizon = sum(duration for job in jobs for _, duration in job)
    machines, ends = {}, []
    for job in jobs:
        before = None
        for machine, duration in job:
            start = model.new_int_var(0, horizon, "")
            interval = model.new_fixed_size_interval_var(start, duration, "")
            machines.setdefault(machine, []).append(interval)
            if before is not None:
                model.add(start >= before)
            before = start + duration
        ends.append(before)
    for intervals in machines.values():
        model.add_no_overlap(intervals)
    makespan = model.new_int_var(0, horizon, "")
    for end in ends:
        model.add(makespan >= end)
    model.minimize(makespan)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = threads
    began = time.monotonic()
    trace = Trace(began)
    status = solver.solve(model, trace)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "makespan": int(solver.objective_value) if found else None,
        "lower_bound": int(solver.best_objective_bound),
        "status": solver.status_name(status).lower(),
        "seconds": time.monotonic() - began,
        "version": ortools.__version__,
        "trace": trace.points,
    }


def main(benchmarks, names, seconds, threads, out):
    done = set()
    if os.path.exists(out):
        for line in open(out):
            row = json.loads(line)
            done.add((row["instance"], row["budget_seconds"], row["threads"]))
    for name in names.split(","):
        if (name, float(seconds), int(threads)) in done:
            continue
        (path,) = glob.glob(os.path.join(benchmarks, "*", f"{name}.txt"))
        row = {"solver": "cp-sat", "instance": name, "budget_seconds": float(seconds), "threads": int(threads)}
        row.update(solve(load(path), float(seconds), int(threads)))
        print(name, row["makespan"], row["status"], f"{row['seconds']:.1f} s", flush=True)
        with open(out, "a") as file:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
