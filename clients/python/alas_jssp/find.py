"""Finds the command line of alas-jssp, and the Node that runs it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Iterator, List, Optional, Sequence, Tuple, Union

from .service import AlasError

__all__ = ["EngineError", "NODE", "VERSION", "check_node", "check_version", "find_command"]

#: The oldest Node that runs the engine.
NODE = (20, 19)
#: The oldest engine that this package works with; engines of the same major version do.
VERSION = (1, 0, 0)
#: What npx may fetch if `download` is allowed.
PACKAGES = ("alas-jssp@^1", "@alas-jssp/service@^1")

_INSTALL = "npm install alas-jssp @alas-jssp/service"
_SCRIPTS = (".js", ".mjs", ".cjs")

#: A command as a text for the shell, a program, or a program with arguments.
Command = Union[str, "os.PathLike[str]", Sequence[str]]


class EngineError(AlasError):
    """The local engine cannot be found, started or reached, or has ended."""


def find_command(given: Optional[Command] = None, download: bool = False) -> List[str]:
    """The program and the arguments with which alas-jssp starts.

    The first of these that exists: `given`; the variable ALAS_JSSP_COMMAND; the package in node_modules of the
    current folder or of one above it; the program alas-jssp in PATH; and, if `download` or ALAS_JSSP_DOWNLOAD=1
    allow it, npx, which fetches the packages.
    """
    if given is None:
        given = os.environ.get("ALAS_JSSP_COMMAND") or None
    if given is not None:
        return _split(given)
    for script in _installed():
        return [_node(), str(script)]
    program = shutil.which("alas-jssp")
    if program is not None:
        return [program]
    if download or os.environ.get("ALAS_JSSP_DOWNLOAD") == "1":
        npx = shutil.which("npx")
        if npx is not None:
            packages = [word for name in PACKAGES for word in ("--package", name)]
            return [npx, "--yes", *packages, "alas-jssp"]
    _node()
    hint = "%s, or set ALAS_JSSP_COMMAND, or ALAS_JSSP_DOWNLOAD=1, so that npx fetches it" % _INSTALL
    raise EngineError("no_engine", "alas-jssp is not installed for this folder, and not in PATH", hint)


def _split(given: Command) -> List[str]:
    if isinstance(given, str) and not os.path.exists(given):
        words = shlex.split(given, posix=os.name != "nt")
        words = [word.strip('"') for word in words] if os.name == "nt" else words
    elif isinstance(given, (str, os.PathLike)):
        words = [os.fspath(given)]
    else:
        words = [os.fspath(word) for word in given]
    if not words:
        raise EngineError("no_engine", "the command of the engine is empty", "give a program such as alas-jssp")
    if words[0].lower().endswith(_SCRIPTS):
        return [_node(), *words]
    program = shutil.which(words[0])
    if program is None:
        problem = "the command of the engine, %s, is no program" % words[0]
        raise EngineError("no_engine", problem, "correct ALAS_JSSP_COMMAND or command=…")
    return [program, *words[1:]]


def _installed() -> Iterator[Path]:
    """The scripts of packages next to the current folder, then next to this file, which a clone has."""
    for start in (_current_folder(), Path(__file__).resolve().parent):
        for folder in () if start is None else (start, *start.parents):
            for package in (folder / "node_modules" / "alas-jssp", folder):
                script = package / "bin" / "alas-jssp.js"
                if script.is_file() and _name(package) == "alas-jssp":
                    yield script


def _current_folder() -> Optional[Path]:
    try:
        return Path.cwd()
    except OSError:
        return None


def _name(package: Path) -> object:
    try:
        document = json.loads((package / "package.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return document.get("name") if isinstance(document, dict) else None


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        hint = "install Node %d.%d or newer from https://nodejs.org" % NODE
        raise EngineError("no_node", "Node, which runs the engine, is not in PATH", hint)
    return node


def check_node(command: Sequence[str]) -> None:
    """Refuses a Node that is too old, if it is known which one runs the command."""
    is_script = len(command) > 1 and command[1].lower().endswith(_SCRIPTS)
    node = command[0] if is_script else shutil.which("node")
    if node is None:
        return
    found = _version(_output([node, "--version"]))
    if found is not None and found < (*NODE, 0):
        problem = "Node %s is too old" % ".".join(map(str, found))
        raise EngineError("old_node", problem, "install Node %d.%d or newer" % NODE)


def check_version(text: str, command: Sequence[str]) -> None:
    """Refuses an engine of another major version, or one that is older than this package needs."""
    found = _version(text)
    if found is None or (found >= VERSION and found[0] == VERSION[0]):
        return
    problem = "alas-jssp %s is too %s for this package" % (text, "old" if found < VERSION else "new")
    hint = "%s, for a version %d" % (_INSTALL, VERSION[0]) if found < VERSION else "pip install --upgrade alas-jssp"
    raise EngineError("other_version", problem, hint, where=" ".join(command))


def _version(text: Optional[str]) -> Optional[Tuple[int, ...]]:
    match = re.search(r"(\d+)\.(\d+)\.(\d+)", text or "")
    return None if match is None else tuple(int(part) for part in match.groups())


def _output(command: Sequence[str]) -> Optional[str]:
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")
