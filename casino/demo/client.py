"""A client of the API, as any other program would use it: HTTP, a token, JSON."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any

TIMEOUT = 30  # seconds, however busy the machine is
REFUSED = 422  # HTTP status: the rules do not allow the command


def new_id() -> str:
    """A new id of a command."""
    return str(uuid.uuid4())


class Unanswered(Exception):  # noqa: N818 - names the fact
    """The house did not answer, or not as expected."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: Any

    @property
    def refused(self) -> bool:
        return self.status == REFUSED


class Client:
    """A client for one person; ``address`` is the house's, for example http://127.0.0.1:8000/."""

    def __init__(self, address: str, username: str, password: str) -> None:
        if not address.startswith(("http://", "https://")):
            raise Unanswered(f"{address} is no web address.")
        self._api = f"{address.rstrip('/')}/api/v1/"
        self._token = ""
        reply = self.post("tokens/", {"username": username, "password": password})
        self._token = reply.body["token"]

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None).body

    def post(self, path: str, body: Any) -> Reply:
        return self._ask("POST", path, body)

    def _ask(self, method: str, path: str, body: Any) -> Reply:
        request = urllib.request.Request(  # noqa: S310 - checked above: http or https
            path if path.startswith("http") else self._api + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Home-Throw-Device": "demo"}
            | ({"Authorization": f"Token {self._token}"} if self._token else {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 - as above
                return Reply(answer.status, json.loads(answer.read() or b"null"))
        except urllib.error.HTTPError as problem:
            content = problem.read()
            if problem.code == REFUSED:
                return Reply(problem.code, json.loads(content))
            raise Unanswered(f"{method} {path}: {problem.code} {content[:200]!r}") from None
        except (OSError, ValueError) as failure:
            raise Unanswered(f"{method} {path}: {failure}") from None
