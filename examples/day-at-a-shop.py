#!/usr/bin/env python3
"""A day at a shop, reported to a service from Python: a plan, 200 events, what-if questions, explanations.

    npx alas-jssp serve                      # in another terminal
    python3 examples/day-at-a-shop.py

It needs no package. Ends with exit code 1 if the stream of changes and the answers tell different stories.
"""

import argparse
import os
import random
import statistics
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients", "python"))

from alas_jssp import Problem, Service  # noqa: E402

MACHINES = ["Saw", "Lathe 1", "Lathe 2", "Mill 1", "Mill 2", "Grinder"]
WORK = ["sawing", "turning", "boring", "milling", "facing", "grinding"]
#: Minutes in which the orders of the day are due, from six o'clock on.
DAY = 16 * 60


def orders_of_the_day(chance, count=20):
    """An instance as docs/reference/formats.md describes it: names, due dates, and minutes that are times of the day."""
    jobs = []
    for number in range(count):
        route = chance.sample(range(len(MACHINES)), chance.randint(3, 5))
        operations = [
            {"name": WORK[k], "machine": MACHINES[k], "duration": chance.randint(15, 60)} for k in route
        ]
        due = chance.randint(DAY // 2, DAY)
        jobs.append({"name": "WO-%d" % (4711 + number), "due": due, "operations": operations})
    return {
        "schema": "alas-jssp/instance@1",
        "name": "monday",
        "machines": MACHINES,
        "jobs": jobs,
        "time_scale": {"epoch": "2026-11-23T06:00:00+01:00", "unit": 60, "zone": "Europe/Berlin"},
    }


def trouble(chance, state, now):
    """Something that happens at a minute of the day, given what the shop says of itself."""
    machines = state["machine_states"]
    planned = [operation for machine in machines for operation in machine["next"]]
    running = [machine["running"] for machine in machines if machine["running"] is not None]
    kind = chance.choice(["breakdown", "breakdown", "duration", "delay", "arrival"])
    if kind == "duration" and running:
        one = chance.choice(running)
        factor = chance.choice([0.8, 1.2, 1.5])
        return {"kind": kind, "job": one["job"], "step": one["step"], "factor": factor}
    if kind == "delay" and planned:
        one = chance.choice(planned)
        until = now + chance.randint(10, 60)
        return {"kind": kind, "job": one["job"], "step": one["step"], "until": until}
    if kind == "arrival":
        route = chance.sample(MACHINES, 2)
        operations = [{"machine": name, "duration": chance.randint(5, 20)} for name in route]
        job = {"name": "RUSH-%d" % now, "operations": operations, "due": now + 180, "weight": 3}
        return {"kind": "arrival", "job": job}
    machine = chance.choice(MACHINES)
    return {"kind": "breakdown", "machine": machine, "from": now, "to": now + chance.randint(5, 30)}


def follow(shop, seen):
    """Keeps every change as the stream tells of it, until the shop is closed."""
    for change in shop.changes("0"):
        seen.append(change)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--url", default="http://127.0.0.1:8017")
    options.add_argument("--token", default=os.environ.get("ALAS_JSSP_TOKEN"))
    options.add_argument("--events", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    chance = random.Random(args.seed)
    service = Service(args.url, token=args.token)

    # A plan by the optimizer. Iterations, unlike seconds, give the same plan on every machine.
    day = orders_of_the_day(chance)
    planned = service.optimize(
        day, budget="200k-iterations", seed=args.seed, objective="total-weighted-tardiness"
    )
    policy = {"objective": "total-weighted-tardiness"}
    shop = service.open_shop(day, plan=planned["plan"], policy=policy)
    state = shop.state()
    print("%s: %d operations, done by %s as planned" % (shop.id, state["operations"], state["makespan"]))

    seen, outcomes, milliseconds, now = [], [], [], 0
    follower = threading.Thread(target=follow, args=(shop, seen), daemon=True)
    follower.start()
    for number in range(1, args.events + 1):
        now += chance.randint(0, 2 * DAY // args.events)
        event = trouble(chance, shop.state(next=5), now)
        if number % 50 == 0:
            ask_what_if(shop, event, now)
        began = time.perf_counter()
        outcome = shop.report([event], now=now)
        milliseconds.append(1000 * (time.perf_counter() - began))
        outcomes.append(outcome)

    print("the largest repair:")
    explain(max(outcomes, key=lambda outcome: outcome["moved"]))
    print("the last of the day:")
    print("\n".join("  " + line for line in shop.story(most=3)))
    state = shop.state()
    late = ", ".join("%s by %d min" % (job["job"], job["late_by"]) for job in state["late"][:5])
    print("late: %s" % (late or "nothing"))
    shop.close()
    follower.join(30)
    return judge(outcomes, seen, milliseconds, state)


def ask_what_if(shop, event, now):
    """Prices an event under two policies before it is reported: nothing is written."""
    trials = shop.what_if([event], ["default", "high-stability"], now=now)["trials"]
    for trial in trials:
        tardiness = trial["total_weighted_tardiness"]
        cost = "cannot be done" if tardiness is None else "tardiness %(before)g -> %(after)g" % tardiness
        print("  what if, %s: %s, %d operations move" % (trial["policy"], cost, trial["moved"]))


def explain(outcome):
    """What happened, and why each operation waits."""
    print("\n".join("  " + line for line in outcome["lines"]))
    for move in outcome["moves"][:5]:
        print("    %s" % move["cause"])


def judge(outcomes, seen, milliseconds, state):
    """Whether the stream contained every version of the answers exactly once."""
    kinds = {}
    for outcome in outcomes:
        kinds[outcome["status"]] = kinds.get(outcome["status"], 0) + 1
    committed = [outcome["version"] for outcome in outcomes if outcome["status"] == "committed"]
    streamed = [change["version"] for change in seen if change["kind"] == "committed"]
    print("%d events: %s" % (len(outcomes), ", ".join("%d %s" % (n, kind) for kind, n in kinds.items())))
    print("answers in %.1f ms (median), %.1f ms at most" % (statistics.median(milliseconds), max(milliseconds)))
    if committed != streamed or state["version"] != max(committed, default=1):
        print("the stream had versions %s, the answers %s" % (streamed, committed))
        return 1
    print("the stream had the same %d versions" % len(committed))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as problem:
        sys.exit("the service refused: %s" % problem)
    except OSError as error:
        sys.exit("no service: %s; start one with npx alas-jssp serve" % error)
