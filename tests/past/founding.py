"""The API of the house that is being written, without a server: as `casino.demo.client` has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rest_framework.test import APIClient

from casino.demo.client import REFUSED, Client, Reply, Unanswered

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant


class InProcess(Client):
    """A client for one person who works at a house in this process."""

    def __init__(self, person: Attendant) -> None:
        self._client = APIClient(SERVER_NAME="localhost")
        self._client.force_authenticate(person)

    def _ask(self, method: str, path: str, body: Any) -> Reply:
        answer = self._client.generic(
            method, f"/api/v1/{path}", data=_json(body), content_type="application/json"
        )
        if answer.status_code >= 400 and answer.status_code != REFUSED:
            raise Unanswered(f"{method} {path}: {answer.status_code} {answer.content[:300]!r}")
        return Reply(answer.status_code, answer.json())


def _json(body: Any) -> str:
    return "" if body is None else json.dumps(body)
