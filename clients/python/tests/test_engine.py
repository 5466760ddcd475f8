from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, List, cast

import pytest
from conftest import TIMEOUT, is_alive, start_python, wait_until

import alas_jssp
from alas_jssp import AlasError, EngineError, EngineTimeout, InputError, Problem, event, find_command, local

JOBS = [[(0, 3), (1, 2)], [(1, 5)]]
WRONG = [("Job1", 1, "Machine0", 0, 3), ("Job1", 2, "Machine1", 2, 4), ("Job2", 1, "Machine1", 0, 5)]
posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

# Prints the pid of its engine, then searches until it is ended.
SEARCH = """
import sys, alas_jssp
with alas_jssp.local(threads=1) as engine:
    print(engine.pid, flush=True)
    engine.optimize("ta41", budget=300, on_progress=lambda one: print("at work", flush=True))
"""


def test_the_functions_of_the_module_judge_repair_search_and_explain() -> None:
    judged = alas_jssp.validate(JOBS, WRONG, timeout=TIMEOUT)
    assert (judged["valid"], judged["total"]) == (False, 3)
    assert judged["causes"][0]["job"] == "Job1"
    repaired = alas_jssp.repair(JOBS, WRONG)
    assert repaired["feasible"] and repaired["makespan"]["after"] == 7
    assert alas_jssp.validate(JOBS, repaired)["valid"]
    assert alas_jssp.explain(JOBS, WRONG)["lines"]
    progress: List[Any] = []
    best = alas_jssp.optimize("ft06", budget="2k-iterations", on_progress=progress.append)
    assert (best["makespan"], best["status"], bool(progress)) == (55, "optimal", True)
    assert len(alas_jssp.instances("ft")) == 3
    alas_jssp.stop()
    # The next call starts another engine.
    assert alas_jssp.validate("ft06", best)["valid"]


def test_a_breakdown_is_repaired_and_the_repair_is_valid_in_the_instance_after_it(engine: alas_jssp.Engine) -> None:
    plan = engine.plan("ft06", "dispatch:mwkr")
    broken = [event("breakdown", machine="Machine2", from_=12, to=20)]
    first = engine.repair("ft06", plan, events=broken, policy="high-stability", with_instance=True)
    assert first["now"] == 12 and first["moved"] == len(first["moves"]) + first["more"]
    after = first["instance_after"]
    assert after is not None and after["downtimes"] and engine.validate(after, first)["valid"]
    second = engine.repair(after, first, events=[event("breakdown", machine="Machine0", from_=30, to=33)], now=30)
    assert second["executable"]


def test_plans_of_planners_and_runs(engine: alas_jssp.Engine, tmp_path: Path) -> None:
    assert engine.plan("ft06", "search:0.2s").makespan == 55
    assert engine.plan(JOBS).makespan == 7
    out = tmp_path / "läuft gut"
    run = engine.run("ft06", ["dispatch:best", "insertion"], out=out, optimize="1k-iterations", save_schedules=True)
    assert [record["makespan"] for record in run.records] == [55, 55]
    assert (out / "records.jsonl").is_file() and len(list((out / "schedules").iterdir())) == 2
    with pytest.raises(EngineError, match="no planner|unknown") as caught:
        engine.run("ft06", "nonsense:7")
    assert caught.value.code == "bad_input" and "\n" not in str(caught.value)


def test_a_name_is_no_option(engine: alas_jssp.Engine) -> None:
    with pytest.raises(alas_jssp.AlasError) as caught:
        engine.plan("--help")
    assert "--help" in str(caught.value)


def test_an_infeasible_plan_of_a_planner_is_a_plan(engine: alas_jssp.Engine) -> None:
    plan = engine.plan("ft06", "degraded:0.5")
    assert not engine.validate("ft06", plan)["valid"] and engine.repair("ft06", plan)["feasible"]


def test_a_living_shop_of_the_engine(tmp_path: Path) -> None:
    data = tmp_path / "Läden und mehr"
    with local(data=data, threads=1) as engine:
        shop = engine.open_shop("ft06", id="monday")
        outcome = shop.report([event("breakdown", machine="Machine2", from_=12, to=20)])
        assert (outcome["status"], outcome["version"]) == ("committed", 2)
    with local(data=data, threads=1) as engine:
        assert engine.service.shop("monday").state()["version"] == 2


@pytest.mark.parametrize(
    "instance, plan, code, where",
    [
        ("ft07", [], "no_instance", "$.instance"),
        ("no/such/file.txt", [], "no_file", None),
        ([[(0, -1)]], [], "bad_instance", "jobs[0][0]"),
        ([[(0, 1.5)]], [], "bad_instance", "jobs[0][0]"),
        ([[("A", 1), (0, 2)]], [], "bad_instance", None),
        ([], [], "bad_instance", "$.instance.jobs"),
        ({"jobs": 3}, [], "bad_instance", None),
        (7, [], "bad_instance", "jobs"),
        ("ft06", 7, "bad_plan", None),
        ("ft06", [7], "bad_plan", "entries[0]"),
        ("ft06", {"steps": []}, "bad_plan", None),
        ("ft06", [("Job1", 1, "Machine0", "soon", 4)], "bad_plan", None),
        ("ft06", [("Job1", 1, "Machine0", float("nan"), 4)], "bad_value", None),
        ("ft06", [("Job1", 1, "Machine0", object(), 4)], "bad_value", None),
        ("ft06", [{"job": "Job1"}], "bad_plan", None),
        ("ft06", [("Ünïcødé 🛠", 1, "机器", 0, 1)], "bad_plan", "$.plan.entries[0].job"),
        ("ft06", [("Job1", 1, "\ud800", 0, 1)], "bad_plan", "$.plan.entries[0].machine"),
    ],
)
def test_nonsense_is_refused_with_a_code_and_in_one_line(
    engine: alas_jssp.Engine, instance: Any, plan: Any, code: str, where: Any
) -> None:
    with pytest.raises(AlasError) as caught:
        engine.validate(instance, plan)
    error = caught.value
    assert error.code == code, error
    assert where is None or where == error.where, error
    assert error.hint and "\n" not in str(error)


def test_wrong_claims_are_violations_and_no_errors(engine: alas_jssp.Engine) -> None:
    plan = [("Job9", 1, "Machine77", -5, 3.5), ("Job1", 99, "Machine0", 0, 1)]
    counts = engine.validate("ft06", plan)["counts"]
    assert counts["unknown_job"] == 1 and counts["missing_operation"] == 36


def test_events_that_are_wrong_say_where(engine: alas_jssp.Engine) -> None:
    plan = engine.plan("ft06")
    with pytest.raises(Problem) as caught:
        engine.repair("ft06", plan, events=[event("breakdown", machine="Machine9", from_=1)])
    assert (caught.value.status, caught.value.code) == (400, "bad_event")
    assert caught.value.where == "$.events[0].machine"
    with pytest.raises(InputError):
        engine.repair("ft06", plan, events=cast(Any, event("breakdown", machine="Machine1", from_=1)))


def test_files_in_any_format_and_under_any_name(engine: alas_jssp.Engine, tmp_path: Path) -> None:
    folder = tmp_path / "größe & co $HOME 'q' 机"
    folder.mkdir()
    standard = folder / "-tiny é.txt"
    standard.write_text("2 2\n0 29 1 78\n1 43 0 90\n")
    shop = engine.instance(standard)
    assert shop.to_jobs() == [[(0, 29), (1, 78)], [(1, 43), (0, 90)]]
    assert engine.instance(str(standard)).to_jobs() == shop.to_jobs()
    saved = folder / "kopie ü.json"
    shop.save(saved)
    plan = engine.plan(saved)
    plan.save(folder / "plan.json")
    assert engine.validate(saved, folder / "plan.json")["valid"]
    (folder / "plan.csv").write_text("job;step;machine;start;end\n1;1;0;0;29\n", "utf-8-sig")
    assert engine.validate(shop, folder / "plan.csv")["counts"]["missing_operation"] == 3
    standard.write_text("2 2\n0 29 1\n")
    with pytest.raises(EngineError) as caught:
        engine.instance(standard)
    assert caught.value.code == "bad_input" and "\n" not in str(caught.value)


def test_large_plans(engine: alas_jssp.Engine) -> None:
    jobs = [[(k % 50, 1 + (j + k) % 9) for k in range(100)] for j in range(300)]
    plan = engine.plan(jobs)
    assert len(plan) == 30_000
    judged = engine.validate(jobs, plan, timeout=TIMEOUT)
    assert judged["valid"]


def test_a_timeout_ends_the_computation(engine: alas_jssp.Engine) -> None:
    began = time.monotonic()
    with pytest.raises(EngineTimeout) as caught:
        engine.optimize("ta41", budget=200, timeout=1)
    assert caught.value.code == "timeout" and isinstance(caught.value, TimeoutError)
    assert time.monotonic() - began < 20
    assert wait_until(lambda: engine.service.health()["working"] == 0)
    with pytest.raises(EngineTimeout):
        engine.plan("ta41", "search:200s", timeout=1)


def test_several_threads_share_an_engine() -> None:
    with local(threads=1) as engine:
        pids = set()

        def judge(number: int) -> int:
            plan = [("Job1", 1, "Machine2", number, number + 1)]
            total = engine.validate("ft06", plan)["counts"]["missing_operation"]
            pids.add(engine.pid)
            return total

        with ThreadPoolExecutor(16) as pool:
            assert set(pool.map(judge, range(200))) == {35}
        assert len(pids) == 1


def test_two_programs_have_an_engine_each() -> None:
    code = "import alas_jssp; print(alas_jssp.optimize('ft06', budget='1k-iterations')['makespan'])"
    programs = [start_python(code) for _ in range(2)]
    results = [program.communicate(timeout=TIMEOUT) for program in programs]
    assert [(out.strip(), err) for out, err in results] == [("55", "")] * 2


def test_the_engine_ends_with_its_block_and_is_not_used_afterwards() -> None:
    with local(threads=1) as engine:
        pid = engine.pid
        assert pid is not None and is_alive(pid)
    assert not is_alive(pid)
    with pytest.raises(EngineError, match="closed"):
        engine.validate("ft06", [])


def test_an_engine_that_is_killed_between_calls_is_started_again() -> None:
    with local(threads=1) as engine:
        before = engine.pid
        assert before is not None
        os.kill(before, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        assert wait_until(lambda: engine.pid is None)
        assert engine.validate("ft06", [])["total"] == 36
        assert engine.pid not in (None, before)


def test_an_engine_that_is_killed_during_a_call_is_an_error_and_the_next_call_works() -> None:
    with local(threads=1) as engine:

        def kill(_: Any) -> None:
            os.kill(engine.pid or 0, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

        with pytest.raises(EngineError) as caught:
            engine.optimize("ta41", budget=60, on_progress=kill)
        assert caught.value.code == "engine_ended" and "\n" not in str(caught.value)
        assert engine.validate("ft06", [])["total"] == 36


def test_closing_during_a_call_ends_the_call() -> None:
    engine = local(threads=1)
    started = threading.Event()
    errors: List[BaseException] = []

    def search() -> None:
        try:
            engine.optimize("ta41", budget=60, on_progress=lambda _: started.set())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    assert started.wait(TIMEOUT)
    engine.close()
    thread.join(TIMEOUT)
    assert not thread.is_alive()
    assert all(isinstance(error, (EngineError, Problem)) for error in errors)


@posix
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_no_engine_is_left_when_its_program_ends_by(name: str) -> None:
    program = start_python(SEARCH)
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    while program.stdout.readline().strip() != "at work":
        pass
    program.send_signal(getattr(signal, name))
    _, errors = program.communicate(timeout=TIMEOUT)
    assert wait_until(lambda: not is_alive(pid), 20)
    if name == "SIGINT":
        assert errors.rstrip().endswith("KeyboardInterrupt")


@posix
def test_ctrl_c_of_a_terminal_reaches_the_program_and_not_its_engine() -> None:
    code = """
import signal, alas_jssp
with alas_jssp.local(threads=1) as engine:
    pid = engine.pid
    try:
        engine.optimize("ta41", budget=300, on_progress=lambda one: print("at work", flush=True))
    except KeyboardInterrupt:
        print(engine.validate("ft06", [])["total"], engine.pid == pid)
"""
    program = start_python(code)
    assert program.stdout is not None and program.stdout.readline().strip() == "at work"
    os.killpg(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=TIMEOUT)
    assert (out.splitlines()[-1], err, program.returncode) == ("36 True", "", 0)


@posix
def test_a_run_that_is_interrupted_keeps_its_records_and_leaves_no_process(tmp_path: Path) -> None:
    code = """
import sys, alas_jssp
print("begins", flush=True)
alas_jssp.run("ft", "search:1s", out=sys.argv[1], replicates=50)
"""
    out = tmp_path / "run"
    program = subprocess.Popen([sys.executable, "-c", code, str(out)], stderr=subprocess.DEVNULL)
    records = out / "records.jsonl"
    assert wait_until(lambda: records.exists() and records.stat().st_size > 0)
    lock = (out / "run.lock").read_text()
    program.kill()
    program.wait()
    assert wait_until(lambda: not (out / "run.lock").exists(), 30), lock
    assert records.read_text().strip()


@posix
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_starts_an_engine_of_its_own() -> None:
    code = """
import os, alas_jssp
alas_jssp.validate("ft06", [])
own = alas_jssp.validate.__self__
print(own.pid, flush=True)
child = os.fork()
if child == 0:
    assert own.pid is None
    assert alas_jssp.validate("ft06", [])["total"] == 36
    print(own.pid, flush=True)
    alas_jssp.stop()
    os._exit(0)
os.waitpid(child, 0)
assert alas_jssp.validate("ft06", [])["total"] == 36
print(own.pid, flush=True)
"""
    program = start_python(code)
    out, err = program.communicate(timeout=TIMEOUT)
    first, second, third = out.split()
    assert err == "" or "DeprecationWarning" in err
    assert first == third != second
    assert wait_until(lambda: not is_alive(int(first)) and not is_alive(int(second)), 20)


def test_others_on_this_machine_cannot_use_the_engine(engine: alas_jssp.Engine) -> None:
    stranger = alas_jssp.Service(engine.service._url)
    with pytest.raises(Problem) as caught:
        stranger.validate("ft06", [])
    assert caught.value.status == 401


def _script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n" + text + "\n")
    path.chmod(0o755)
    return path


@posix
def test_the_command_is_found_in_the_documented_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = _script(tmp_path, "my engine", "")
    assert find_command(given) == [str(given)]
    assert find_command(str(given)) == [str(given)]
    assert find_command(["env", "A=1", "x"])[1:] == ["A=1", "x"]
    monkeypatch.setenv("ALAS_JSSP_COMMAND", "env alas-jssp 'a b'")
    assert find_command()[1:] == ["alas-jssp", "a b"]
    monkeypatch.delenv("ALAS_JSSP_COMMAND")
    package = tmp_path / "node_modules" / "alas-jssp"
    (package / "bin").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "alas-jssp"}')
    (package / "bin" / "alas-jssp.js").write_text("")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert find_command()[1] == str(package / "bin" / "alas-jssp.js")


@posix
@pytest.mark.parametrize(
    "programs, code, words",
    [
        ({}, "no_node", "install Node 20.19"),
        ({"node": "echo v20.20.0"}, "no_engine", "npm install alas-jssp @alas-jssp/service"),
        ({"node": "echo v18.20.4", "alas-jssp": ""}, "old_node", "Node 18.20.4 is too old"),
        ({"node": "echo v20.20.0", "alas-jssp": "echo broken: sorry >&2; exit 2"}, "no_start", "broken: sorry"),
        ({"node": "echo v20.20.0", "alas-jssp": "echo hello; cat"}, "no_start", "no engine"),
        ({"node": "echo v20.20.0", "alas-jssp": "exec sleep 30"}, "no_start", "within 1 seconds"),
    ],
)
def test_an_engine_that_cannot_start_is_explained_in_one_line(
    programs: Any, code: str, words: str, tmp_path: Path
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in programs.items():
        _script(folder, name, text)
    for name in ("sh", "cat", "sleep"):
        os.symlink("/bin/" + name, folder / name)
    script = """
import sys
sys.path[:0] = sys.argv[1].split("\\n")
import alas_jssp, alas_jssp.find
# As installed: not next to a clone.
alas_jssp.find.__file__ = "/"
try:
    alas_jssp.local(start_timeout=1).validate("ft06", [])
except alas_jssp.EngineError as error:
    print(error.code, error)
"""
    env = {"PATH": str(folder), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", script, "\n".join(sys.path)],
        env=env, cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT,
    )  # fmt: skip
    assert done.stderr == ""
    found, _, line = done.stdout.partition(" ")
    assert found == code and words in line and line.count("\n") == 1, done.stdout


def test_engines_of_other_versions_are_refused() -> None:
    from alas_jssp.find import check_version

    check_version("1.0.0", ["alas-jssp"])
    check_version("1.7.2", ["alas-jssp"])
    for text, words in (("0.9.1", "too old"), ("2.0.0", "too new")):
        with pytest.raises(EngineError, match=words):
            check_version(text, ["alas-jssp"])
