"""Records and plans as DataFrames of pandas: `pip install "alas-jssp[pandas]"`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Tuple

from .documents import InputError, Plan

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["plan_frame", "records", "summary"]

# Columns of records by type (docs/reference/records.md): a column without a value has no type of its own.
_WHOLE = (
    "jobs machines replicate seed makespan tardiness claimed_makespan claimed_lower_bound lower_bound upper_bound "
    "tokens.input tokens.output repair.inserted repair.edited_operations repair.edited_jobs repair.edited_machines "
    "repair.edit_radius repair.start_changes repair.rank_changes repair.reassigned repair.shift_total "
    "repair.wip_moves repair.wip_units stages.plan.makespan stages.repair.makespan stages.optimize.makespan "
    "stages.optimize.lower_bound stages.optimize.iterations llm.answers llm.windows process.exit_code"
).split()
_FRACTION = (
    "gap_percent optimality_percent cost_usd answer_seconds answer_elapsed_seconds seconds.plan seconds.validate "
    "seconds.repair seconds.optimize seconds.execute seconds.total repair.seed_coverage repair.kept_order "
    "stages.plan.gap_percent stages.plan.seconds stages.repair.gap_percent stages.repair.seconds "
    "stages.optimize.gap_percent stages.optimize.seconds disruption.outcome.degradation_percent"
).split()
_TRUTH = "synthetic feasible proven_optimal tokens.estimated disruption.finished".split()
_TEXT = (
    "schema instance suite planner variant method objective status lower_bound_source contradiction error "
    "repair.phase repair.by stages.optimize.status disruption.policy"
).split()
#: Dicts whose keys are codes: columns of counts, 0 where a record omits the code.
_COUNTS = ("violations", "root_causes", "repair.dropped", "repair.corrected")


def records(run: Any) -> "pd.DataFrame":
    """The records of a run, a row for each, with a column for each key: `seconds.total`, `violations.machine_overlap`.

    run: the folder of a run, its records.jsonl, a Run, or a list of records.
    Counts are whole numbers that may be missing; lists, such as `improvements`, remain lists.
    """
    pandas = _pandas()
    rows = [_flat(record) for record in _records_of(run)]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    frame = pandas.DataFrame([[row.get(name) for name in columns] for row in rows], columns=columns, dtype=object)
    if not rows:
        # An interrupted run may have none; its columns are those that every record has.
        frame = pandas.DataFrame(columns=[name for name in (*_TEXT[:8], *_WHOLE[:5]) if "." not in name], dtype=object)
    parents = {name.rpartition(".")[0] for name in columns}
    frame = frame[[name for name in frame.columns if name not in parents or frame[name].notna().any()]]
    # Several columns at once are much faster than one after the other.
    typed: pd.DataFrame = pandas.DataFrame({name: _typed(name, frame[name]) for name in frame}, index=frame.index)
    return typed


def summary(run: Any, part: str = "suites") -> "pd.DataFrame":
    """The averages of a run by suite and planner, or another `part` of its summary.json: "overall" or "stages".

    run: the folder of a run, its summary.json, or a Run.
    """
    pandas = _pandas()
    document = getattr(run, "summary", None)
    if document is None:
        path = Path(run)
        document = _parse(path / "summary.json" if path.is_dir() else path)
    rows = document.get(part) if isinstance(document, Mapping) else None
    if not isinstance(rows, list):
        raise InputError("bad_run", "the summary has no part %r" % part, 'use "suites", "overall" or "stages"')
    frame: pd.DataFrame = pandas.json_normalize(rows)
    return frame.convert_dtypes()


def plan_frame(plan: Plan) -> "pd.DataFrame":
    """The operations of a plan, with whole numbers where they are times."""
    pandas = _pandas()
    columns = None if len(plan) > 0 else list(_PLAN)
    frame: pd.DataFrame = pandas.DataFrame(plan.entries, columns=columns)
    return frame.convert_dtypes()


_PLAN = ("job", "step", "machine", "start", "end")


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        hint = 'pip install "alas-jssp[pandas]"'
        raise InputError("no_pandas", "frames need pandas, which is not installed", hint) from None
    return pandas


def _records_of(run: Any) -> List[Mapping[str, Any]]:
    if isinstance(run, (str, os.PathLike)):
        path = Path(run)
        return list(_read_lines(path / "records.jsonl" if path.is_dir() else path))
    found = getattr(run, "records", run)
    if isinstance(found, Iterable) and not isinstance(found, Mapping):
        return list(found)
    raise InputError("bad_run", "%.60r is no run" % (run,), "give a folder, a Run or a list of records")


def _read_lines(path: Path) -> Iterable[Mapping[str, Any]]:
    if not path.is_file():
        raise InputError("no_file", "there is no file %s" % path, "give the folder that --out named")
    with path.open(encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip() == "":
            continue
        try:
            record = json.loads(line)
        except ValueError:
            # A run that was killed, or one that is still writing.
            if number == len(lines):
                return
            raise InputError("bad_record", "this is not JSON", "restore it", "%s:%d" % (path, number)) from None
        if not isinstance(record, Mapping):
            raise InputError("bad_record", "this is no record", "restore it", "%s:%d" % (path, number))
        yield record


def _parse(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        hint = "a run writes it at its end; records(…) reads what there is"
        raise InputError("no_file", "there is no file %s" % path, hint) from None
    except ValueError:
        raise InputError("bad_run", "this is not JSON", "restore it", str(path)) from None


def _flat(record: Mapping[str, Any]) -> Dict[str, Any]:
    row: Dict[str, Any] = {}
    stack: List[Tuple[str, Any]] = [("", record)]
    while stack:
        name, value = stack.pop()
        if isinstance(value, Mapping) and (value or name == ""):
            prefix = name + "." if name else ""
            stack.extend((prefix + key, inner) for key, inner in reversed(list(value.items())))
        elif not (isinstance(value, Mapping) and name in _COUNTS):
            row[name] = value
    return row


def _typed(name: str, column: Any) -> Any:
    if name.rpartition(".")[0] in _COUNTS:
        return column.fillna(0).astype("Int64")
    for names, kind in ((_WHOLE, "Int64"), (_FRACTION, "float64"), (_TRUTH, "boolean"), (_TEXT, "string")):
        if name in names:
            return column.astype("float64" if kind == "Int64" and _has_fraction(column) else kind)
    kinds = {type(value) for value in column if value is not None}
    if kinds and kinds <= {int, float}:
        return column.astype("float64" if _has_fraction(column) or name.endswith("seconds") else "Int64")
    if kinds == {bool}:
        return column.astype("boolean")
    return column.astype("string") if kinds == {str} else column


def _has_fraction(column: Any) -> bool:
    return any(isinstance(value, float) and not value.is_integer() for value in column)
