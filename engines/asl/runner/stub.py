"""The stub that answers calls, over HTTP."""

import http.client
import json
import urllib.parse

base = None


def send(call):
    """The answer of the stub to a call; the error `Crash` if the connection is cut before it."""
    connection = http.client.HTTPConnection(base.hostname, base.port)
    try:
        body = json.dumps(call).encode()
        connection.request("POST", f"{base.path}/call", body, {"content-type": "application/json"})
        response = connection.getresponse()
        text = response.read()
    except (OSError, http.client.HTTPException) as error:
        return {"error": {"code": "Crash", "message": f"{type(error).__name__}: the connection was cut"}}
    finally:
        connection.close()
    if response.status != 200:
        return {"error": {"code": "StubFault", "message": f"{response.status} {text[:200]!r}"}}
    return json.loads(text)


def at(url):
    global base
    base = urllib.parse.urlsplit(url.rstrip("/"))
