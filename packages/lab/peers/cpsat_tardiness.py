"""OR-Tools CP-SAT on shops with due dates, weights and downtimes that nothing may overlap.

usage: python3 cpsat_tardiness.py SHOP SECONDS THREADS
       (needs the package `ortools`; SHOP is a file of JSON with `jobs` (machine and duration of every
       operation), `due`, `weight` and `downtimes` (machine, from, to). Writes one line of JSON.
       tardiness.mjs calls it in turns with the search.)
"""
import json
import sys
import time

import ortools
from cpsat import Trace
from ortools.sat.python import cp_model


def solve(shop, seconds, threads):
    model = cp_model.CpModel()
    jobs, downtimes = shop["jobs"], shop["downtimes"]
    horizon = sum(duration for job in jobs for _, duration in job)
    horizon += max([until for _, _, until in downtimes], default=0)
    machines, costs = {}, []
    for job, due, weight in zip(jobs, shop["due"], shop["weight"]):
        before = 0
        for machine, duration in job:
            start = model.new_int_var(0, horizon, "")
            interval = model.new_fixed_size_interval_var(start, duration, "")
            machines.setdefault(machine, []).append(interval)
            model.add(start >= before)
            before = start + duration
        late = model.new_int_var(0, horizon, "")
        model.add(late >= before - due)
        costs.append(weight * late)
    for machine, begin, until in downtimes:
        machines[machine].append(model.new_fixed_size_interval_var(begin, until - begin, ""))
    for intervals in machines.values():
        model.add_no_overlap(intervals)
    model.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = threads
    began = time.monotonic()
    trace = Trace(began)
    status = solver.solve(model, trace)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "value": int(solver.objective_value) if found else None,
        "lower_bound": int(solver.best_objective_bound),
        "status": solver.status_name(status).lower(),
        "seconds": round(time.monotonic() - began, 3),
        "version": ortools.__version__,
        "trace": trace.points,
    }


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    print(json.dumps(solve(json.load(open(sys.argv[1])), float(sys.argv[2]), int(sys.argv[3]))))
