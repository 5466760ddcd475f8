"""The client of a running `alas-jssp serve`, for Python 3.9 or newer. This file needs the standard library only.

    from alas_jssp import Service

    service = Service("http://127.0.0.1:8017", token="…")
    shop = service.open_shop("ft06", id="monday")
    outcome = shop.report([{"kind": "breakdown", "machine": "Machine2", "from": 12, "to": 20}])
    for change in shop.changes():
        print(change["lines"])

Jobs and machines have the names of the shop, or else "Job1" and "Machine0"; times are ISO 8601 if the shop has a
clock, or else whole numbers. Requests and answers are described by /openapi.json of the service. Several threads may
use one Service: each has its own connection.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
import uuid
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    cast,
)
from urllib.parse import quote, urlencode, urlsplit

__all__ = ["AlasError", "Problem", "Service", "Shop"]

#: A time of a shop: ISO 8601, or a whole number in its unit.
Time = Union[str, int]
#: Anything that JSON can hold.
Json = Any
#: The name of a benchmark, a document of docs/reference/formats.md, or an object whose `to_dict()` returns one.
InstanceBody = Any
#: A plan: its document, a list of operations, or an object whose `to_dict()` returns a document.
PlanBody = Any
#: Called with each `Progress` of a computation.
OnProgress = Callable[["Progress"], None]


class Before(TypedDict):
    before: float
    after: float


class _Operation(TypedDict, total=False):
    operation: str


class Operation(_Operation):
    """An operation with its times; `operation` is its name, if it has one."""

    job: str
    step: int
    machine: str
    start: Time
    end: Time


class Move(Operation):
    """An operation whose start changed, from `was`, and the `cause` in one sentence."""

    was: Optional[Time]
    kind: str
    cause: str


class Clamped(TypedDict):
    """A setting of a policy that the service reduced."""

    setting: str
    asked: Optional[float]
    used: float


class Bound(TypedDict):
    value: float
    source: str


class _Cause(TypedDict, total=False):
    job: str
    step: int
    machine: str


class Cause(_Cause):
    """Violations with one cause: the root, and the number of those that follow from it."""

    code: str
    explanation: str
    cascades: int


class Validation(TypedDict):
    """Whether a plan is complete and feasible, and what is wrong with it."""

    instance: str
    valid: bool
    makespan: Optional[float]
    total_weighted_tardiness: Optional[float]
    total: int
    counts: Dict[str, int]
    causes: List[Cause]
    more: int
    warnings: List[str]
    lower_bound: Optional[Bound]
    upper_bound: Optional[Bound]


class PlanDocument(TypedDict, total=False):
    """A plan in the format of docs/reference/formats.md."""

    schema: str
    instance: str
    makespan: Optional[float]
    entries: List[Dict[str, Any]]


class _Ends(TypedDict, total=False):
    before_date: Optional[Time]
    after_date: Time


class Ends(_Ends):
    """The end of all work before and after a repair; `before` is None for a plan that is infeasible."""

    before: Optional[float]
    after: float


class TardinessChange(TypedDict):
    before: Optional[float]
    after: float


class _LostPin(TypedDict, total=False):
    operation: str


class LostPin(_LostPin):
    """A pinned operation that cannot keep its start, and the reason."""

    job: str
    step: int
    machine: str
    was: Time
    start: Time
    why: str


class Repair(TypedDict):
    """A repaired plan, and what the repair changed."""

    instance: str
    method: str
    objective: str
    phase: str
    now: Optional[Time]
    feasible: bool
    executable: bool
    violations_before: int
    makespan: Ends
    total_weighted_tardiness: Optional[TardinessChange]
    moved: int
    moves: List[Move]
    more: int
    skipped: List[Dict[str, Any]]
    lost_pins: List[LostPin]
    clamped: List[Clamped]
    plan: PlanDocument
    instance_after: Optional[Dict[str, Any]]
    seconds: float


class Optimization(TypedDict):
    """The best plan that a search found."""

    instance: str
    objective: str
    status: str
    value: float
    makespan: float
    lower_bound: Bound
    upper_bound: Optional[Bound]
    iterations: int
    seconds: float
    plan: PlanDocument


class Limits(TypedDict):
    objective: str
    within: float
    without: float


class Explanation(TypedDict):
    """Why a plan is invalid, and why operations move after events."""

    instance: str
    valid: bool
    causes: List[Cause]
    more_causes: int
    moves: List[Move]
    more_moves: int
    limits: Optional[Limits]
    clamped: List[Clamped]
    lines: List[str]


class Progress(TypedDict):
    """The progress of a computation; `best` is the best value of the objective so far."""

    stage: str
    seconds: float
    best: Optional[float]
    lower_bound: Optional[float]
    iterations: Optional[int]


class Benchmark(TypedDict):
    name: str
    suite: str
    jobs: int
    machines: int
    operations: int
    lower_bound: float
    upper_bound: float


class BenchmarkInstance(TypedDict):
    benchmark: Benchmark
    instance: Dict[str, Any]


class Outcome(TypedDict):
    """The outcome of a command."""

    status: str
    version: int
    now: Time
    row: Optional[str]
    clamped: List[Json]
    objective: str
    makespan: Optional[Before]
    total_weighted_tardiness: Optional[Before]
    method: Optional[str]
    late: List[Json]
    moved: int
    moves: List[Move]
    more: int
    skipped: List[Dict[str, Any]]
    reasons: List[str]
    lines: List[str]
    warnings: List[str]
    change: Optional[str]
    repeated: bool


class Trial(TypedDict):
    policy: str
    same: List[str]
    objective: str
    repaired: bool
    reasons: List[str]
    clamped: List[Json]
    method: Optional[str]
    makespan: Optional[Before]
    total_weighted_tardiness: Optional[Before]
    late: List[Json]
    moved: int
    moves: List[Move]
    more: int
    starts: List[Json]


class DryRun(TypedDict):
    """What events would cost, by policy."""

    version: int
    now: Time
    trials: List[Trial]
    skipped: List[Dict[str, Any]]


class Change(TypedDict):
    """A change of a shop, as the stream of its changes has it."""

    id: str
    kind: str
    version: int
    now: Time
    now_units: int
    by: Optional[str]
    role: Optional[str]
    makespan: Optional[Before]
    moved: int
    report: bool
    lines: List[str]
    command: str
    warnings: List[str]


class AlasError(Exception):
    """An error in one line: `code`, `detail`, and `where` and `hint`, if there are any."""

    def __init__(self, code: str, detail: str, hint: Optional[str] = None, where: Optional[str] = None):
        self.code = code
        self.detail = detail
        self.hint = hint
        self.where = where
        super().__init__(self._line())

    def _line(self) -> str:
        where = "%s: " % self.where if self.where else ""
        hint = "; %s" % self.hint if self.hint else ""
        # A name of a file or of an instance may have several lines.
        return _line_of("%s%s%s (%s)" % (where, self.detail, hint, self._label()))

    def _label(self) -> str:
        return self.code

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_error_again, (type(self), self.__dict__, str(self)))


def _error_again(kind: Any, values: Dict[str, Any], line: str) -> AlasError:
    error = cast(AlasError, kind.__new__(kind, line))
    error.__dict__.update(values)
    error.args = (line,)
    return error


class Problem(AlasError):
    """A request that the service refused (RFC 9457): as AlasError, with the `status`. `path` is the same as `where`."""

    def __init__(self, status: int, body: Mapping[str, Any]):
        self.status = status
        detail = _text(body, "detail") or _text(body, "title") or "HTTP %d" % status
        super().__init__(_text(body, "code") or "http_%d" % status, detail, _text(body, "hint"), _text(body, "path"))

    def _label(self) -> str:
        return "%d %s" % (self.status, self.code)

    @property
    def path(self) -> Optional[str]:
        return self.where


def _text(body: Mapping[str, Any], key: str) -> Optional[str]:
    value = body.get(key)
    return value if isinstance(value, str) else None


#: A request that never came through, or an answer that did not.
_LOST = (ConnectionError, http.client.HTTPException, socket.timeout)

#: Computations that the service stopped because of its limits: the same request would end in the same way.
_EXHAUSTED = ("out_of_memory", "out_of_time")

#: What a stream of server-sent events yields: name, id, data.
_Event = Tuple[str, Optional[str], Any]


class Service:
    """A service at an address.

    token: one of its tokens; none is needed by a service on this machine that has none.
    timeout: seconds that an answer may take, or that a stream may be silent.
    patience: seconds for which a request is repeated if the service is busy (429, 503) or the connection breaks;
        three at most if the service has never answered. Nothing is done twice: commands to a shop carry a key.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8017",
        token: Optional[str] = None,
        timeout: float = 60,
        patience: float = 30,
    ):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError("%r is no address; give one such as http://127.0.0.1:8017" % url)
        self._parts = parts
        self._token = token
        self._timeout = timeout
        self._url = url
        self._patience = patience
        self._has_answered = False
        self._kept = threading.local()

    # Requests without a shop.

    def health(self) -> Json:
        return self.request("GET", "/health")

    def instances(self, suite: Optional[str] = None) -> List[Benchmark]:
        return cast(List[Benchmark], self.request("GET", "/instances", query={"suite": suite}))

    def instance(self, name: str) -> BenchmarkInstance:
        return cast(BenchmarkInstance, self.request("GET", "/instances/" + quote(name, safe="")))

    def validate(self, instance: InstanceBody, plan: PlanBody, **more: Json) -> Validation:
        """Everything that is wrong with a plan."""
        body = {"instance": instance, "plan": plan, **more}
        return cast(Validation, self.request("POST", "/validate", body))

    def explain(self, instance: InstanceBody, plan: PlanBody, **more: Json) -> Explanation:
        """Why a plan is invalid, and why operations move after events."""
        body = {"instance": instance, "plan": plan, **more}
        return cast(Explanation, self.request("POST", "/explain", body))

    def repair(
        self,
        instance: InstanceBody,
        plan: PlanBody,
        on_progress: Optional[OnProgress] = None,
        **more: Json,
    ) -> Repair:
        """A repaired plan, after events or of a plan that is invalid."""
        body = {"instance": instance, "plan": plan, **more}
        return cast(Repair, self._compute("/repair", body, on_progress))

    def optimize(self, instance: InstanceBody, on_progress: Optional[OnProgress] = None, **more: Json) -> Optimization:
        """A better plan. `on_progress` receives every improvement."""
        body = {"instance": instance, **more}
        return cast(Optimization, self._compute("/optimize", body, on_progress))

    def compute(
        self,
        path: str,
        body: Json,
        on_progress: Optional[OnProgress] = None,
        timeout: Optional[float] = None,
    ) -> Json:
        """The result of a computation, such as "/repair", over a stream: its silence means that the service hangs.

        timeout: seconds for the whole computation, which ends with this call.
        Raises TimeoutError when they are over, ConnectionError if the service ends before.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        for name, _, data in self._events("POST", path, body, deadline=deadline):
            if name == "progress" and on_progress is not None:
                on_progress(data)
            elif name == "problem":
                raise Problem(data.get("status", 500), data)
            elif name == "result":
                return data
        raise ConnectionError("the service ended before it had a result")

    # Shops.

    def open_shop(self, instance: InstanceBody, **more: Json) -> Shop:
        """Opens a shop: `id`, `plan`, `planner`, `policy`, `seed`, `clock` as `POST /shops` takes them."""
        opened = self.request("POST", "/shops", {"instance": instance, **more}, _key())
        return self.shop(opened["id"])

    def shops(self) -> Json:
        return self.request("GET", "/shops")

    def shop(self, id: str) -> Shop:
        return Shop(self, id)

    # HTTP.

    def request(
        self,
        method: str,
        path: str,
        body: Json = None,
        key: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
    ) -> Json:
        """The answer of the service to a request, as parsed JSON.

        key: an idempotency key, with which a request that was lost may be repeated.
        Raises Problem for a refused request, and OSError without a service.
        """
        again = method == "GET" or key is not None
        began = time.monotonic()
        until = began + self._patience
        pause = 0.05
        while True:
            try:
                status, headers, text = self._send(method, path, body, key, query)
            except _LOST as lost:
                enough = until if self._has_answered else min(until, began + 3)
                if again and time.monotonic() + pause <= enough:
                    time.sleep(pause)
                    pause = min(2 * pause, 2)
                    continue
                if self._has_answered:
                    raise
                problem = "no service answers at %s (%s); alas-jssp serve starts one" % (self._url, _line_of(str(lost)))
                raise ConnectionError(problem) from lost
            self._has_answered = True
            if status in (429, 503):
                wait = _seconds(headers.get("Retry-After"))
                if time.monotonic() + wait <= until and not _is_exhausted(text):
                    time.sleep(wait)
                    continue
            return _answer(status, text)

    def _send(self, method: str, path: str, body: Json, key: Optional[str], query: Json) -> Tuple[int, Any, bytes]:
        connection = getattr(self._kept, "connection", None)
        if connection is None:
            connection = self._kept.connection = self._connect()
        try:
            address, data, headers = self._message(path, body, key, query)
            connection.request(method, address, data, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except BaseException:
            self._kept.connection = None
            connection.close()
            raise

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=context)
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def _message(
        self, path: str, body: Json, key: Optional[str], query: Optional[Mapping[str, Any]]
    ) -> Tuple[str, Optional[bytes], Dict[str, str]]:
        headers = {"Accept": "application/json"}
        if self._token is not None:
            headers["Authorization"] = "Bearer " + self._token
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None
        if body is not None:
            data = _encode(body)
            headers["Content-Type"] = "application/json"
        given = {name: value for name, value in (query or {}).items() if value is not None}
        search = "?" + urlencode(given, doseq=True) if given else ""
        return self._parts.path.rstrip("/") + path + search, data, headers

    def _compute(self, path: str, body: Json, on_progress: Optional[OnProgress]) -> Json:
        if on_progress is None:
            return self.request("POST", path, body)
        return self.compute(path, body, on_progress)

    def _events(
        self,
        method: str,
        path: str,
        body: Json = None,
        last: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Iterator[_Event]:
        """Server-sent events, until the connection ends.

        deadline: the time.monotonic() at which it raises TimeoutError.
        """
        connection = self._connect()
        answer: Optional[http.client.HTTPResponse] = None
        try:
            address, data, headers = self._message(path, body, None, None)
            headers["Accept"] = "text/event-stream"
            if last is not None:
                headers["Last-Event-ID"] = last
            connection.connect()
            # The connection drops it once the headers have arrived.
            sock = connection.sock
            self._limit(sock, deadline)
            connection.request(method, address, data, headers)
            answer = connection.getresponse()
            if answer.status != 200:
                _answer(answer.status, answer.read())
                raise _not_the_service(answer.status, b"")
            if "text/event-stream" not in answer.headers.get("Content-Type", ""):
                raise _not_the_service(answer.status, answer.read(80))
            name, id = "message", last
            lines: List[str] = []
            while True:
                self._limit(sock, deadline)
                raw = answer.readline()
                if not raw:
                    return
                line = raw.decode("utf-8", "replace").rstrip("\r\n")
                field, _, value = line.partition(":")
                value = value[1:] if value.startswith(" ") else value
                if line == "" and lines:
                    yield name, id, _parse_event("\n".join(lines))
                    name, lines = "message", []
                elif field == "event":
                    name = value
                elif field == "id":
                    id = value
                elif field == "data":
                    lines.append(value)
        except socket.timeout as late:
            if deadline is not None and time.monotonic() >= deadline:
                raise TimeoutError("the time limit is over") from late
            raise
        except http.client.HTTPException as broken:
            raise ConnectionError("the answer of the service was cut: %s" % _line_of(str(broken))) from broken
        finally:
            # Without this the service would work on until the garbage collector closes the answer.
            if answer is not None:
                answer.close()
            connection.close()

    def _limit(self, sock: socket.socket, deadline: Optional[float]) -> None:
        """Limits the next operation of a socket to the silence of a stream, and to what is left of the time."""
        if deadline is None:
            return
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time limit is over")
        sock.settimeout(min(self._timeout, left))


class Shop:
    """A shop of a service. Its commands return an Outcome."""

    def __init__(self, service: Service, id: str):
        self.service = service
        self.id = id
        self._path = "/shops/" + quote(id, safe="")

    def state(self, next: Optional[int] = None) -> Json:
        """The current state: running and next operations of each machine, late orders, the proposal."""
        return self._get("", next=next)

    def plan(self, version: Optional[int] = None, time: Optional[Time] = None) -> Json:
        return self._get("/plan", version=version, time=time)

    def moves(self, version: Union[int, str, None] = None, start: int = 0) -> Json:
        """The moves that made a version, or of the `proposal`, from one on: `next` is that of the next page."""
        return self._get("/moves", version=version, **{"from": start})

    def story(self, most: Optional[int] = None) -> List[str]:
        """What happened, a line for each instant; the last ones, if `most` is given."""
        return cast(List[str], self._get("/story", most=most)["lines"])

    def report(
        self,
        events: Sequence[Json],
        now: Optional[Time] = None,
        key: Optional[str] = None,
        row: Optional[str] = None,
    ) -> Outcome:
        """Reports events. With the same key the same answer is given, and nothing happens twice.

        They are repaired by the policy of the shop, or by a `row` of `what_if`, such as "few-moves".
        """
        return self._command("/events", _given(events=list(events), row=row), now, key)

    def what_if(
        self,
        events: Sequence[Json],
        policies: Sequence[Union[str, Mapping[str, Any]]] = (),
        now: Optional[Time] = None,
        row: Optional[str] = None,
    ) -> DryRun:
        """The cost of events: by the rows that `report` may choose, by one `row`, or under policies, by name or as
        changes to the default. Nothing is written."""
        body = _given(events=list(events), now=now, row=row)
        texts = [one if isinstance(one, str) else json.dumps(one) for one in policies]
        query = {"dry-run": "true", "policy": texts}
        return cast(DryRun, self.service.request("POST", self._path + "/events", body, _key(), query))

    def try_starts(self, starts: Sequence[Json], now: Optional[Time] = None) -> DryRun:
        """The cost of starts of your own: alone, if others give way, and if the others are planned again."""
        body = _given(starts=list(starts), now=now)
        query = {"dry-run": "true"}
        return cast(DryRun, self.service.request("POST", self._path + "/starts", body, _key(), query))

    def wish(self, starts: Sequence[Json], now: Optional[Time] = None, key: Optional[str] = None) -> Outcome:
        """Proposes starts of your own: `{"job": …, "step": …, "start": …}` each."""
        return self._command("/starts", {"starts": list(starts)}, now, key)

    def undo(self, version: int, now: Optional[Time] = None, key: Optional[str] = None) -> Outcome:
        return self._command("/undo", {"version": version}, now, key)

    def withdraw(
        self,
        version: int,
        instead: Optional[Iterable[Json]] = None,
        now: Optional[Time] = None,
        key: Optional[str] = None,
    ) -> Outcome:
        """Withdraws the report that made a version; with `instead`, other events are reported in its place."""
        body: Json = {"version": version}
        if instead is not None:
            body["instead"] = list(instead)
        return self._command("/withdraw", body, now, key)

    def approve(self, proposal: str) -> Outcome:
        return self._command("/proposals/%s/approve" % quote(proposal, safe=""), {})

    def decline(self, proposal: str, reason: str = "") -> Outcome:
        return self._command("/proposals/%s/decline" % quote(proposal, safe=""), {"reason": reason})

    def close(self) -> Json:
        return self._command("/close", {})

    def changes(self, after: Optional[str] = None) -> Iterator[Change]:
        """Changes after the one with that id, "0" for all; by default future ones. Ends with the shop.

        A broken connection is resumed.
        """
        if after is None:
            after = self.state(next=0)["last_change"]
        return self._changes(after)

    def _changes(self, last: str) -> Iterator[Change]:
        broken = 0
        while True:
            try:
                for name, id, change in self.service._events("GET", self._path + "/changes", None, last):
                    if name == "problem":
                        raise Problem(change["status"], change)
                    last, broken = id or last, 0
                    yield change
                    if change["kind"] in ("closed", "failed"):
                        return
                if self.state(next=0)["status"] != "open":
                    return
            except _LOST:
                pass
            except Problem as problem:
                if problem.status not in (429, 503):
                    raise
            broken += 1
            time.sleep(min(0.1 * 2**broken, 5))

    def _get(self, path: str, **query: Json) -> Json:
        return self.service.request("GET", self._path + path, query=query)

    def _command(self, path: str, body: Json, now: Optional[Time] = None, key: Optional[str] = None) -> Outcome:
        body = {**body, **_given(now=now)}
        return cast(Outcome, self.service.request("POST", self._path + path, body, key or _key()))


def _key() -> str:
    return str(uuid.uuid4())


def _given(**values: Json) -> Dict[str, Json]:
    return {name: value for name, value in values.items() if value is not None}


def _encode(body: Json) -> bytes:
    try:
        return json.dumps(body, default=_plain, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        hint = "use finite whole numbers, texts, lists and dicts"
        raise AlasError("bad_value", "this cannot be sent as JSON: %s" % error, hint) from None


def _plain(value: Any) -> Any:
    """Encodes instances, plans and the numbers of NumPy."""
    for name in ("to_dict", "item", "tolist"):
        convert = getattr(value, name, None)
        if callable(convert) and not isinstance(value, type):
            return convert()
    raise TypeError("%s is none of its types" % type(value).__name__)


def _seconds(text: Optional[str]) -> float:
    return float(text) if text is not None and text.isdigit() else 1.0


def _is_exhausted(text: bytes) -> bool:
    try:
        return json.loads(text).get("code") in _EXHAUSTED
    except (ValueError, AttributeError):
        return False


def _answer(status: int, text: bytes) -> Json:
    """The body of an answer; whatever else may answer at the address, such as a proxy, is not taken for the service."""
    try:
        body = _parse(text)
    except _NOT_JSON as error:
        if status < 400:
            raise _not_the_service(status, text) from error
        body = {"detail": _line_of(text[:200].decode("utf-8", "replace")) or "HTTP %d" % status}
    if 300 <= status < 400:
        raise _not_the_service(status, text)
    if status >= 400:
        raise Problem(status, body if isinstance(body, dict) else {})
    return body


_NOT_JSON = (ValueError, RecursionError)


def _parse(text: Union[str, bytes]) -> Json:
    """Raises one of _NOT_JSON, also for NaN and Infinity, which JSON does not have."""
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> Json:
    raise ValueError("%s is no JSON" % name)


def _parse_event(data: str) -> Json:
    try:
        return _parse(data)
    except _NOT_JSON as error:
        raise _not_the_service(200, data.encode("utf-8", "replace")) from error


def _not_the_service(status: int, text: bytes) -> AlasError:
    found = _line_of(text[:80].decode("utf-8", "replace")) or "nothing"
    problem = "the answer is none of alas-jssp: status %d with %s" % (status, found)
    return AlasError("bad_answer", problem, "check the address: another program may answer there")


def _line_of(text: str) -> str:
    """A text of another program as one line without control characters."""
    return "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))
