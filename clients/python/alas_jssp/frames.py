"""Records and plans as DataFrames of pandas: `pip install "alas-jssp[pandas]"`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Sequence

from .documents import InputError, Plan

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["plan_frame", "records", "summary"]

# Columns by type (docs/reference/records.md): a column without a value has no type of its own.
_WHOLE = (
    "jobs machines replicate seed makespan tardiness claimed_makespan claimed_lower_bound lower_bound upper_bound "
    "input output inserted edited_operations edited_jobs edited_machines edit_radius start_changes rank_changes "
    "reassigned shift_total wip_moves wip_units iterations answers windows exit_code"
).split()
_FRACTION = "seed_coverage kept_order plan validate repair optimize execute total".split()
_FRACTION_ENDS = ("_percent", "_usd", "seconds", "_mean")
_TRUTH = "synthetic feasible proven_optimal estimated finished".split()
_TEXT = (
    "schema instance suite planner variant method objective status lower_bound_source contradiction error "
    "phase by policy"
).split()
#: Columns of a run that has no record yet.
_EVERY = ("instance", "suite", "planner", "variant", "replicate", "status", "feasible", "makespan")
#: Dicts whose keys are codes: columns of counts, 0 if a record omits the code.
_COUNTS = ("violations", "root_causes", "repair.dropped", "repair.corrected")


def records(run: Any) -> pd.DataFrame:
    """The records of a run, a row for each, with a column for each key: `seconds.total`, `violations.machine_overlap`.

    run: the folder of a run, its records.jsonl, a Run, or a list of records.
    Counts are whole numbers that may be missing; lists, such as `improvements`, remain lists.
    """
    return _frame(_records_of(run), _EVERY)


def summary(run: Any, part: str = "suites") -> pd.DataFrame:
    """The averages of a run by suite and planner, or another `part` of its summary.json: "overall" or "stages".

    run: the folder of a run, its summary.json, or a Run.
    """
    document = getattr(run, "summary", None)
    if document is None:
        path = Path(run)
        document = _parse(path / "summary.json" if path.is_dir() else path)
    rows = document.get(part) if isinstance(document, Mapping) else None
    if not isinstance(rows, list):
        raise InputError("bad_run", "the summary has no part %r" % part, 'use "suites", "overall" or "stages"')
    return _frame(rows)


def plan_frame(plan: Plan) -> pd.DataFrame:
    """The operations of a plan, with whole numbers where they are times."""
    pandas = _pandas()
    frame: pd.DataFrame = pandas.DataFrame(plan.entries, columns=None if len(plan) > 0 else list(_PLAN))
    converted: pd.DataFrame = frame.convert_dtypes()
    return converted


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


def _frame(documents: Sequence[Mapping[str, Any]], empty: Sequence[str] = ()) -> pd.DataFrame:
    """A row for each document; nested keys are joined by dots, in the order of the documents."""
    pandas = _pandas()
    tree: Dict[str, Any] = {}
    for document in documents:
        _grow(tree, document)
    columns = list(_leaves(tree, "")) or list(empty)
    rows = [[_value(document, column) for column in columns] for document in documents]
    frame = pandas.DataFrame(rows, columns=columns, dtype=object)
    typed: pd.DataFrame = pandas.DataFrame({name: _typed(name, frame[name]) for name in columns}, index=frame.index)
    return typed


def _grow(tree: Dict[str, Any], document: Mapping[str, Any]) -> None:
    for key, value in document.items():
        branch = tree.setdefault(key, {})
        if isinstance(value, Mapping):
            _grow(branch, value)


def _leaves(tree: Mapping[str, Any], path: str) -> Iterable[str]:
    for key, branch in tree.items():
        if branch:
            yield from _leaves(branch, path + key + ".")
        elif path + key not in _COUNTS:
            yield path + key


def _value(document: Mapping[str, Any], column: str) -> Any:
    *path, last = column.split(".")
    parent: Any = document
    for key in path:
        parent = parent.get(key) if isinstance(parent, Mapping) else None
    if not isinstance(parent, Mapping):
        return None
    value = parent.get(last, 0 if ".".join(path) in _COUNTS else None)
    return None if isinstance(value, Mapping) and not value else value


def _typed(name: str, column: Any) -> Any:
    parent, _, last = name.rpartition(".")
    if parent in _COUNTS:
        return column.astype("Int64")
    kinds = {type(value) for value in column if value is not None}
    if kinds and not kinds <= {int, float} and kinds != {bool} and kinds != {str}:
        return column
    is_number = kinds <= {int, float}
    if is_number and (last.endswith(_FRACTION_ENDS) or (parent == "seconds" and last in _FRACTION)):
        return column.astype("float64")
    if is_number and last in _FRACTION and parent == "repair":
        return column.astype("float64")
    if is_number and (kinds or last in _WHOLE) and last not in (*_TRUTH, *_TEXT):
        return column.astype("float64" if _has_fraction(column) else "Int64")
    if kinds == {bool} or (not kinds and last in _TRUTH):
        return column.astype("boolean")
    return column.astype("string") if kinds == {str} or (not kinds and last in _TEXT) else column


def _has_fraction(column: Any) -> bool:
    return any(isinstance(value, float) and not value.is_integer() for value in column)
