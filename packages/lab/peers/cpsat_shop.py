"""OR-Tools CP-SAT on shops with every feature of the model (docs/reference/model.md).

usage: python3 cpsat_shop.py
       (needs the package `ortools`. Every line of stdin is a task in JSON: `shop` as packages/lab/src/shops/shop.ts has
       it, `objective` (makespan or total-weighted-tardiness), `seconds`, `threads`, and perhaps
       `processor_seconds`, after which it ends, too. One line of JSON answers each.)
"""
import json
import sys
import threading
import time

import ortools
from ortools.sat.python import cp_model


class Trace(cp_model.CpSolverSolutionCallback):
    """Notes when each better value was found, in seconds since the model was handed over."""

    def __init__(self, began):
        super().__init__()
        self.began = began
        self.points = []

    def on_solution_callback(self):
        self.points.append([round(time.monotonic() - self.began, 3), int(self.objective_value)])


class Clock:
    """Completion times, allowed starts and latest setups of a machine with downtimes, for all times up to a horizon."""

    def __init__(self, downtimes, horizon):
        self.horizon = horizon
        self.down = sorted((d["from"], d["to"], d["resumable"]) for d in downtimes)
        self.pauses = [(begin, end) for begin, end, resumable in self.down if resumable]
        self.known = {}

    def end(self, start, length):
        end = start + length
        if length > 0:
            for begin, until in self.pauses:
                if until > start and begin < end:
                    end += until - max(begin, start)
        return end

    def allows(self, start, length):
        if length == 0:
            return True
        end = self.end(start, length)
        return all(
            not begin <= start < until and (resumable or until <= start or end <= begin)
            for begin, until, resumable in self.down
        )

    def ends(self, length):
        return self.table(("end", length), lambda time: self.end(time, length))

    def starts(self, length):
        return [time for time in range(self.horizon + 1) if self.allows(time, length)]

    def setups(self, length):
        """By start of an operation: the latest start of its setup, −1 for none."""
        key = ("setup", length)
        if key not in self.known:
            begins = [s for s in self.starts(length)]
            table, at, latest = [], 0, -1
            # Completion times increase with starts.
            for time in range(self.horizon + 1):
                while at < len(begins) and self.end(begins[at], length) <= time:
                    latest = begins[at]
                    at += 1
                table.append(latest)
            self.known[key] = table
        return self.known[key]

    def windows(self):
        """Where work on the machine is not interrupted."""
        free, windows = 0, []
        for begin, until in self.pauses:
            if begin > free:
                windows.append((free, begin))
            free = max(free, until)
        return windows + [(free, self.horizon + 1)]

    def table(self, key, value):
        if key not in self.known:
            self.known[key] = [value(time) for time in range(self.horizon + 1)]
        return self.known[key]


class Model:
    """The model of a shop; `starts` and `modes` are its variables."""

    def __init__(self, shop):
        self.shop = shop
        self.cp = cp_model.CpModel()
        self.horizon = horizon_of(shop)
        self.clocks = [
            Clock([d for d in shop["downtimes"] if d["machine"] == k], self.horizon)
            for k in range(shop["machines"])
        ]
        self.occupants = [[] for _ in range(shop["machines"])]
        self.demands = [[] for _ in shop["resources"]]
        self.starts, self.ends, self.modes, self.ways = [], [], [], {}
        for op, operation in enumerate(shop["operations"]):
            self.add_operation(op, operation)
        for op, operation in enumerate(shop["operations"]):
            for edge in operation["after"]:
                self.add_edge(op, edge)
        for machine in range(shop["machines"]):
            self.cp.add_no_overlap([interval for *_, interval in self.occupants[machine]])
            if shop["setups"][machine] is not None:
                self.add_setups(machine, shop["setups"][machine])
        self.add_capacities()

    def add_operation(self, op, operation):
        cp, frozen = self.cp, operation["frozen"]
        least = operation["release"] if frozen is None else frozen
        start = cp.new_int_var(least, self.horizon if frozen is None else frozen, "")
        end = cp.new_int_var(0, self.horizon, "")
        literals = []
        for index, mode in enumerate(operation["modes"]):
            only = len(operation["modes"]) == 1
            literal = cp.new_constant(1) if only else cp.new_bool_var("")
            literals.append(literal)
            if frozen is not None and not only:
                cp.add(literal == (1 if index == operation["chosen"] else 0))
            self.add_mode(op, mode, literal, start, end, frozen)
        if len(literals) > 1:
            cp.add_exactly_one(literals)
        # Says again what the modes say, in one equation: bounds are higher and schedules shorter with it.
        lengths = [mode["duration"] for mode in operation["modes"]]
        if not any(self.clocks[mode["machine"]].down for mode in operation["modes"]):
            length = cp.new_int_var_from_domain(cp_model.Domain.from_values(lengths), "")
            cp.add(length == sum(time * literal for time, literal in zip(lengths, literals)))
            cp.new_interval_var(start, length, end, "")
        self.starts.append(start)
        self.ends.append(end)
        self.modes.append(literals)

    def add_mode(self, op, mode, literal, start, end, frozen):
        cp, machine, length = self.cp, mode["machine"], mode["duration"]
        clock = self.clocks[machine]
        if not clock.down or length == 0:
            cp.add(end == start + length).only_enforce_if(literal)
            if length == 0:
                return
            interval = cp.new_optional_fixed_size_interval_var(start, length, literal, "")
        else:
            allowed = clock.starts(length) if frozen is None else [frozen]
            own = cp.new_int_var_from_domain(cp_model.Domain.from_values(allowed), "")
            done = cp.new_int_var(0, 2 * self.horizon, "")
            cp.add_element(own, clock.ends(length), done)
            cp.add(start == own).only_enforce_if(literal)
            cp.add(end == done).only_enforce_if(literal)
            size = cp.new_int_var(0, 2 * self.horizon, "")
            interval = cp.new_optional_interval_var(start, size, end, literal, "")
        self.occupants[machine].append((op, mode, literal, interval))
        for need in mode["needs"]:
            if need["phase"] == "work":
                self.demand(need, machine, start, end, interval, literal)

    def demand(self, need, machine, start, end, interval, literal):
        """The need of an interval, apart from the times at which its machine is interrupted."""
        cp, windows, demands = self.cp, self.clocks[machine].windows(), self.demands[need["resource"]]
        if len(windows) == 1 and windows[0][0] == 0:
            demands.append((interval, need["amount"]))
            return
        for begin, until in windows:
            first, last = (
                self.clamped(variable, begin, until) for variable in (start, end)
            )
            size = cp.new_int_var(0, self.horizon + 1, "")
            some, used = cp.new_bool_var(""), cp.new_bool_var("")
            cp.add(last > first).only_enforce_if(some)
            cp.add(last <= first).only_enforce_if(~some)
            cp.add_bool_and(some, literal).only_enforce_if(used)
            cp.add_bool_or(~some, ~literal, used)
            demands.append((cp.new_optional_interval_var(first, size, last, used, ""), need["amount"]))

    def clamped(self, variable, least, most):
        after = self.cp.new_int_var(-1, 2 * self.horizon, "")
        self.cp.add_max_equality(after, [variable, least])
        clamped = self.cp.new_int_var(-1, 2 * self.horizon, "")
        self.cp.add_min_equality(clamped, [after, most])
        return clamped

    def add_edge(self, op, edge):
        cp, before, way = self.cp, edge["from"], 0
        transport, operations = self.shop["transport"], self.shop["operations"]
        if transport is not None:
            way = cp.new_int_var(0, max(map(max, transport)), "")
            for u, from_mode in zip(self.modes[before], operations[before]["modes"]):
                for v, to_mode in zip(self.modes[op], operations[op]["modes"]):
                    time = transport[from_mode["machine"]][to_mode["machine"]]
                    cp.add(way == time).only_enforce_if(u, v)
        arrival = self.ends[before] + way
        self.ways[op, before] = arrival + edge["minLag"]
        cp.add(self.starts[op] >= arrival + edge["minLag"])
        if edge["maxLag"] is not None:
            cp.add(self.starts[op] <= arrival + edge["maxLag"])

    def add_setups(self, machine, setups):
        """The order of a machine as a circuit: node 0 is before the first and after the last operation."""
        cp, operations = self.cp, self.shop["operations"]
        nodes = {}
        for op, _, literal, _ in self.occupants[machine]:
            nodes.setdefault(op, []).append(literal)
        # An operation may have several modes on the machine.
        on = {op: self.any_of(literals) for op, literals in nodes.items()}
        place = {op: i + 1 for i, op in enumerate(nodes)}
        unused = cp.new_bool_var("")
        arcs = [(0, 0, unused)]
        for v in nodes:
            arcs.append((place[v], place[v], ~on[v]))
            arcs.append((place[v], 0, cp.new_bool_var("")))
            for u in [None, *nodes]:
                if u == v:
                    continue
                arc = cp.new_bool_var("")
                arcs.append((0 if u is None else place[u], place[v], arc))
                family = operations[v]["family"]
                if u is None:
                    length = setups["first"][family]
                else:
                    length = setups["time"][operations[u]["family"]][family]
                self.add_setup(machine, u, v, arc, length, setups["anticipatory"])
        if nodes:
            cp.add_circuit(arcs)

    def any_of(self, literals):
        if len(literals) == 1:
            return literals[0]
        some = self.cp.new_bool_var("")
        self.cp.add_bool_or(literals).only_enforce_if(some)
        for literal in literals:
            self.cp.add_implication(literal, some)
        return some

    def add_setup(self, machine, before, op, arc, length, anticipatory):
        cp, clock, start = self.cp, self.clocks[machine], self.starts[op]
        least = 0 if before is None else self.ends[before]
        if length == 0:
            cp.add(start >= least).only_enforce_if(arc)
            return
        if clock.down:
            begin = cp.new_int_var(-1, self.horizon, "")
            cp.add_element(start, clock.setups(length), begin)
        else:
            begin = start - length
        cp.add(begin >= 0).only_enforce_if(arc)
        cp.add(begin >= least).only_enforce_if(arc)
        operation = self.shop["operations"][op]
        if not anticipatory:
            cp.add(begin >= operation["release"]).only_enforce_if(arc)
            for edge in operation["after"]:
                cp.add(begin >= self.ways[op, edge["from"]]).only_enforce_if(arc)
        for mode, literal in zip(operation["modes"], self.modes[op]):
            if mode["machine"] != machine or mode["duration"] == 0:
                continue
            for need in mode["needs"]:
                if need["phase"] == "setup":
                    self.add_setup_need(machine, need, arc, literal, begin, start, length)

    def add_setup_need(self, machine, need, arc, literal, begin, start, length):
        cp, clock = self.cp, self.clocks[machine]
        both = cp.new_bool_var("")
        cp.add_bool_and(arc, literal).only_enforce_if(both)
        cp.add_bool_or(~arc, ~literal, both)
        if not clock.down:
            interval = cp.new_optional_interval_var(begin, length, start, both, "")
            self.demands[need["resource"]].append((interval, need["amount"]))
            return
        end = cp.new_int_var(0, 2 * self.horizon, "")
        known = cp.new_int_var(0, self.horizon, "")
        cp.add(known == begin).only_enforce_if(both)
        cp.add_element(known, clock.ends(length), end)
        size = cp.new_int_var(0, 2 * self.horizon, "")
        interval = cp.new_optional_interval_var(known, size, end, both, "")
        self.demand(need, machine, known, end, interval, both)

    def add_capacities(self):
        cp = self.cp
        for resource, demands in zip(self.shop["resources"], self.demands):
            capacity = resource["capacity"]
            most = max([capacity, *(less["amount"] for less in resource["less"])])
            usual = [(0, self.horizon)]
            fixed = [
                (cp.new_fixed_size_interval_var(l["from"], l["to"] - l["from"], ""), most - l["amount"])
                for l in resource["less"]
            ]
            if most > capacity:
                raise ValueError(f"more than the usual capacity {capacity} in {usual} is not modelled")
            everything = [*demands, *fixed]
            if demands:
                cp.add_cumulative([i for i, _ in everything], [d for _, d in everything], capacity)

    def minimize(self, objective):
        cp, jobs, operations = self.cp, self.shop["jobs"], self.shop["operations"]
        makespan, costs = cp.new_int_var(0, self.horizon, ""), []
        for end in self.ends:
            cp.add(makespan >= end)
        for index, job in enumerate(jobs):
            ends = [self.ends[op] for op, one in enumerate(operations) if one["job"] == index]
            if job["deadline"] is not None:
                for end in ends:
                    cp.add(end <= job["deadline"])
            if job["due"] is not None and ends:
                late = cp.new_int_var(0, self.horizon, "")
                for end in ends:
                    cp.add(late >= end - job["due"])
                costs.append(job["weight"] * late)
        cp.minimize(makespan if objective == "makespan" else sum(costs))


def horizon_of(shop):
    """A time by which a shop is done if its jobs are done one after the other once all downtimes are over."""
    if shop.get("horizon") is not None:
        return shop["horizon"]
    times = [time for setups in shop["setups"] if setups for row in [*setups["time"], setups["first"]] for time in row]
    setup = max(times, default=0)
    way = max(map(max, shop["transport"])) if shop["transport"] else 0
    latest = max(
        [
            0,
            *(d["to"] for d in shop["downtimes"]),
            *(l["to"] for r in shop["resources"] for l in r["less"]),
            *(max(o["release"], o["frozen"] or 0) for o in shop["operations"]),
        ]
    )
    work = sum(
        max(m["duration"] for m in o["modes"]) + setup + way + max([0, *(e["minLag"] for e in o["after"])])
        for o in shop["operations"]
    )
    # An operation that is done in its frozen time may meet all downtimes.
    paused = sum(d["to"] - d["from"] for d in shop["downtimes"])
    return latest + work + paused


def stop_after(solver, processor_time, ended):
    """Stops a solver at a time of this process's processors."""
    while not ended.wait(0.02):
        if time.process_time() >= processor_time:
            solver.stop_search()


def solve(task):
    began, used = time.monotonic(), time.process_time()
    model = Model(task["shop"])
    model.minimize(task["objective"])
    solver = cp_model.CpSolver()
    built = time.monotonic() - began
    # Building the model counts: it is part of what the search does in its time, too.
    solver.parameters.max_time_in_seconds = max(0.01, task["seconds"] - built)
    solver.parameters.num_workers = task["threads"]
    if "seed" in task:
        solver.parameters.random_seed = task["seed"]
    trace = Trace(began)
    ended = threading.Event()
    if "processor_seconds" in task:
        threading.Thread(target=stop_after, args=(solver, used + task["processor_seconds"], ended)).start()
    status = solver.solve(model.cp, trace)
    ended.set()
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "value": round(solver.objective_value) if found else None,
        "lower_bound": None if status == cp_model.INFEASIBLE else int(solver.best_objective_bound),
        "status": solver.status_name(status).lower(),
        "start": [solver.value(start) for start in model.starts] if found else None,
        "mode": [[solver.value(l) for l in literals].index(1) for literals in model.modes] if found else None,
        "seconds": round(time.monotonic() - began, 3),
        "build_seconds": round(built, 3),
        "processor_seconds": round(time.process_time() - used, 2),
        "version": ortools.__version__,
        "trace": trace.points,
    }


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    for line in sys.stdin:
        print(json.dumps(solve(json.loads(line))), flush=True)
