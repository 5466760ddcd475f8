"""One execution: a machine and a backend of its own, so that none sees another's."""

import datetime
import json
import threading

import patch_lambda
from moto.core.config import default_user_config
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
from moto.stepfunctions.parser.backend.execution_worker import ExecutionWorker
from moto.stepfunctions.parser.models import StepFunctionsParserBackend
from moto.stepfunctions.parser.utils import TMP_THREADS

REGION, ACCOUNT = "us-east-1", "123456789012"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/engine"

#: Events that tell of tasks and of the end, and what of them; the others tell of states.
TOLD = ("Task", "Execution", "EvaluationFailed")
KEPT = ("error", "cause", "parameters", "resource", "timeoutInSeconds", "output")

default_user_config["stepfunctions"] = {"execute_state_machine": True}


class Running:
    """An execution that has not ended: its machine as it was parsed to be checked, and an event for its end."""

    def __init__(self, program):
        self.program = program
        self.ended = threading.Event()


#: Executions by ARN.
running = {}


def execute(asked):
    """The end of an execution and its history, once it is over."""
    backend = StepFunctionsParserBackend(region_name=REGION, account_id=ACCOUNT)
    machine = backend.create_state_machine(name="machine", definition=asked["text"], roleArn=ROLE)
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:machine:{asked['runId']}"
    if arn in running:
        raise ValueError(f"{asked['runId']} runs already")
    running[arn] = Running(checked.program)
    patch_lambda.backends[arn] = backend
    try:
        execution = backend.start_execution(
            machine.arn, name=asked["runId"], execution_input=json.dumps(asked["input"])
        )
        wait(execution, running[arn].ended, asked.get("cancelAfter"))
        events = execution.to_history_output()["events"]
        return {
            "status": execution.status,
            "output": execution.output,
            "error": execution.error,
            "cause": execution.cause,
            "events": [told(event) for event in events],
        }
    finally:
        del patch_lambda.backends[arn]
        del running[arn]
        TMP_THREADS[:] = [thread for thread in TMP_THREADS if thread.is_alive()]


def wait(execution, ended, seconds):
    if ended.wait(seconds):
        return
    execution.stop(datetime.datetime.now(tz=datetime.timezone.utc), "Cancelled", "it was stopped")
    # A task in flight is not interrupted by a stop; what it gives is not waited for.
    if not ended.wait(1):
        execution.exec_status = type(execution.exec_status).ABORTED


def told(event):
    """An event with what its kind tells of tasks; inputs and outputs of states are left out."""
    kind = event["type"]
    short = {key: event[key] for key in ("id", "previousEventId", "timestamp")}
    short["type"] = str(getattr(kind, "value", kind))
    if short["type"].startswith(TOLD):
        for key, details in event.items():
            if key.endswith("Details"):
                short["details"] = {k: v for k, v in details.items() if k in KEPT}
    elif "stateEnteredEventDetails" in event:
        short["details"] = {"name": event["stateEnteredEventDetails"]["name"]}
    return short


#: The last machine that was parsed in this thread.
checked = threading.local()

_parse = AmazonStateLanguageParser.parse
_execute = ExecutionWorker._execution_logic


def _parse_and_keep(definition):
    checked.program = _parse(definition)
    return checked.program


def _execute_and_tell(worker):
    try:
        _execute(worker)
    finally:
        # One that was stopped may end when nobody waits for it any longer.
        known = running.get(worker._evaluation_details.execution_details.arn)
        if known is not None:
            known.ended.set()


def _program_of(worker):
    return running[worker._evaluation_details.execution_details.arn].program[0]


AmazonStateLanguageParser.parse = staticmethod(_parse_and_keep)
ExecutionWorker._get_evaluation_entrypoint = _program_of
ExecutionWorker._execution_logic = _execute_and_tell
