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

#: Events that tell of tasks and of the end; the others tell of states.
TOLD = ("Task", "Execution", "EvaluationFailed")

default_user_config["stepfunctions"] = {"execute_state_machine": True}


def execute(asked):
    """The end of an execution and its history, once it is over."""
    backend = StepFunctionsParserBackend(region_name=REGION, account_id=ACCOUNT)
    machine = backend.create_state_machine(name="machine", definition=asked["text"], roleArn=ROLE)
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:machine:{asked['runId']}"
    patch_lambda.backends[arn] = backend
    ended = threading.Event()
    endings[arn] = ended
    try:
        execution = backend.start_execution(
            machine.arn, name=asked["runId"], execution_input=json.dumps(asked["input"])
        )
        wait(execution, ended, asked.get("cancelAfter"))
        events = execution.to_history_output()["events"]
        return {
            "status": execution.status,
            "output": execution.output,
            "error": execution.error,
            "cause": execution.cause,
            "events": [told(event) for event in events],
        }
    finally:
        patch_lambda.backends.pop(arn, None)
        endings.pop(arn, None)
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
                kept = ("error", "cause", "parameters", "resource", "timeoutInSeconds", "output")
                short["details"] = {k: v for k, v in details.items() if k in kept}
    elif "stateEnteredEventDetails" in event:
        short["details"] = {"name": event["stateEnteredEventDetails"]["name"]}
    return short


#: Events that are set when executions end, by ARN.
endings = {}

_logic = ExecutionWorker._execution_logic


def _tell_end(worker):
    try:
        _logic(worker)
    finally:
        ended = endings.get(worker._evaluation_details.execution_details.arn)
        if ended is not None:
            ended.set()


ExecutionWorker._execution_logic = _tell_end
