from __future__ import annotations

import json
from pathlib import Path

import pytest

import alas_jssp
from alas_jssp import InputError, Plan

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def folder(engine: alas_jssp.Engine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    engine.run(
        "ft06,la01", ["dispatch:best", "degraded:0.3", "exec:false"], out=out, optimize="1k-iterations", repair=True
    )
    return out


def test_records_have_a_row_each_and_columns_of_the_right_types(folder: Path) -> None:
    frame = alas_jssp.records(folder)
    assert len(frame) == 6
    types = {name: str(kind) for name, kind in frame.dtypes.items()}
    for name, kind in {
        "jobs": "Int64",
        "makespan": "Int64",
        "tardiness": "Int64",
        "feasible": "boolean",
        "gap_percent": "float64",
        "cost_usd": "float64",
        "seconds.total": "float64",
        "seconds.execute": "float64",
        "tokens.input": "Int64",
        "stages.optimize.makespan": "Int64",
        "repair.seed_coverage": "float64",
        "violations.missing_operation": "Int64",
        "method": "string",
        "error": "string",
        "improvements": "object",
    }.items():
        assert types[name] == kind, name
    assert frame.groupby("planner")["feasible"].all().to_dict() == {
        "degraded:0.3": True,
        "dispatch:best": True,
        "exec:false": False,
    }


def test_every_value_of_every_record_is_in_the_frame(folder: Path) -> None:
    documents = [json.loads(line) for line in (folder / "records.jsonl").read_text("utf-8").splitlines()]
    frame = alas_jssp.records(documents)
    for row, document in enumerate(documents):
        for name in frame.columns:
            value: object = document
            for key in name.split("."):
                value = value.get(key) if isinstance(value, dict) else None
            cell = frame[name].iloc[row]
            if value is None or value == {}:
                assert isinstance(cell, list) is False
                is_count = name.startswith(("violations.", "root_causes.", "repair.dropped.", "repair.corrected."))
                parent = document.get(name.split(".")[0])
                assert pandas.isna(cell) or (is_count and cell == 0 and parent is not None), (name, cell)
            else:
                assert cell == value, name


def test_counts_are_zero_where_a_plan_has_none_and_missing_where_there_was_no_plan(folder: Path) -> None:
    frame = alas_jssp.records(folder).set_index(["planner", "instance"])
    counts = frame["violations.missing_operation"]
    assert counts[("dispatch:best", "ft06")] == 0
    assert counts[("exec:false", "ft06")] is pandas.NA


def test_records_of_a_run_that_broke_off(folder: Path, tmp_path: Path) -> None:
    text = (folder / "records.jsonl").read_text("utf-8")
    (tmp_path / "records.jsonl").write_text(text[:-40])
    assert len(alas_jssp.records(tmp_path)) == 5
    (tmp_path / "records.jsonl").write_text("")
    empty = alas_jssp.records(tmp_path)
    assert len(empty) == 0 and "makespan" in empty
    (tmp_path / "records.jsonl").write_text("{\n" + text)
    with pytest.raises(InputError) as caught:
        alas_jssp.records(tmp_path)
    assert caught.value.where is not None and caught.value.where.endswith("records.jsonl:1")
    with pytest.raises(InputError, match="no file"):
        alas_jssp.records(tmp_path / "nowhere")


def test_the_summary(folder: Path) -> None:
    frame = alas_jssp.summary(folder)
    assert list(frame["suite"].unique()) == ["ft", "la"] and str(frame["success_percent"].dtype) == "float64"
    assert len(alas_jssp.summary(folder / "summary.json", "overall")) > 0
    with pytest.raises(InputError, match="no part"):
        alas_jssp.summary(folder, "nothing")
    with pytest.raises(InputError, match="no file"):
        alas_jssp.summary(folder / "schedules")


def test_a_plan_becomes_a_frame_and_a_plan_again(engine: alas_jssp.Engine) -> None:
    plan = engine.plan("ft06")
    frame = plan.to_frame()
    assert str(frame["start"].dtype) == "Int64" and len(frame) == 36
    assert engine.validate("ft06", frame)["valid"]
    frame["start"] = frame["start"].astype("float64")
    assert Plan.of(frame).entries == plan.entries
    frame.loc[3, "start"] = None
    with pytest.raises(InputError) as caught:
        Plan.of(frame)
    assert caught.value.where == "row 3"
    with pytest.raises(InputError, match="no column end"):
        Plan.of(frame.drop(columns="end"))
    assert list(Plan({"entries": []}).to_frame().columns) == ["job", "step", "machine", "start", "end"]


def test_a_chart_has_a_bar_for_each_operation_and_downtime(engine: alas_jssp.Engine) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    plan = engine.plan("ft06")
    broken = [alas_jssp.event("breakdown", machine="Machine2", from_=12, to=20)]
    repaired = engine.repair("ft06", plan, events=broken, with_instance=True)
    after = alas_jssp.Instance(repaired["instance_after"] or {})
    axes = alas_jssp.gantt(repaired, after, title="after the breakdown")
    assert len(axes.patches) == 37
    assert [label.get_text() for label in axes.get_yticklabels()] == after.machines
    dated = [("A", 1, "Saw", "2026-11-23T06:00:00+01:00", "2026-11-23T07:00:00+01:00")]
    assert alas_jssp.gantt(dated).containers[0][0].get_width() == pytest.approx(1 / 24)
    with pytest.raises(InputError):
        alas_jssp.gantt([])
    with pytest.raises(InputError, match="no time"):
        alas_jssp.gantt([("Job1", 1, "Machine0", "soon", 3)])
    pyplot.close("all")
