"""Requests to costcurve over HTTP, with the standard library alone: keys, problems as exceptions, retries, pages.

What the operations are stands in client.py, which generate.py makes.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any

RETRIED = (429, 503)  # the request was not begun


class Problem(Exception):
    """An answer of status 400 or more, a problem of RFC 9457. `errors` has every issue: pointer, code, message."""

    def __init__(self, status: int, answer: Mapping[str, Any], retry_after_s: float | None) -> None:
        self.status = status
        self.type: str = answer.get("type", "about:blank")
        self.title: str = answer.get("title", "")
        self.detail: str = answer.get("detail", "")
        self.instance: str = answer.get("instance", "")
        self.errors: list[dict[str, str]] = list(answer.get("errors", []))
        self.retry_after_s = retry_after_s
        lines = [f"{status} {self.title}: {self.detail}"]
        lines += [f"{error['pointer'] or '/'}: {error['message']}" for error in self.errors]
        super().__init__("\n  ".join(lines))


class Transport:
    """Sends requests to the service at `url`; with a `key`, as its bearer. After a 429 or a 503 it waits as long as
    Retry-After says, at most `max_wait_s`, and sends the request again, at most `retries` times; `sleep` takes seconds."""

    def __init__(self, url: str, key: str | None = None, *, timeout_s: float = 60.0, retries: int = 3, max_wait_s: float = 60.0,
                 sleep: Callable[[float], None] = time.sleep) -> None:
        self.url = url.rstrip("/")
        self._key = key
        self._timeout_s = timeout_s
        self._retries = retries
        self._max_wait_s = max_wait_s
        self._sleep = sleep
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def send(self, method: str, path: str, *, query: Mapping[str, Any] | None = None,
             headers: Mapping[str, str | None] | None = None, body: bytes | None = None, content_type: str = "application/json",
             accept: str = "application/json") -> bytes:
        """The body of the answer. Raises Problem, and urllib.error.URLError where there is no answer."""
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        target = self.url + path + ("?" + urllib.parse.urlencode(given) if given else "")
        fields = {name: value for name, value in (headers or {}).items() if value is not None}
        fields["Accept"] = accept
        if self._key is not None:
            fields["Authorization"] = f"Bearer {self._key}"
        if body is not None:
            fields["Content-Type"] = content_type
        for attempt in range(self._retries + 1):
            request = urllib.request.Request(target, data=body, headers=fields, method=method)
            try:
                with self._opener.open(request, timeout=self._timeout_s) as answer:
                    return bytes(answer.read())
            except urllib.error.HTTPError as error:
                problem = _problem(error)
                if problem.status not in RETRIED or problem.retry_after_s is None or attempt == self._retries:
                    raise problem from None
                self._sleep(min(problem.retry_after_s, self._max_wait_s))
        raise AssertionError("not reached")

    def send_json(self, method: str, path: str, *, body: Any = None, **more: Any) -> Any:
        """The answer of a JSON body as Python values; None where it has no body."""
        data = None if body is None else json.dumps(body).encode()
        text = self.send(method, path, body=data, **more)
        return json.loads(text) if text else None

    def pages(self, fetch: Callable[[str | None], Mapping[str, Any]]) -> Iterator[Any]:
        """The items of all pages, each fetched when it is reached; `fetch` takes the cursor."""
        cursor: str | None = None
        while True:
            page = fetch(cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return


def quoted(argument: str | int) -> str:
    """A path's argument, percent-encoded."""
    return urllib.parse.quote(str(argument), safe="")


def lines(text: bytes) -> list[Any]:
    """The values of newline-delimited JSON."""
    return [json.loads(line) for line in text.splitlines()]


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _problem(error: urllib.error.HTTPError) -> Problem:
    with error:
        text = error.read()
    try:
        answer = json.loads(text)
    except ValueError:  # of a proxy in between
        answer = {"title": error.reason, "detail": text[:200].decode("utf-8", "replace")}
    after = error.headers.get("Retry-After", "")
    return Problem(error.code, answer, float(after) if after.isdigit() else None)
