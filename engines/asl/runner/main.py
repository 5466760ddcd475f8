"""Executes machines that come as lines of JSON on standard input, and tells their ends on standard output."""

import hashlib
import json
import logging
import os
import sys
import threading

import pinned

answers, sys.stdout = sys.stdout, sys.stderr
writing = threading.Lock()


def tell(value):
    line = json.dumps(value, default=str)
    with writing:
        answers.write(line + "\n")
        answers.flush()


def serve(execute):
    for line in sys.stdin:
        threading.Thread(target=answer, args=(execute, json.loads(line)), daemon=True).start()


def answer(execute, asked):
    try:
        tell({"id": asked["id"], **execute(asked)})
    except Exception as error:
        message = getattr(error, "message", None) or str(error)
        tell({"id": asked["id"], "refused": f"{type(error).__name__}: {message}"[:500]})


def hashes():
    here = os.path.dirname(os.path.abspath(__file__))
    for name in sorted(os.listdir(here)):
        if name.endswith(".py"):
            with open(os.path.join(here, name), "rb") as file:
                yield {"file": f"engines/asl/runner/{name}", "sha256": hashlib.sha256(file.read()).hexdigest()}


def main():
    logging.disable(logging.CRITICAL)
    pinned.require_versions()
    sys.setrecursionlimit(20_000)
    threading.stack_size(16 * 1024 * 1024)
    import patch_jsonata
    import patch_lambda
    import stub

    patch_jsonata.apply()
    patch_lambda.apply()
    stub.at(sys.argv[1])
    from executions import execute

    name = f"moto with jsonata-python {pinned.VERSIONS['jsonata-python']}"
    tell({"info": {"name": name, "version": pinned.VERSIONS["moto"], "patches": list(hashes())}})
    serve(execute)


main()
