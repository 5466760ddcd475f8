"""Rides planned by the routing library of OR-Tools: guided local search, pick-ups and deliveries, windows, seats, ranges.

usage: python3 routing.py PROBLEM SECONDS   (needs the package `ortools`)
PROBLEM is the JSON that side-by-side.ts writes: minutes and metres from stop to stop, windows, rides and vehicles by numbers.
Prints {"metres": …, "tours": [[stop, …], …], "seconds": …} as one line of JSON; tours are null if no plan was found.
"""
import json
import sys
import time

try:
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2
except ImportError:
    sys.exit("routing.py needs the package ortools: python3 -m pip install ortools")


def main(path, seconds):
    data = json.load(open(path))
    rides, vehicles = data["rides"], data["vehicles"]
    stops = len(data["ready"])
    # Tours end wherever they like: at one more stop that is no way from anywhere.
    end = stops
    starts = [2 * len(rides) + v for v in range(len(vehicles))]
    manager = pywrapcp.RoutingIndexManager(stops + 1, len(vehicles), starts, [end] * len(vehicles))
    routing = pywrapcp.RoutingModel(manager)
    horizon = data["horizon"]

    def table(matrix):
        rows = [list(row) + [0] for row in matrix] + [[0] * (stops + 1)]
        return routing.RegisterTransitMatrix(rows)

    metres, minutes = table(data["metres"]), table(data["minutes"])
    routing.SetArcCostEvaluatorOfAllVehicles(metres)
    routing.AddDimension(minutes, horizon, horizon, False, "time")
    clock = routing.GetDimensionOrDie("time")
    ranges = [min(v["range"], 10**9) for v in vehicles]
    routing.AddDimensionWithVehicleCapacity(metres, 0, ranges, True, "range")
    people = [0] * (stops + 1)
    for ride, size in enumerate(rides):
        people[2 * ride], people[2 * ride + 1] = size, -size
    load = routing.RegisterUnaryTransitVector(people)
    routing.AddDimensionWithVehicleCapacity(load, 0, [v["seats"] for v in vehicles], True, "seats")
    solver = routing.solver()
    for stop in range(2 * len(rides)):
        index = manager.NodeToIndex(stop)
        clock.CumulVar(index).SetRange(data["ready"][stop], min(data["due"][stop], horizon))
    for v, start in enumerate(starts):
        clock.CumulVar(routing.Start(v)).SetRange(data["ready"][start], horizon)
    for ride in range(len(rides)):
        pickup, arrival = manager.NodeToIndex(2 * ride), manager.NodeToIndex(2 * ride + 1)
        routing.AddPickupAndDelivery(pickup, arrival)
        solver.Add(routing.VehicleVar(pickup) == routing.VehicleVar(arrival))
        solver.Add(clock.CumulVar(pickup) <= clock.CumulVar(arrival))
    parameters = pywrapcp.DefaultRoutingSearchParameters()
    first = routing_enums_pb2.FirstSolutionStrategy
    parameters.first_solution_strategy = first.PARALLEL_CHEAPEST_INSERTION
    meta = routing_enums_pb2.LocalSearchMetaheuristic
    parameters.local_search_metaheuristic = meta.GUIDED_LOCAL_SEARCH
    parameters.time_limit.FromMilliseconds(int(1000 * seconds))
    began = time.monotonic()
    solution = routing.SolveWithParameters(parameters)
    took = round(time.monotonic() - began, 3)
    if solution is None:
        print(json.dumps({"metres": None, "tours": None, "seconds": took}))
        return
    tours = []
    for v in range(len(vehicles)):
        index, tour = routing.Start(v), []
        while not routing.IsEnd(index):
            tour.append(manager.IndexToNode(index))
            index = solution.Value(routing.NextVar(index))
        tours.append(tour)
    print(json.dumps({"metres": solution.ObjectiveValue(), "tours": tours, "seconds": took}))


main(sys.argv[1], float(sys.argv[2]))
