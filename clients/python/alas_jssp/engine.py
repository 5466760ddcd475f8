"""The engine on this machine: `alas-jssp serve`, started when it is needed, and ended with this program."""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, cast

from .documents import InputError, Instance, Plan
from .find import Command, EngineError, check_node, check_version, find_command
from .process import EngineProcess
from .service import Benchmark, Explanation, OnProgress, Optimization, Repair, Service, Shop, Validation

__all__ = ["Engine", "EngineTimeout", "Run", "local"]

#: An instance: the name of a benchmark, a file, a document, an Instance, or a list of jobs.
InstanceLike = Any
#: A plan: whatever Plan.of takes.
PlanLike = Any

#: The engine serves this program alone, so the limits of a service for many do not apply.
_LIMITS = {
    "body": 500_000_000,
    "operations": 16_777_216,
    "waiting": 10_000,
    "per_caller": 10_000,
    "seconds": 1_000_000,
    "megabytes": 4096,
    "body_seconds": 600,
}


_engines: weakref.WeakSet[Engine] = weakref.WeakSet()


class EngineTimeout(EngineError, TimeoutError):
    """A call took longer than its `timeout`."""


class Run:
    """The outcome of `run`: the `records` and the `manifest`; `dir` is None if nothing was written."""

    def __init__(self, document: Mapping[str, Any], dir: Optional[Path]):
        self.dir = dir
        self.manifest: Dict[str, Any] = document["manifest"]
        self.records: List[Dict[str, Any]] = document["records"]
        self.summary: Dict[str, Any] = document["summary"]

    def to_frame(self) -> Any:
        """The records as a DataFrame; needs pandas."""
        from .frames import records

        return records(self)


class Engine:
    """An engine on this machine. It starts with the first call, and several threads may use it.

    command: how alas-jssp starts; default: see `find_command`.
    data: the folder that keeps its shops; default: a temporary one.
    threads: concurrent computations; default: the number of processors.
    start_timeout: seconds in which it must start.
    download: whether npx may fetch the packages if they are not installed.
    """

    def __init__(
        self,
        command: Optional[Command] = None,
        data: Union[str, os.PathLike[str], None] = None,
        threads: Optional[int] = None,
        start_timeout: float = 60,
        download: bool = False,
    ):
        self._given = command
        self._data = data
        self._threads = threads or os.cpu_count() or 2
        self._start_timeout = start_timeout
        self._download = download
        self._lock = threading.Lock()
        self._process: Optional[EngineProcess] = None
        self._service: Optional[Service] = None
        self._command: Optional[List[str]] = None
        self._is_closed = False
        _engines.add(self)

    def __enter__(self) -> Engine:
        # Starts it.
        assert self.service
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def service(self) -> Service:
        """The client of the engine, which is started if it does not run."""
        with self._lock:
            if self._is_closed:
                raise EngineError("closed", "the engine is closed", "use it inside of its with statement")
            if self._service is None or self._process is None or not self._process.is_running:
                self._process, self._service = self._start()
            return self._service

    @property
    def pid(self) -> Optional[int]:
        """The process of the engine, while it runs."""
        return self._process.pid if self._process is not None and self._process.is_running else None

    def close(self) -> None:
        """Ends the engine: calls in progress fail, and it cannot be used again."""
        with self._lock:
            self._is_closed = True
        self.stop()

    def stop(self) -> None:
        """Ends the engine now; the next call starts it again."""
        with self._lock:
            process, self._process, self._service = self._process, None, None
        if process is not None:
            process.close()

    def _begin_again(self) -> None:
        """Called in a fork: the engine belongs to the parent, and a lock may be held by a thread of the parent."""
        self._lock = threading.Lock()
        self._process = self._service = None

    def _start(self) -> Tuple[EngineProcess, Service]:
        command = self._find()
        limits = {**_LIMITS, "searches": min(256, self._threads)}
        options = [word for name, value in limits.items() for word in ("--limit", "%s=%d" % (name, value))]
        place = ["--temporary"] if self._data is None else ["--data", os.fspath(self._data)]
        # Other users of this machine can reach its port.
        token = secrets.token_hex(24)
        tokens = json.dumps([{"name": "python", "role": "decide", "token": token}])
        process = EngineProcess(
            [*command, "serve", "--quiet", "--port", "0", "--threads", "1", *place, *options],
            {"ALAS_JSSP_TOKENS": tokens},
        )
        try:
            url = process.first_line(self._start_timeout)
            if not url.startswith("http://"):
                raise EngineError("no_start", "this is no engine: it wrote %.80r" % url, where=" ".join(command))
            service = Service(url, token=token)
            check_version(str(service.health()["version"]), command)
        except BaseException:
            process.close()
            raise
        return process, service

    def _find(self) -> List[str]:
        if self._command is None:
            command = find_command(self._given, self._download)
            check_node(command)
            self._command = command
        return self._command

    # Computations of the service.

    def validate(
        self, instance: InstanceLike, plan: PlanLike, *, most: Optional[int] = None, timeout: Optional[float] = None
    ) -> Validation:
        """Whether a plan is complete and feasible, and the causes of its violations (`most` of them, 20 by default)."""
        body = self._body(instance, plan, most=most)
        return cast(Validation, self._compute("/validate", body, timeout))

    def repair(
        self,
        instance: InstanceLike,
        plan: PlanLike,
        *,
        events: Iterable[Mapping[str, Any]] = (),
        now: Union[int, str, None] = None,
        policy: Union[str, Mapping[str, Any], None] = None,
        method: Optional[str] = None,
        seed: Optional[int] = None,
        most: Optional[int] = None,
        with_instance: Optional[bool] = None,
        timeout: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> Repair:
        """A feasible plan, made of one that is wrong or, with `events`, of one that is in execution.

        For a further repair, `with_instance=True` returns the instance after the events as `instance_after`.
        """
        more = {"now": now, "policy": policy, "method": method, "seed": seed, "most": most}
        body = self._body(instance, plan, events=_events(events), with_instance=with_instance, **more)
        return cast(Repair, self._compute("/repair", body, timeout, on_progress))

    def explain(
        self,
        instance: InstanceLike,
        plan: PlanLike,
        *,
        events: Iterable[Mapping[str, Any]] = (),
        now: Union[int, str, None] = None,
        policy: Union[str, Mapping[str, Any], None] = None,
        method: Optional[str] = None,
        seed: Optional[int] = None,
        most: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Explanation:
        """Why a plan is invalid, and why operations move after events."""
        more = {"now": now, "policy": policy, "method": method, "seed": seed, "most": most}
        body = self._body(instance, plan, events=_events(events), **more)
        return cast(Explanation, self._compute("/explain", body, timeout))

    def optimize(
        self,
        instance: InstanceLike,
        *,
        budget: Union[float, str, Mapping[str, Any], None] = None,
        objective: Optional[str] = None,
        start: PlanLike = None,
        seed: Optional[int] = None,
        timeout: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> Optimization:
        """The best plan that a search finds within a budget: seconds (default: 5), or such as "200k-iterations"."""
        is_seconds = isinstance(budget, (int, float)) and not isinstance(budget, bool)
        body = {
            "instance": self._instance(instance),
            "budget": {"seconds": budget} if is_seconds else budget,
            "objective": objective,
            "start": None if start is None else Plan.of(start),
            "seed": seed,
        }
        return cast(Optimization, self._compute("/optimize", body, timeout, on_progress))

    def instances(self, suite: Optional[str] = None) -> List[Benchmark]:
        """The benchmarks, or those of a suite."""
        return self.service.instances(suite)

    def instance(self, instance: InstanceLike, *, timeout: Optional[float] = None) -> Instance:
        """An Instance, from the name of a benchmark, a file in any format, a document, or a list of jobs."""
        found = self._instance(instance)
        if isinstance(found, str):
            return Instance(self.service.instance(found)["instance"])
        return found

    def open_shop(self, instance: InstanceLike, *, plan: PlanLike = None, **more: Any) -> Shop:
        """Opens a living shop, which this engine keeps; see Service.open_shop."""
        if plan is not None:
            more["plan"] = Plan.of(plan)
        return self.service.open_shop(self._instance(instance), **more)

    # Computations of the command line.

    def plan(
        self,
        instance: InstanceLike,
        planner: str = "dispatch:best",
        *,
        seed: int = 0,
        objective: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Plan:
        """The plan of a planner of `alas-jssp list planners`, also of a model or of a program. It may be infeasible."""
        options = ["--planner", planner, "--seed", str(seed)]
        if objective is not None:
            options += ["--objective", objective]
        with _instance_file(self._instance(instance)) as name:
            document = json.loads(self._call(["plan", *options, "--json", "--quiet", "--", name], timeout))
        return Plan.of(document)

    def run(
        self,
        suite: Union[str, Sequence[str]],
        planners: Union[str, Sequence[str]] = "dispatch:best",
        *,
        out: Union[str, os.PathLike[str], None] = None,
        timeout: Optional[float] = None,
        **options: Any,
    ) -> Run:
        """Runs planners on suites like `alas-jssp run`, with its options: `replicates=3`, `optimize="2k-iterations"`.

        out: the folder for the records. Without one nothing is written, and they are in the answer only.
        """
        words = ["run"]
        for name, value in (("suite", suite), ("planner", planners), *options.items()):
            words += _option(name, value)
        words += ["--no-out"] if out is None else ["--out", os.fspath(out)]
        document = json.loads(self._call([*words, "--json", "--quiet"], timeout))
        return Run(document, None if out is None else Path(out))

    def _call(self, words: Sequence[str], timeout: Optional[float]) -> bytes:
        """The output of a command. On an interruption it ends as on Ctrl-C: a run keeps its records."""
        command = self._find()
        process = EngineProcess([*command, *words], {})
        try:
            output = process.output(timeout)
        except TimeoutError:
            raise _late("alas-jssp %s" % words[0], timeout) from None
        if process.status in (0, 1) and output.strip():
            return output
        raise process.ended("bad_input" if process.status == 2 else "command_failed", "alas-jssp %s" % words[0])

    def _body(self, instance: InstanceLike, plan: PlanLike, **more: Any) -> Dict[str, Any]:
        return {"instance": self._instance(instance), "plan": Plan.of(plan), **more}

    def _instance(self, instance: InstanceLike) -> Union[str, Instance]:
        """The name of a benchmark, or a document. A text with a dot or a slash is a file, as on the command line."""
        if isinstance(instance, Instance):
            return instance
        if isinstance(instance, Mapping):
            return Instance(instance)
        if isinstance(instance, os.PathLike) or (isinstance(instance, str) and re.search(r"[./\\]", instance)):
            return self._read(os.fspath(instance))
        if isinstance(instance, str):
            return instance
        return Instance.from_jobs(instance)

    def _read(self, path: str) -> Instance:
        if not os.path.isfile(path):
            raise InputError("no_file", "there is no file %s" % path, "correct its name")
        # An option would begin with a hyphen.
        return Instance(json.loads(self._call(["generate", "copy", os.path.abspath(path), "--json", "--quiet"], None)))

    def _compute(
        self,
        path: str,
        body: Mapping[str, Any],
        timeout: Optional[float],
        on_progress: Optional[OnProgress] = None,
    ) -> Any:
        given = {name: value for name, value in body.items() if value is not None}
        deadline = None if timeout is None else time.monotonic() + timeout
        service = self.service
        process = self._process
        left = None if deadline is None else deadline - time.monotonic()
        try:
            return service.compute(path, given, on_progress, left)
        except OSError as error:
            if isinstance(error, TimeoutError) and deadline is not None and time.monotonic() >= deadline:
                raise _late(path.strip("/"), timeout) from None
            # A process that was killed may need a moment to be gone.
            if process is not None and process.wait(2):
                raise process.ended("engine_ended", "the engine ended during the call") from error
            raise EngineError("no_answer", "the engine does not answer: %s" % error) from error


def local(
    command: Optional[Command] = None,
    *,
    data: Union[str, os.PathLike[str], None] = None,
    threads: Optional[int] = None,
    start_timeout: float = 60,
    download: bool = False,
) -> Engine:
    """An engine of your own, as a context manager: `with local() as engine: engine.validate("ft06", plan)`."""
    return Engine(command, data, threads, start_timeout, download)


def _reset_all() -> None:
    for engine in list(_engines):
        engine._begin_again()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_all)


def _late(what: str, timeout: Optional[float]) -> EngineTimeout:
    return EngineTimeout("timeout", "%s took longer than %g seconds" % (what, timeout or 0), "raise the timeout")


def _events(events: Iterable[Mapping[str, Any]]) -> Optional[List[Mapping[str, Any]]]:
    if isinstance(events, (str, Mapping)):
        raise InputError("bad_event", "the events are no list", "give [event(…)]", "events")
    return list(events) or None


def _option(name: str, value: Any) -> List[str]:
    flag = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, (list, tuple)):
        return [word for one in value for word in _option(name, one)]
    return ["%s=%s" % (flag, os.fspath(value) if isinstance(value, os.PathLike) else value)]


class _instance_file:
    """The name of a benchmark as it is, or a document as a file that exists meanwhile."""

    def __init__(self, instance: Union[str, Instance]):
        self._instance = instance

    def __enter__(self) -> str:
        if isinstance(self._instance, str):
            return self._instance
        self._folder = tempfile.TemporaryDirectory(prefix="alas-jssp-")
        stem = re.sub(r"[^\w.-]", "-", self._instance.name or "instance")[:100].lstrip(".-") or "instance"
        path = Path(self._folder.name) / (stem + ".json")
        self._instance.save(path)
        return str(path)

    def __exit__(self, *_: object) -> None:
        if not isinstance(self._instance, str):
            self._folder.cleanup()
