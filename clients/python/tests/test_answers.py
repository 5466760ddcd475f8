"""Answers that no service gives: each is an error in one line, and never a result."""

import socket
import threading

import pytest

from alas_jssp import AlasError, Service


def http(body, status="200 OK", kind="application/json", length=None):
    size = len(body) if length is None else length
    head = "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (status, kind, size)
    return head.encode() + body


ANSWERS = {
    "nothing": b"",
    "garbage": b"\x00\xff hello\r\n\r\n",
    "half an answer": http(b'{"valid":true', length=100),
    "a page": http(b"<html>welcome</html>", kind="text/html"),
    "an empty page": http(b""),
    "a redirect": http(b"", "302 Found\r\nLocation: http://example.invalid/"),
    "a redirect with JSON": http(b'{"valid":true}', "307 Temporary Redirect\r\nLocation: /v2"),
    "no number": http(b'{"valid":NaN}'),
    "deep JSON": http(b"[" * 100_000),
    "other bytes": http(b'{"valid":"\xe9"}'),
    "a gateway's error": http(b"<html>\n<b>bad gateway</b>\n</html>", "502 Bad Gateway", "text/html"),
    "an odd problem": http(b'{"code":5,"detail":[1],"hint":{}}', "400 Bad Request"),
    "too many headers": b"HTTP/1.1 200 OK\r\n" + b"X: 1\r\n" * 500 + b"\r\n{}",
}


@pytest.fixture
def answering():
    """Makes addresses at which each request is answered with the same bytes."""
    listeners = []

    def start(answer):
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    try:
                        connection.sendall(answer)
                    except OSError:
                        pass

        threading.Thread(target=serve, daemon=True).start()
        return "http://127.0.0.1:%d" % listener.getsockname()[1]

    yield start
    for listener in listeners:
        listener.close()


CALLS = {
    "request": lambda service: service.validate("ft06", {"entries": []}),
    "stream": lambda service: service.compute("/repair", {}, timeout=20),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer_of_something_else_is_an_error_in_one_line(answering, answer, call):
    with pytest.raises((AlasError, ConnectionError)) as caught:
        call(Service(answering(answer), timeout=20))
    message = str(caught.value)
    assert message != "" and "\n" not in message and message.replace("\ufffd", "").isprintable()


def test_an_event_that_is_no_json_is_an_error(answering):
    events = http(b"event: result\ndata: {oops\n\n", kind="text/event-stream")
    with pytest.raises(AlasError) as caught:
        Service(answering(events)).compute("/repair", {}, timeout=20)
    assert caught.value.code == "bad_answer"


def test_a_name_with_several_lines_makes_an_error_in_one():
    assert str(AlasError("no_file", "there is no file a\nb\u2028c\x1b[31m")) == (
        "there is no file a b c?[31m (no_file)"
    )
