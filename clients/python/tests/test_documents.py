from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, List

import pytest

import alas_jssp
from alas_jssp import AlasError, InputError, Instance, Plan, Problem, event

JOBS = [[(0, 3), (1, 2)], [(1, 5)]]


def test_jobs_become_an_instance_and_jobs_again() -> None:
    shop = Instance.from_jobs(JOBS, name="tiny")
    assert shop.to_dict() == {
        "schema": "alas-jssp/instance@1",
        "name": "tiny",
        "machines": 2,
        "jobs": [
            {"operations": [{"machine": 0, "duration": 3}, {"machine": 1, "duration": 2}]},
            {"operations": [{"machine": 1, "duration": 5}]},
        ],
    }
    assert shop.to_jobs() == JOBS
    assert (shop.machines, shop.job_names) == (["Machine0", "Machine1"], ["Job1", "Job2"])


def test_machines_may_have_names_and_further_machines_may_exist() -> None:
    shop = Instance.from_jobs([[("Säge", 3), ("Mill", 2)]])
    assert shop.machines == ["Säge", "Mill"] and shop.to_jobs() == [[(0, 3), (1, 2)]]
    assert Instance.from_jobs([[("Mill", 2)]], machines=["Saw", "Mill"]).to_jobs() == [[(1, 2)]]
    assert Instance.from_jobs([[(0, 2)]], machines=3).machines == ["Machine0", "Machine1", "Machine2"]


def test_numbers_of_numpy_are_numbers(engine: alas_jssp.Engine) -> None:
    numpy = pytest.importorskip("numpy")
    jobs = [[(numpy.int64(0), numpy.int32(3)), (1, numpy.float64(2.0))], [(1, 5)]]
    assert Instance.from_jobs(jobs).to_jobs() == JOBS
    plan = [("Job1", numpy.int64(1), "Machine0", numpy.int64(0), numpy.int64(3))]
    assert engine.validate(jobs, plan)["counts"]["missing_operation"] == 2


def test_the_engine_reads_instances_as_they_are_written(engine: alas_jssp.Engine) -> None:
    ft06 = engine.instance("ft06")
    again = Instance.from_jobs(ft06.to_jobs())
    plan = engine.plan(again, "insertion")
    assert engine.validate("ft06", plan)["valid"]
    assert len(ft06.to_jobs()) == 6 and ft06.name == "ft06"


def test_shops_with_alternatives_have_no_list_of_jobs(engine: alas_jssp.Engine) -> None:
    with pytest.raises(InputError) as caught:
        engine.instance("mk01").to_jobs()
    assert caught.value.code == "not_classic" and caught.value.where == "$.jobs[0].operations[0]"


def test_starts_become_a_plan_and_starts_again(engine: alas_jssp.Engine) -> None:
    plan = Plan.from_starts(JOBS, [[0, 5], [0]])
    assert plan.to_starts() == {"Job1": [0, 5], "Job2": [0]}
    assert plan.makespan == 7 and engine.validate(JOBS, plan)["valid"]
    wrongs: List[Any] = [[[0, 5]], [[0], [0]], [[0, -5], [0]], [[0, 5.5], [0]], [[0, True], [0]]]
    for wrong in wrongs:
        with pytest.raises(InputError):
            Plan.from_starts(JOBS, wrong)


@pytest.mark.parametrize(
    "plan",
    [
        [("Job1", 1, "Machine0", 0, 3)],
        [{"job": "Job1", "step": 1, "machine": "Machine0", "start": 0, "end": 3}],
        {"operations": [("Job1", 1, "Machine0", 0, 3)]},
        {"schedule": [("Job1", 1, "Machine0", 0, 3)], "makespan": None},
        {"plan": {"entries": [{"job": "Job1", "step": 1, "machine": "Machine0", "start": 0, "end": 3}]}},
        iter([("Job1", 1, "Machine0", 0, 3)]),
    ],
)
def test_plans_are_made_of_what_people_have(plan: Any) -> None:
    made = Plan.of(plan)
    assert made.entries == [{"job": "Job1", "step": 1, "machine": "Machine0", "start": 0, "end": 3}]
    assert len(made) == 1 and list(made) == made.entries and Plan.of(made) is made


def test_plans_are_read_from_files(tmp_path: Path) -> None:
    entry = {"job": "Job1", "step": "1", "machine": "Machine0", "start": "0", "end": "3"}
    for name, text in {
        "a.csv": "job,step,machine,start,end\nJob1,1,Machine0,0,3\n",
        "b.csv": "\ufeffJob;Step;Machine;Start;End;mode\r\nJob1;1;Machine0;0;3;\r\n",
        "c.tsv": "job\tstep\tmachine\tstart\tend\nJob1\t1\tMachine0\t0\t3\n",
        "d.json": json.dumps([entry]),
    }.items():
        (tmp_path / name).write_bytes(text.encode("utf-8"))
        assert Plan.of(tmp_path / name).entries == [entry], name
    for name, content in {"x.json": b"{nonsense", "x.csv": b"job,step\nJob1\n", "y.csv": b"\xff\xfe\x00"}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError) as caught:
            Plan.read(tmp_path / name)
        assert name in str(caught.value) and "\n" not in str(caught.value)


def test_a_plan_is_saved_as_the_command_line_reads_it(tmp_path: Path) -> None:
    plan = Plan.from_starts(JOBS, [[0, 5], [0]])
    plan.save(tmp_path / "plan ü.json")
    assert Plan.read(tmp_path / "plan ü.json") == plan


def test_events_are_dicts() -> None:
    assert event("breakdown", machine="A", from_=1, to=2) == {"kind": "breakdown", "machine": "A", "from": 1, "to": 2}
    assert event("restored", machine="A", to=None) == {"kind": "restored", "machine": "A"}


@pytest.mark.parametrize(
    "error",
    [
        AlasError("code", "what is wrong", "what would be right", "$.where"),
        InputError("code", "what is wrong"),
        Problem(400, {"code": "bad", "detail": "what is wrong", "path": "$.a", "hint": "what would be right"}),
    ],
)
def test_errors_survive_a_pickle_as_pools_of_processes_need_it(error: AlasError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)
    assert isinstance(again, type(error)) and again.code == error.code
