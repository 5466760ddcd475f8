"""The tests run against a built alas-jssp: that of ALAS_JSSP_COMMAND, or of the clone around this folder."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

import alas_jssp

# An engine that hangs must fail a test, not stall it.
TIMEOUT = 60


@pytest.fixture(scope="session")
def engine() -> Iterator[alas_jssp.Engine]:
    with alas_jssp.local(start_timeout=TIMEOUT) as one:
        yield one


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not collected does not."""
    try:
        state = Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    except FileNotFoundError:
        if sys.platform == "linux":
            return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def wait_until(is_done: Callable[[], bool], seconds: float = TIMEOUT) -> bool:
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def start_python(code: str, **options: Any) -> subprocess.Popen[str]:
    """Another Python, in a group of its own, whose stdout and stderr are read as text."""
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8"}
    command = [sys.executable, "-c", code]
    program: subprocess.Popen[str] = subprocess.Popen(command, start_new_session=True, **pipes, **options)
    return program
