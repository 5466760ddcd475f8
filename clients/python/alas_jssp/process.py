"""Processes of the engine, which never outlive this one.

A process has a pipe as its stdin, and ends when that closes: by `close`, or with this process, even if that is killed.
It is in a session of its own, so that Ctrl-C in a terminal reaches only this process.
"""

from __future__ import annotations

import atexit
import collections
import os
import queue
import subprocess
import threading
import time
import weakref
from typing import IO, Any, Deque, Dict, List, Mapping, Optional, Sequence

from .find import EngineError

__all__ = ["EngineProcess"]

#: Seconds in which a process ends by itself once its stdin is closed; then it is terminated, then killed.
_GRACE = 5.0

_alive: weakref.WeakSet[EngineProcess] = weakref.WeakSet()


class EngineProcess:
    """A running command of alas-jssp."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: Optional[str] = None):
        self._lines: Deque[str] = collections.deque(maxlen=20)
        self._first: queue.Queue[Optional[str]] = queue.Queue()
        self._owner = os.getpid()
        self._name = " ".join(command)
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **env, "ALAS_JSSP_END_WITH_STDIN": "1"},
                cwd=cwd,
                **_own_session(),
            )
        except (OSError, ValueError) as error:
            raise EngineError("no_start", "the engine cannot be started: %s" % error, where=self._name) from None
        self._output: List[bytes] = []
        assert self._process.stdout is not None and self._process.stderr is not None
        self._readers = [
            threading.Thread(target=_read_lines, args=(self._process.stderr, self._lines.append), daemon=True),
            threading.Thread(target=_read_output, args=(self._process.stdout, self._first, self._output), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        _alive.add(self)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._owner == os.getpid() and self._process.poll() is None

    def first_line(self, timeout: float) -> str:
        """The first line of its output. Raises EngineError if it ends or the time is over before."""
        try:
            line = self._first.get(timeout=timeout)
        except queue.Empty:
            self.close()
            problem = "the engine did not start within %g seconds" % timeout
            raise EngineError("no_start", problem, where=self._name) from None
        if line is None:
            self.wait(_GRACE)
            raise self.ended("no_start", "the engine cannot be started")
        return line

    def ended(self, code: str, problem: str) -> EngineError:
        """The error for a process that has ended, with its last words."""
        for reader in self._readers:
            reader.join(1)
        words = [line for line in self._lines if line.strip()]
        status = self._process.poll()
        reason = words[-1] if words else "exit code %s" % status
        return EngineError(code, "%s: %s" % (problem, reason), where=self._name)

    def output(self, timeout: Optional[float]) -> bytes:
        """What it writes until it ends. Raises TimeoutError; the process is then ended, as on an interruption."""
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            # Short waits, so that Ctrl-C is noticed on Windows, too.
            while self._process.poll() is None:
                if deadline is not None and time.monotonic() > deadline:
                    raise TimeoutError
                self.wait(0.5 if deadline is None else max(0.01, min(0.5, deadline - time.monotonic())))
        finally:
            self.close()
        return b"".join(self._output)

    @property
    def status(self) -> Optional[int]:
        return self._process.poll()

    @property
    def errors(self) -> List[str]:
        """The last lines of its stderr."""
        return list(self._lines)

    def wait(self, timeout: float) -> bool:
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Ends it: asks it to, then terminates it, then kills it. Safe to call again, and by several threads."""
        if self._owner != os.getpid():
            return
        _alive.discard(self)
        _close(self._process.stdin)
        for end in (None, self._process.terminate, self._process.kill):
            if end is not None:
                end()
            if self.wait(_GRACE):
                break
        for reader in self._readers:
            if reader is not threading.current_thread():
                reader.join(1)

    def forget(self) -> None:
        """Called in a fork: the process belongs to the parent, and its pipe must not stay open here."""
        _close(self._process.stdin)


def _own_session() -> Dict[str, Any]:
    if os.name == "nt":
        flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
        return {"creationflags": flags}
    return {"start_new_session": True}


def _close(pipe: Optional[IO[bytes]]) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError:
        pass


def _read_lines(pipe: IO[bytes], take: Any) -> None:
    with pipe:
        for line in pipe:
            take(line.decode("utf-8", "replace").rstrip())


def _read_output(pipe: IO[bytes], first: queue.Queue[Optional[str]], output: List[bytes]) -> None:
    with pipe:
        for line in pipe:
            if not output:
                first.put(line.decode("utf-8", "replace").strip())
            output.append(line)
    first.put(None)


def _close_all() -> None:
    for process in list(_alive):
        _close(process._process.stdin)
    for process in list(_alive):
        process.close()


def _forget_all() -> None:
    for process in list(_alive):
        process.forget()
    _alive.clear()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
