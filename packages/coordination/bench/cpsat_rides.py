"""Rides planned by OR-Tools CP-SAT: circuits of stops, with windows, seats and ranges; one thread.

usage: python3 cpsat_rides.py PROBLEM SECONDS   (needs the package `ortools`)
PROBLEM is the JSON that side-by-side.ts writes, as for routing.py. Vehicles go by the quickest ways; nobody changes vehicles.
Prints {"metres": …, "bound": …, "status": …, "tours": …, "seconds": …} as one line of JSON.
"""
import json
import sys
import time

try:
    from ortools.sat.python import cp_model
except ImportError:
    sys.exit("cpsat_rides.py needs the package ortools: python3 -m pip install ortools")


def main(path, seconds):
    data = json.load(open(path))
    rides, vehicles = data["rides"], data["vehicles"]
    stops, horizon = 2 * len(rides), data["horizon"]
    model = cp_model.CpModel()
    at = [model.new_int_var(data["ready"][s], min(data["due"][s], horizon), f"t{s}") for s in range(stops)]
    driven = [model.new_int_var(0, 10**9, f"m{s}") for s in range(stops)]
    most = max(v["seats"] for v in vehicles)
    load = [model.new_int_var(0, most, f"l{s}") for s in range(stops)]
    by = [[model.new_bool_var(f"{s}by{v}") for v in range(len(vehicles))] for s in range(stops)]
    costs, used = [], {}
    for v, vehicle in enumerate(vehicles):
        start = stops + v
        # Node 0 is where the vehicle begins and, for free, ends; a loop there leaves it unused.
        arcs = [(0, 0, model.new_bool_var(f"idle{v}"))]
        for s in range(stops):
            arcs.append((s + 1, s + 1, ~by[s][v]))
            arcs.append((s + 1, 0, model.new_bool_var(f"{s}last{v}")))
            first = model.new_bool_var(f"{s}first{v}")
            arcs.append((0, s + 1, first))
            used[v, start, s] = first
            costs.append(data["metres"][start][s] * first)
            model.add(at[s] >= data["ready"][start] + data["minutes"][start][s]).only_enforce_if(first)
            model.add(driven[s] >= data["metres"][start][s]).only_enforce_if(first)
            model.add(load[s] >= size_at(rides, s)).only_enforce_if(first)
            for t in range(stops):
                if s == t:
                    continue
                arc = model.new_bool_var(f"{s}to{t}by{v}")
                arcs.append((s + 1, t + 1, arc))
                used[v, s, t] = arc
                costs.append(data["metres"][s][t] * arc)
                model.add(at[t] >= at[s] + data["minutes"][s][t]).only_enforce_if(arc)
                model.add(driven[t] >= driven[s] + data["metres"][s][t]).only_enforce_if(arc)
                model.add(load[t] >= load[s] + size_at(rides, t)).only_enforce_if(arc)
            model.add(load[s] <= vehicle["seats"]).only_enforce_if(by[s][v])
            model.add(driven[s] <= min(vehicle["range"], 10**9)).only_enforce_if(by[s][v])
        model.add_circuit(arcs)
    for s in range(stops):
        model.add_exactly_one(by[s])
    for ride in range(len(rides)):
        for v in range(len(vehicles)):
            model.add(by[2 * ride][v] == by[2 * ride + 1][v])
        model.add(at[2 * ride] + data["minutes"][2 * ride][2 * ride + 1] <= at[2 * ride + 1])
    model.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    began = time.monotonic()
    status = solver.solve(model)
    took = round(time.monotonic() - began, 3)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    print(json.dumps({
        "metres": int(solver.objective_value) if found else None,
        "bound": int(solver.best_objective_bound) if found else None,
        "status": solver.status_name(status).lower(),
        "tours": tours_of(solver, used, len(vehicles), stops) if found else None,
        "seconds": took,
    }))


def size_at(rides, stop):
    return rides[stop // 2] if stop % 2 == 0 else -rides[stop // 2]


def tours_of(solver, used, vehicles, stops):
    tours = []
    for v in range(vehicles):
        tour = [stops + v]
        while True:
            goes = [t for t in range(stops) if (v, tour[-1], t) in used and solver.value(used[v, tour[-1], t])]
            if not goes:
                break
            tour.append(goes[0])
        tours.append(tour)
    return tours


main(sys.argv[1], float(sys.argv[2]))
