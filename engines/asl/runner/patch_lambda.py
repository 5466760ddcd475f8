"""Sends every invocation of a function to the stub, and plays its answer back into the interpreter."""

import json
import threading

import stub
from pinned import require_original

TASKS = "moto.stepfunctions.parser.asl.component.state.exec.state_task"

calls = require_original(
    f"{TASKS}.lambda_eval_utils",
    "3b0e86edfb1661db98766301d3ed6e38d873024059139a8a174a4b6d89b4ad61",
)
service = require_original(
    f"{TASKS}.service.state_task_service_lambda",
    "cf8b77e6838ef8c3f442f61e239ab6b28cc3e15ff3607c3149f87e0e35645b4a",
)

#: Executions by ARN, to which answers to task tokens are sent.
backends = {}


def invoke(env, parameters, region, state_credentials):
    call = json.loads(parameters.get("Payload") or b"{}")
    context = env.states.context_object.context_object_data
    token = context.get("Task", {}).get("Token")
    if token is not None and call.get("token") == token:
        threading.Thread(
            target=answer_token, args=(backends[context["Execution"]["Id"]], call), daemon=True
        ).start()
        answer = {"output": None}
    else:
        answer = stub.send(call)
    error = answer.get("error")
    if error is not None:
        payload = {"errorType": error["code"], "errorMessage": error.get("message", "")}
        raise calls.LambdaFunctionErrorException("Unhandled", json.dumps(payload, separators=(",", ":")))
    env.stack.append(
        {"ExecutedVersion": "$LATEST", "Payload": answer.get("output"), "StatusCode": 200}
    )


def answer_token(backend, call):
    """Asks the stub, and reports to the task that waits for its token: later than the task was submitted."""
    token = call["token"]
    answer = stub.send(call)
    try:
        error = answer.get("error")
        if error is not None:
            backend.send_task_failure(token, error["code"], error.get("message", ""))
        else:
            backend.send_task_success(token, json.dumps(answer.get("output")))
    except Exception:
        # The task did not wait so long, or its execution is over.
        return


def apply():
    calls.execute_lambda_function_integration = invoke
    if service.lambda_eval_utils.execute_lambda_function_integration is not invoke:
        raise SystemExit("invocations of functions do not go to the stub")
