"""An outsider who asks a house for its checkpoint again and again, and keeps every one."""

from __future__ import annotations

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Self

from tests.processes import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

EVERY = 1.0  # seconds
TIMEOUT = 4.0  # seconds
AS_TEXT, AS_JSON = "text/plain", "application/json"


@dataclass
class Keeper:
    """
    :param kept: a file; gets a line of JSON for each checkpoint.
    :param token: of somebody who works at the house.
    :param every: seconds between two questions.
    """

    house: str
    token: str
    ports: Sequence[int]
    kept: Path
    every: float = EVERY
    statuses: dict[int, int] = field(default_factory=dict)
    """How often each was answered."""

    last: float = 0.0
    """When the last one was kept, by `time.monotonic`."""

    def __post_init__(self) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    def has_one_more(self, since: float) -> bool:
        """Whether the house gave one since then, in so much time as it may take; waits for it."""
        while self.last < since and time.monotonic() < since + PATIENCE:
            time.sleep(EVERY)
        return self.last >= since

    def _keep(self) -> None:
        turn = 0
        self._ended.wait(Random(self.house).uniform(0, self.every))  # noqa: S311 - not all at once
        with self.kept.open("w", encoding="utf-8") as kept:
            while not self._ended.wait(self.every):
                turn += 1
                note = self._asked(
                    self.ports[turn % len(self.ports)], (AS_TEXT, AS_JSON)[turn // 2 % 2]
                )
                if note is not None:
                    self.last = time.monotonic()
                    kept.write(json.dumps({"at": self.last, "note": note}) + "\n")
                    kept.flush()

    def _asked(self, port: int, accept: str) -> str | None:
        """A checkpoint, if the house gives one just now."""
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        headers = {"Authorization": f"Bearer {self.token}", "Accept": accept}
        try:
            web.request("GET", f"/api/v1/establishments/{self.house}/checkpoint/", headers=headers)
            answer = web.getresponse()
            text = answer.read().decode()
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            if answer.status != http.client.OK:
                return None
            return text if accept == AS_TEXT else str(json.loads(text)["note"])
        except (OSError, http.client.HTTPException, ValueError):
            return None  # it is under faults; what is half is not handed out
        finally:
            web.close()
