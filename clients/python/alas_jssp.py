"""A client of `alas-jssp serve`, in Python 3.9 or newer and its standard library only: copy this file.

    from alas_jssp import Service

    service = Service("http://127.0.0.1:8017", token="…")
    shop = service.open_shop("ft06", id="monday")
    outcome = shop.report([{"kind": "breakdown", "machine": "Machine2", "from": 12, "to": 20}])
    for change in shop.changes():
        print(change["lines"])

Jobs, machines and times are the shop's words: names and ISO 8601 where it has them, else "Job1", "Machine0" and
whole numbers. Requests and answers are described by /openapi.json of the service. A Service may be used by
several threads; each has a connection of its own.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
import uuid
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, TypedDict, Union
from urllib.parse import quote, urlencode, urlsplit

__all__ = ["Problem", "Service", "Shop"]

#: A time of a shop: ISO 8601, or a whole number in its unit.
Time = Union[str, int]
#: The name of a benchmark, or a document of docs/reference/formats.md.
Instance = Union[str, Mapping[str, Any]]
#: Anything that JSON can hold.
Json = Any


class Before(TypedDict):
    before: float
    after: float


class Operation(TypedDict):
    job: str
    step: int
    machine: str
    start: Time
    end: Time


class Move(Operation):
    was: Optional[Time]
    cause: str


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


class Problem(Exception):
    """An answer that is none (RFC 9457): `status`, `code`, `detail`, and `hint` and `path` where there are any."""

    def __init__(self, status: int, body: Mapping[str, Any]):
        self.status = status
        self.code: str = body.get("code", "http_%d" % status)
        self.detail: str = body.get("detail", body.get("title", "HTTP %d" % status))
        self.hint: Optional[str] = body.get("hint")
        self.path: Optional[str] = body.get("path")
        where = "%s: " % self.path if self.path else ""
        hint = "; %s" % self.hint if self.hint else ""
        super().__init__("%s%s%s (%d %s)" % (where, self.detail, hint, status, self.code))


#: A request that never came through, or an answer that did not.
_LOST = (ConnectionError, http.client.HTTPException, socket.timeout)


class Service:
    """A service at an address.

    token: one of its tokens; none is needed by a service on this machine that has none.
    timeout: seconds that an answer may take, or that a stream may be silent.
    patience: seconds for which a request is tried again where the service is busy (429, 503) or the
        connection breaks; three at most where nothing has ever answered. Nothing is done twice: what
        changes a shop carries a key.
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

    # What needs no shop.

    def health(self) -> Json:
        return self.request("GET", "/health")

    def instances(self) -> Json:
        return self.request("GET", "/instances")

    def instance(self, name: str) -> Json:
        return self.request("GET", "/instances/" + quote(name, safe=""))

    def validate(self, instance: Instance, plan: Json, **more: Json) -> Json:
        """Everything that is wrong with a plan."""
        return self.request("POST", "/validate", {"instance": instance, "plan": plan, **more})

    def explain(self, instance: Instance, plan: Json, **more: Json) -> Json:
        return self.request("POST", "/explain", {"instance": instance, "plan": plan, **more})

    def repair(
        self,
        instance: Instance,
        plan: Json,
        on_progress: Optional[Callable[[Json], None]] = None,
        **more: Json,
    ) -> Json:
        """A repaired plan, after events or of a plan that is invalid."""
        body = {"instance": instance, "plan": plan, **more}
        return self._compute("/repair", body, on_progress)

    def optimize(
        self, instance: Instance, on_progress: Optional[Callable[[Json], None]] = None, **more: Json
    ) -> Json:
        """A better plan. `on_progress` receives every improvement."""
        return self._compute("/optimize", {"instance": instance, **more}, on_progress)

    # Shops.

    def open_shop(self, instance: Instance, **more: Json) -> "Shop":
        """Opens a shop: `id`, `plan`, `planner`, `policy`, `seed`, `clock` as `POST /shops` takes them."""
        opened = self.request("POST", "/shops", {"instance": instance, **more}, _key())
        return self.shop(opened["id"])

    def shops(self) -> Json:
        return self.request("GET", "/shops")

    def shop(self, id: str) -> "Shop":
        return Shop(self, id)

    # The wire.

    def request(
        self,
        method: str,
        path: str,
        body: Json = None,
        key: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
    ) -> Json:
        """An answer of the service, as JSON has it.

        key: an idempotency key, with which a request that was lost on the way may be sent again.
        Raises Problem for an answer that is none, and OSError where there is no service.
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
                problem = "no service answers at %s (%s); alas-jssp serve starts one" % (self._url, lost)
                raise ConnectionError(problem) from lost
            self._has_answered = True
            if status in (429, 503):
                wait = _seconds(headers.get("Retry-After"))
                if time.monotonic() + wait <= until:
                    time.sleep(wait)
                    continue
            return _answer(status, text)

    def _send(self, method: str, path: str, body: Json, key: Optional[str], query: Json):
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

    def _message(self, path: str, body: Json, key: Optional[str], query: Optional[Mapping[str, Any]]):
        headers = {"Accept": "application/json"}
        if self._token is not None:
            headers["Authorization"] = "Bearer " + self._token
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        given = {name: value for name, value in (query or {}).items() if value is not None}
        search = "?" + urlencode(given, doseq=True) if given else ""
        return self._parts.path.rstrip("/") + path + search, data, headers

    def _compute(self, path: str, body: Json, on_progress: Optional[Callable[[Json], None]]) -> Json:
        if on_progress is None:
            return self.request("POST", path, body)
        for name, _, data in self._events("POST", path, body):
            if name == "progress":
                on_progress(data)
            elif name == "problem":
                raise Problem(data.get("status", 500), data)
            elif name == "result":
                return data
        raise ConnectionError("the service broke off before it had a result")

    def _events(self, method: str, path: str, body: Json = None, last: Optional[str] = None):
        """Server-sent events, as (name, id, data), until the connection ends."""
        connection = self._connect()
        try:
            address, data, headers = self._message(path, body, None, None)
            headers["Accept"] = "text/event-stream"
            if last is not None:
                headers["Last-Event-ID"] = last
            connection.request(method, address, data, headers)
            answer = connection.getresponse()
            if answer.status != 200:
                _answer(answer.status, answer.read())
                return
            name, id, lines = "message", last, []
            for raw in answer:
                line = raw.decode("utf-8").rstrip("\r\n")
                field, _, value = line.partition(":")
                value = value[1:] if value.startswith(" ") else value
                if line == "" and lines:
                    yield name, id, json.loads("\n".join(lines))
                    name, lines = "message", []
                elif field == "event":
                    name = value
                elif field == "id":
                    id = value
                elif field == "data":
                    lines.append(value)
        finally:
            connection.close()


class Shop:
    """A shop of a service. What tells it something gives an Outcome."""

    def __init__(self, service: Service, id: str):
        self.service = service
        self.id = id
        self._path = "/shops/" + quote(id, safe="")

    def state(self, next: Optional[int] = None) -> Json:
        """The shop as of now: what runs, what comes next on each machine, what is late, what is proposed."""
        return self._get("", next=next)

    def plan(self, version: Optional[int] = None, time: Optional[Time] = None) -> Json:
        return self._get("/plan", version=version, time=time)

    def moves(self, version: Union[int, str, None] = None, start: int = 0) -> Json:
        """The moves that made a version, or of the `proposal`, from one on: `next` is that of the next page."""
        return self._get("/moves", version=version, **{"from": start})

    def story(self, most: Optional[int] = None) -> List[str]:
        """What happened, a line for each instant; the last ones, if `most` is given."""
        return self._get("/story", most=most)["lines"]

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
        """What events would cost, by the rows that `report` may choose, by one `row`, or under policies by name or as
        changes to the default; nothing is written."""
        body = _given(events=list(events), now=now, row=row)
        texts = [one if isinstance(one, str) else json.dumps(one) for one in policies]
        query = {"dry-run": "true", "policy": texts}
        return self.service.request("POST", self._path + "/events", body, _key(), query)

    def try_starts(self, starts: Sequence[Json], now: Optional[Time] = None) -> DryRun:
        """What starts of one's own would cost: alone, where others give way, and where these are planned again."""
        body = _given(starts=list(starts), now=now)
        return self.service.request("POST", self._path + "/starts", body, _key(), {"dry-run": "true"})

    def wish(
        self, starts: Sequence[Json], now: Optional[Time] = None, key: Optional[str] = None
    ) -> Outcome:
        """Proposes starts of one's own: `{"job": …, "step": …, "start": …}` each."""
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
        """Changes after one, "0" for all of them, or else those to come from now on, until the shop ends.

        Goes on by itself where the connection breaks.
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
                    last, broken = id, 0
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

    def _command(
        self, path: str, body: Json, now: Optional[Time] = None, key: Optional[str] = None
    ) -> Json:
        body = {**body, **_given(now=now)}
        return self.service.request("POST", self._path + path, body, key or _key())


def _key() -> str:
    return str(uuid.uuid4())


def _given(**values: Json) -> Dict[str, Json]:
    return {name: value for name, value in values.items() if value is not None}


def _seconds(text: Optional[str]) -> float:
    return float(text) if text is not None and text.isdigit() else 1.0


def _answer(status: int, text: bytes) -> Json:
    try:
        body = json.loads(text) if text else None
    except ValueError:
        body = {"detail": text[:200].decode("utf-8", "replace")}
    if status >= 400:
        raise Problem(status, body if isinstance(body, dict) else {})
    return body
