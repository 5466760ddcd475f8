"""OR-Tools CP-SAT on the instances, seconds and threads of `npm run bench -- search`, on the same machine.

usage: python3 cpsat.py BENCHMARKS INSTANCES SECONDS THREADS OUT
       (needs the package `ortools`; one line of JSON per solve is appended to OUT, and what is
       there already of this machine is not solved again). side-by-side.mjs calls it in turns with the search.
"""
import datetime
import glob
import json
import os
import platform
import sys
import time

try:
    import ortools
    from ortools.sat.python import cp_model
except ImportError:
    sys.exit("cpsat.py needs the package ortools: python3 -m pip install ortools")


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
    used = time.process_time()
    trace = Trace(began)
    status = solver.solve(model, trace)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "makespan": int(solver.objective_value) if found else None,
        "lower_bound": int(solver.best_objective_bound),
        "status": solver.status_name(status).lower(),
        "seconds": time.monotonic() - began,
        "processor_seconds": round(time.process_time() - used, 2),
        "version": ortools.__version__,
        "trace": trace.points,
    }


def solved(out):
    """Instance, seconds, threads and machine of the solves in a file; a line that was broken off is none."""
    if not os.path.exists(out):
        return
    for line in open(out):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        yield row["instance"], row["budget_seconds"], row["threads"], row.get("machine")


def append(out, row):
    """Appends a line, after the end of one that was broken off."""
    with open(out, "a+") as file:
        file.seek(0)
        text = file.read()
        file.write(("\n" if text and not text.endswith("\n") else "") + json.dumps(row) + "\n")


def main(benchmarks, names, seconds, threads, out):
    done = set(solved(out))
    machine = f"{os.cpu_count()} × {processor()}"
    for name in names.split(","):
        if (name, float(seconds), int(threads), machine) in done:
            continue
        paths = glob.glob(os.path.join(benchmarks, "*", f"{name}.txt"))
        if len(paths) != 1:
            sys.exit(f"no benchmark is called {name}")
        row = {"solver": "cp-sat", "instance": name, "budget_seconds": float(seconds), "threads": int(threads)}
        row.update(solve(load(paths[0]), float(seconds), int(threads)))
        row["machine"] = machine
        row["solved_at"] = datetime.datetime.now(datetime.timezone.utc).isoformat()
        print(name, row["makespan"], row["status"], f"{row['seconds']:.1f} s", flush=True)
        append(out, row)


def processor():
    """The processor's name, as the search has it where there is /proc/cpuinfo."""
    try:
        lines = [line for line in open("/proc/cpuinfo") if line.startswith("model name")]
        return lines[0].split(":")[1].strip()
    except (OSError, IndexError):
        return platform.processor()


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
