"""
Commands over HTTP by somebody who does not give up: asked again until the house has answered.

What was asked and answered is written down line by line, to be compared with the ledger later.
"""

from __future__ import annotations

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

TIMEOUT = 4.0  # seconds for an answer; then it is asked again, while the first may still be at work
PATIENCE = 150.0  # seconds until somebody gives up: no fault lasts so long
REMEMBERED = 300  # answers that somebody compares with later ones
AGAIN_FOR = 15.0  # seconds
PAUSE = 0.1  # seconds between two tries, on average
ANSWERED = frozenset({200, 201, 422})
REUSED = "command_reused"
CONFLICT, FAULT_OF_THE_HOUSE = 409, 500


class Silence(Exception):  # noqa: N818 - names the fact
    """No answer, or a half one."""


class Unheard(Exception):  # noqa: N818 - names the fact
    """Nobody has answered for as long as anybody waits."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: Any
    port: int = field(default=0, compare=False)
    """Of the server that gave it."""

    @property
    def is_answer(self) -> bool:
        return self.status in ANSWERED

    @property
    def is_passing(self) -> bool:
        """To be asked again: a fault of the house, or a game that moved meanwhile."""
        moved = self.status == CONFLICT and self.body.get("code") != REUSED
        return moved or self.status >= FAULT_OF_THE_HOUSE


@dataclass
class Caller:
    """
    :param ports: of the house's web servers, any of which will do.
    :param written: gets a line of JSON for each command.
    """

    ports: Sequence[int]
    device: str
    chance: Random
    written: IO[str]
    repeats: float = 1 / 6
    """Of commands that are sent once more after their answer; of others as many at once twice."""
    sent: list[tuple[str, str, Any, Reply]] = field(default_factory=list)
    """Some of what was asked and answered: token, path, body, reply."""
    passing: list[int | str] = field(default_factory=list)
    """What the command at hand met until it was answered: statuses, or errors of its connection."""

    def ask(  # noqa: PLR0913 - a request has these
        self,
        token: str,
        method: str,
        path: str,
        body: Any = None,
        *,
        port: int = 0,
        device: str = "",
    ) -> Reply:
        """
        :param port: of the server; without one, any.
        :param device: that it is sent from; without one, their own.
        :raises Silence: if there is no whole answer in time.
        """
        port = port or self.chance.choice(self.ports)
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        headers = {"Authorization": f"Bearer {token}", "Home-Throw-Device": device or self.device}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            web.request(
                method, f"/api/v1/{path}", None if body is None else json.dumps(body), headers
            )
            answer = web.getresponse()
            said = answer.read()
            return Reply(answer.status, json.loads(said) if said[:1] == b"{" else {}, port)
        except (OSError, http.client.HTTPException, ValueError) as failure:
            raise Silence(f"{type(failure).__name__}: {failure}") from failure
        finally:
            web.close()

    def put(self, token: str, path: str, body: Any) -> Reply:
        """
        A command, or a list of them, until it is answered; perhaps once more then, or later.

        :raises Unheard: after so long a time that the house must be broken.
        """
        asked, replies, tries = time.monotonic(), list[Reply](), 0
        tablets = 2 if self.chance.random() < self.repeats else 1
        if tablets == 2:
            replies, tries = self._at_once(token, path, body), 1
        while not replies:
            if time.monotonic() > asked + PATIENCE:
                self._note(path=path, body=body, asked=asked, tries=tries, failure="unheard")
                raise Unheard(path)
            reply, tries = self._tried(token, path, body), tries + 1
            if reply is not None:
                replies.append(reply)
            else:
                time.sleep(self.chance.uniform(0, 2 * PAUSE))
        answered, first = time.monotonic(), replies[0]
        if self.chance.random() < self.repeats and (again := self._tried(token, path, body)):
            replies.append(again)
        self._note(
            path=path, body=body, asked=asked, answered=answered, tries=tries, port=first.port,
            status=first.status, answer=first.body, repeats=len(replies) - 1, tablets=tablets,
            others=[[each.status, each.body] for each in replies[1:] if each != first],
        )  # fmt: skip
        self._remember((token, path, body, first))
        return first

    def repeats_something(self) -> None:
        """A command of some time ago comes in once more; or its id comes with another request."""
        if self.sent:
            sent = self.chance.choice(self.sent)
            reused = self.chance.random() < 1 / 4 and "do" in sent[2] and sent[3].status == 200
            self._again(*sent, reused=reused)

    def asks_all_again(self, seconds: float) -> None:
        """Whatever is remembered gets the answer that it got, as far as the time allows."""
        end = time.monotonic() + seconds
        for each in self.sent:
            if time.monotonic() < end:
                self._again(*each, reused=False)

    def _again(self, token: str, path: str, body: Any, first: Reply, *, reused: bool) -> None:
        fields = {**body, "occurred_at": "2026-01-01T00:00:00Z"} if reused else body
        reply = self._tried(token, path, fields)
        if reply is None:
            return
        wrong = reply.body.get("code") != REUSED if reused else reply != first
        self._note(
            path=path, body=body, status=first.status, answer=first.body, repeats=1, reused=reused,
            others=[[reply.status, reply.body]] if wrong else [],
        )  # fmt: skip

    def _remember(self, sent: tuple[str, str, Any, Reply]) -> None:
        if len(self.sent) < REMEMBERED:
            self.sent.append(sent)
        elif self.chance.random() < 1 / 4:
            self.sent[self.chance.randrange(REMEMBERED)] = sent

    def _at_once(self, token: str, path: str, body: Any) -> list[Reply]:
        """The same from two tablets at the same moment, to two servers where there are two."""
        with ThreadPoolExecutor(2) as pool:
            both = [
                pool.submit(
                    self._tried, token, path, body, self.ports[each % len(self.ports)], device
                )
                for each, device in enumerate((self.device, f"{self.device}-too"))
            ]
        return [reply for each in both if (reply := each.result()) is not None]

    def _tried(
        self, token: str, path: str, body: Any, port: int = 0, device: str = ""
    ) -> Reply | None:
        try:
            reply = self.ask(token, "POST", path, body, port=port, device=device)
        except Silence as silence:
            self.passing.append(str(silence).partition(":")[0])
            return None
        if reply.is_passing:
            self.passing.append(reply.status)
        return None if reply.is_passing else reply

    def _note(self, **fields: Any) -> None:
        self.written.write(json.dumps({**fields, "passing": self.passing}) + "\n")
        self.passing = []
        self.written.flush()
