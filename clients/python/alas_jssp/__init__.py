"""Judge, repair and optimize job-shop plans from Python.

    import alas_jssp

    plan = [("Job1", 1, "Machine0", 0, 3), ("Job1", 2, "Machine1", 2, 4), ("Job2", 1, "Machine1", 0, 5)]
    jobs = [[(0, 3), (1, 2)], [(1, 5)]]
    print(alas_jssp.validate(jobs, plan)["causes"])
    print(alas_jssp.repair(jobs, plan)["plan"])

The functions of this module share one engine on this machine, which the first call starts and the end of the program
ends. `local()` makes one of your own, and `Service` is the client of a service anywhere. Instances may be names of
benchmarks, files, documents or lists of jobs of (machine, duration); plans may be lists, dicts, DataFrames or files.
"""

from .chart import gantt
from .documents import InputError, Instance, Plan, event
from .engine import Engine, EngineTimeout, Run, local
from .find import EngineError, find_command
from .frames import records, summary
from .service import (
    AlasError,
    Benchmark,
    BenchmarkInstance,
    Bound,
    Cause,
    Change,
    DryRun,
    Explanation,
    Move,
    Operation,
    Optimization,
    Outcome,
    PlanDocument,
    Problem,
    Progress,
    Repair,
    Service,
    Shop,
    Trial,
    Validation,
)

__version__ = "1.0.0"

#: The engine of the functions below. It starts with the first call that needs it.
_shared = Engine()
validate = _shared.validate
repair = _shared.repair
explain = _shared.explain
optimize = _shared.optimize
instance = _shared.instance
instances = _shared.instances
open_shop = _shared.open_shop
plan = _shared.plan
run = _shared.run
stop = _shared.stop

__all__ = [
    "AlasError",
    "Benchmark",
    "BenchmarkInstance",
    "Bound",
    "Cause",
    "Change",
    "DryRun",
    "Engine",
    "EngineError",
    "EngineTimeout",
    "Explanation",
    "InputError",
    "Instance",
    "Move",
    "Operation",
    "Optimization",
    "Outcome",
    "Plan",
    "PlanDocument",
    "Problem",
    "Progress",
    "Repair",
    "Run",
    "Service",
    "Shop",
    "Trial",
    "Validation",
    "event",
    "explain",
    "find_command",
    "gantt",
    "instance",
    "instances",
    "local",
    "open_shop",
    "optimize",
    "plan",
    "records",
    "repair",
    "run",
    "stop",
    "summary",
    "validate",
]
