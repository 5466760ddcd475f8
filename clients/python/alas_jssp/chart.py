"""Gantt charts by matplotlib: `pip install "alas-jssp[notebook]"`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from .documents import InputError, Instance, Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["gantt"]

#: A downtime is above the operation that it interrupts.
_DOWN: Dict[str, Any] = {"facecolor": (1, 1, 1, 0.6), "edgecolor": "0.4", "hatch": "///", "linewidth": 0.5, "zorder": 3}


def gantt(plan: Any, instance: Optional[Instance] = None, ax: Optional[Axes] = None, title: str = "") -> Axes:
    """Draws a plan: a row for each machine, a colour for each job. Returns the axes.

    instance: gives the order of machines and jobs, and its downtimes, which are hatched.
    """
    try:
        from matplotlib import colormaps, pyplot
        from matplotlib.patches import Patch
    except ImportError:
        hint = 'pip install "alas-jssp[notebook]"'
        raise InputError("no_matplotlib", "charts need matplotlib, which is not installed", hint) from None
    entries = [entry for entry in Plan.of(plan).entries if {"job", "machine", "start", "end"} <= entry.keys()]
    if not entries:
        raise InputError("bad_plan", "the plan has no operations to draw", "give one with start and end")
    is_dated = any(isinstance(entry["start"], str) and not entry["start"].isdigit() for entry in entries)
    machines = _labels(entries, "machine", None if instance is None else instance.machines)
    jobs = _labels(entries, "job", None if instance is None else instance.job_names)
    if ax is None:
        _, ax = pyplot.subplots(figsize=(10, 1.2 + 0.35 * len(machines)), layout="constrained")
    colours = colormaps["tab10" if len(jobs) <= 10 else "tab20"]
    for downtime in () if instance is None else instance.document.get("downtimes", ()):
        label = _machine_label(downtime["machine"])
        if label in machines and downtime.get("to") is not None:
            start, end = _time(downtime["from"], is_dated), _time(downtime["to"], is_dated)
            ax.barh(machines.index(label), end - start, left=start, height=0.9, **_DOWN)
    for entry in entries:
        start, end = _time(entry["start"], is_dated), _time(entry["end"], is_dated)
        row, job = machines.index(_machine_label(entry["machine"])), jobs.index(str(entry["job"]))
        colour = colours(job % colours.N)
        ax.barh(row, end - start, left=start, height=0.7, color=colour, edgecolor="white", linewidth=0.5, zorder=2)
    ax.set_yticks(range(len(machines)), machines)
    ax.invert_yaxis()
    ax.set_xlabel("time")
    if is_dated:
        ax.xaxis_date()
    if title:
        ax.set_title(title)
    if len(jobs) <= 20:
        handles = [Patch(color=colours(k % colours.N)) for k in range(len(jobs))]
        ax.legend(handles, jobs, loc="upper left", bbox_to_anchor=(1, 1), fontsize="small", frameon=False)
    return ax


def _labels(entries: List[Dict[str, Any]], key: str, known: Optional[List[str]]) -> List[str]:
    """The labels of an instance, then those that only the plan has."""
    found = [_machine_label(entry[key]) if key == "machine" else str(entry[key]) for entry in entries]
    strange = list(dict.fromkeys(label for label in found if label not in (known or ())))
    return [*(known or ()), *sorted(strange, key=_natural)]


def _natural(label: str) -> Any:
    head = label.rstrip("0123456789")
    digits = label[len(head) :]
    return (head, int(digits) if digits else -1)


def _machine_label(machine: Any) -> str:
    return "Machine%d" % machine if isinstance(machine, int) else str(machine)


def _time(value: Any, is_dated: bool) -> Any:
    try:
        if not is_dated:
            return float(value)
        from matplotlib import dates

        to_number: Any = dates.date2num
        return to_number(datetime.fromisoformat(str(value).replace("Z", "+00:00")))
    except (TypeError, ValueError):
        raise InputError("bad_plan", "%.60r is no time" % (value,), "validate(…) lists what is wrong") from None
