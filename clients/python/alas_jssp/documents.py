"""Instances, plans and events as Python objects, in the formats of docs/reference/formats.md."""

from __future__ import annotations

import csv
import json
import operator
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

from .service import AlasError

__all__ = ["InputError", "Instance", "Plan", "event"]

#: The greatest time of an instance.
_MOST = 2**30 - 1

#: An operation of a job: its machine, by number or name, and its duration.
Pair = Tuple[Union[int, str], int]


class InputError(AlasError, ValueError):
    """A value that cannot be an instance, a plan or an event."""


@dataclass(frozen=True)
class Instance:
    """A shop: a document of `alas-jssp/instance@1` or `@2`, which must not be changed."""

    document: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.document, Mapping):
            raise InputError("bad_instance", "an instance is made of a dict", "use Instance.from_jobs for lists")

    @classmethod
    def from_jobs(
        cls,
        jobs: Sequence[Sequence[Pair]],
        machines: Union[int, Sequence[str], None] = None,
        name: Optional[str] = None,
    ) -> Instance:
        """A job shop: for each job a list of (machine, duration).

        machines: their names, if the pairs have names, or their number. Default: those that occur.
        """
        rows = [_job(job, index) for index, job in enumerate(_sequence(jobs, "jobs"))]
        used = [machine for row in rows for machine, _ in row]
        texts = [machine for machine in used if isinstance(machine, str)]
        if machines is None:
            machines = list(dict.fromkeys(texts)) if texts else 1 + max(cast(List[int], used), default=0)
        if texts and len(texts) < len(used):
            raise InputError("bad_instance", "some machines are numbers, others names", "use one of them")
        document: Dict[str, Any] = {
            "schema": "alas-jssp/instance@1",
            "machines": machines if isinstance(machines, int) else list(machines),
            "jobs": [
                {"operations": [{"machine": machine, "duration": duration} for machine, duration in row]}
                for row in rows
            ],
        }
        return cls(document if name is None else {**document, "name": name})

    @property
    def name(self) -> Optional[str]:
        return cast(Optional[str], self.document.get("name"))

    @property
    def machines(self) -> List[str]:
        """The labels of all machines."""
        machines = self.document.get("machines", [])
        if isinstance(machines, int):
            return ["Machine%d" % number for number in range(machines)]
        return [str(machine) for machine in machines]

    @property
    def job_names(self) -> List[str]:
        """The labels of all jobs."""
        return [str(job.get("name", "Job%d" % (k + 1))) for k, job in enumerate(self.document.get("jobs", []))]

    def to_jobs(self) -> List[List[Tuple[int, int]]]:
        """For each job its (machine, duration), machines by number. Raises InputError for alternatives."""
        numbers = {name: number for number, name in enumerate(self.machines)}
        jobs = []
        for k, job in enumerate(self.document.get("jobs", [])):
            row = []
            for j, one in enumerate(job.get("operations", [])):
                machine = one.get("machine")
                number = machine if isinstance(machine, int) else numbers.get(str(machine))
                if number is None or "duration" not in one:
                    where = "$.jobs[%d].operations[%d]" % (k, j)
                    hint = "read the document instead"
                    raise InputError("not_classic", "the operation has no single machine", hint, where)
                row.append((number, int(one["duration"])))
            jobs.append(row)
        return jobs

    def to_dict(self) -> Dict[str, Any]:
        return dict(self.document)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the document as a JSON file, which the command line reads."""
        Path(path).write_text(json.dumps(self.to_dict()), "utf-8")


@dataclass(frozen=True)
class Plan:
    """A claim: operations with job, step, machine, start and end, right or wrong; see `entries`."""

    document: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.document, Mapping) or not isinstance(self.document.get("entries"), (list, tuple)):
            hint = "use Plan.of for lists, frames and files"
            raise InputError("bad_plan", "a plan is made of a dict with a list of entries", hint)

    @classmethod
    def of(cls, plan: Any) -> Plan:
        """A plan from a document, a list of dicts or of (job, step, machine, start, end), the answer of `repair` or
        `optimize`, a DataFrame with these columns, or a file (JSON or CSV)."""
        if isinstance(plan, Plan):
            return plan
        if isinstance(plan, (str, os.PathLike)):
            return cls.read(plan)
        if hasattr(plan, "to_dict") and hasattr(plan, "columns"):
            return cls({"entries": _rows_of_frame(plan)})
        if isinstance(plan, Mapping):
            return cls._of_mapping(plan)
        if isinstance(plan, Iterable):
            return cls({"entries": [_entry(entry, index) for index, entry in enumerate(plan)]})
        problem = "a plan cannot be made of %s" % type(plan).__name__
        raise InputError("bad_plan", problem, "give a list of operations, or a document with entries")

    @classmethod
    def _of_mapping(cls, plan: Mapping[str, Any]) -> Plan:
        inner = plan.get("plan")
        if isinstance(inner, Mapping) and "entries" in inner:
            return cls(inner)
        for key in ("entries", "schedule", "operations"):
            if isinstance(plan.get(key), (list, tuple)):
                rest = {name: value for name, value in plan.items() if name != key}
                return cls({**rest, "entries": [_entry(one, k) for k, one in enumerate(plan[key])]})
        raise InputError("bad_plan", "the plan has no list of entries", "give {'entries': […]}, or the list itself")

    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> Plan:
        """Reads a JSON or CSV file."""
        try:
            text = Path(path).read_text("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError("bad_plan", "the file is not UTF-8", "convert it", str(path)) from None
        if text.lstrip()[:1] in ("{", "["):
            try:
                return cls.of(json.loads(text))
            except ValueError as error:
                if isinstance(error, InputError):
                    raise
                problem = "this is not JSON: %s" % error
                raise InputError("bad_plan", problem, "correct it", str(path)) from None
        head = text.split("\n", 1)[0]
        delimiter = max(",;\t", key=head.count)
        entries = list(csv.DictReader(text.splitlines(), delimiter=delimiter))
        return cls({"entries": [_csv_entry(row, k + 2, str(path)) for k, row in enumerate(entries)]})

    @classmethod
    def from_starts(cls, instance: Any, starts: Sequence[Sequence[int]]) -> Plan:
        """The plan of a job shop in which each job's operations start at these times."""
        shop = Instance.from_jobs(instance) if isinstance(instance, (list, tuple)) else instance
        jobs, machines, names = shop.to_jobs(), shop.machines, shop.job_names
        if [len(row) for row in starts] != [len(job) for job in jobs]:
            problem = "the starts do not have the shape of the jobs"
            raise InputError("bad_plan", problem, "give each job a list with a start for each operation")
        entries = [
            {
                "job": names[k],
                "step": j + 1,
                "machine": machines[machine],
                "start": _whole(starts[k][j], "starts[%d][%d]" % (k, j), "bad_plan"),
                "end": _whole(starts[k][j], "starts[%d][%d]" % (k, j), "bad_plan") + duration,
            }
            for k, job in enumerate(jobs)
            for j, (machine, duration) in enumerate(job)
        ]
        return cls({"schema": "alas-jssp/plan@1", "entries": entries})

    @property
    def entries(self) -> List[Dict[str, Any]]:
        return [dict(entry) for entry in self.document["entries"]]

    @property
    def makespan(self) -> Optional[float]:
        """The makespan that the plan claims, or else its last end."""
        claimed = self.document.get("makespan")
        ends = [entry.get("end") for entry in self.document["entries"]]
        numbers = [end for end in ends if isinstance(end, (int, float))]
        return cast(Optional[float], claimed) if claimed is not None else max(numbers, default=None)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.document["entries"])

    def to_starts(self) -> Dict[str, List[Any]]:
        """The starts of each job, by its label and in the order of steps."""
        jobs: Dict[str, List[Dict[str, Any]]] = {}
        for entry in self.document["entries"]:
            jobs.setdefault(str(entry["job"]), []).append(entry)
        return {job: [one["start"] for one in sorted(row, key=_step)] for job, row in jobs.items()}

    def to_dict(self) -> Dict[str, Any]:
        return dict(self.document)

    def to_frame(self) -> Any:
        """A DataFrame with a row for each operation; needs pandas."""
        from .frames import plan_frame

        return plan_frame(self)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the document as a JSON file, which the command line reads."""
        Path(path).write_text(json.dumps(self.to_dict()), "utf-8")


def event(kind: str, **fields: Any) -> Dict[str, Any]:
    """An event of docs/reference/disruption.md, such as `event("breakdown", machine="Machine2", from_=12, to=20)`.

    An underscore at the end of a name is dropped, because `from` is a word of Python.
    """
    return {"kind": kind, **{name.rstrip("_"): value for name, value in fields.items() if value is not None}}


def _job(job: Any, index: int) -> List[Pair]:
    row = []
    for j, pair in enumerate(_sequence(job, "jobs[%d]" % index)):
        where = "jobs[%d][%d]" % (index, j)
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise InputError("bad_instance", "this is no pair", "give (machine, duration)", where)
        machine, duration = pair
        if not isinstance(machine, str):
            machine = _whole(machine, where, "bad_instance")
        row.append((machine, _whole(duration, where, "bad_instance")))
    return row


def _sequence(value: Any, where: str) -> Sequence[Any]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise InputError("bad_instance", "this is no list", "give a list of (machine, duration) for each job", where)
    return list(value)


def _whole(value: Any, where: str, code: str) -> int:
    number: Optional[int]
    try:
        number = operator.index(value)
    except TypeError:
        number = int(value) if isinstance(value, float) and value.is_integer() else None
    if number is None or isinstance(value, bool) or not 0 <= number <= _MOST:
        hint = "give a whole number from 0 to %d" % _MOST
        raise InputError(code, "%.60r is no time or number" % (value,), hint, where)
    return number


_COLUMNS = ("job", "step", "machine", "start", "end")


def _entry(entry: Any, index: int) -> Dict[str, Any]:
    if isinstance(entry, Mapping):
        return dict(entry)
    if isinstance(entry, (list, tuple)) and len(entry) == len(_COLUMNS):
        return dict(zip(_COLUMNS, entry))
    hint = "give dicts, or (job, step, machine, start, end)"
    raise InputError("bad_plan", "%.60r is no operation" % (entry,), hint, "entries[%d]" % index)


def _csv_entry(row: Mapping[Any, Any], line: int, path: str) -> Dict[str, Any]:
    if None in row or any(value is None for value in row.values()):
        raise InputError("bad_plan", "the row and the header differ in length", "correct it", "%s:%d" % (path, line))
    return {str(name).strip().lower(): value.strip() for name, value in row.items() if value.strip() != ""}


def _step(entry: Mapping[str, Any]) -> Tuple[int, str]:
    step = str(entry.get("step"))
    return (int(step), "") if step.isdigit() else (_MOST, step)


def _rows_of_frame(frame: Any) -> List[Dict[str, Any]]:
    missing = [column for column in _COLUMNS if column not in frame.columns]
    if missing:
        problem = "the frame has no column %s" % missing[0]
        raise InputError("bad_plan", problem, "name its columns %s" % ", ".join(_COLUMNS))
    rows = []
    for index, row in enumerate(frame.to_dict("records")):
        # A missing value differs from itself, or cannot say whether it does.
        kept = {name: value for name, value in row.items() if value is not None and _is_itself(value)}
        gap = next((column for column in _COLUMNS if column not in kept), None)
        if gap is not None:
            raise InputError("bad_plan", "the row has no %s" % gap, "fill it, or drop the row", "row %d" % index)
        rows.append({str(name): _number(value) for name, value in kept.items()})
    return rows


def _is_itself(value: Any) -> bool:
    try:
        return bool(value == value)
    except (TypeError, ValueError):
        return False


def _number(value: Any) -> Any:
    """A cell as JSON has it: a column with a gap turns whole numbers into fractions."""
    item = getattr(value, "item", None)
    value = item() if callable(item) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value
