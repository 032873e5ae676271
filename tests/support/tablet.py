"""A tablet of the floor, as its queue speaks: numbers its entries, remembers its term."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.test import Client
from django.urls import reverse

if TYPE_CHECKING:
    from uuid import UUID

    from casino.house.attendants.models import Attendant

AT = "2026-11-22T20:14:03+00:00"


def form(do: str, /, *, command_id: str = "", **fields: Any) -> str:
    """A form's fields as a browser sends them."""
    named = {"command_id": command_id or str(uuid.uuid4()), "do": do, **fields}
    return urlencode(named, doseq=True)


def throw(player: str, *dice: int, command_id: str = "") -> str:
    return form("throw", player=player, dice=dice, command_id=command_id)


@dataclass
class Tablet:
    """One device in somebody's hands, at one game."""

    person: Attendant
    game: UUID
    name: str = field(default_factory=lambda: f"floor-{uuid.uuid4().hex[:12]}")
    term: int | None = None
    seq: int = 0

    def __post_init__(self) -> None:
        self.client = Client()
        self.client.force_login(self.person)
        self.client.cookies["device"] = self.name

    def entry(self, written: str, **more: Any) -> dict[str, Any]:
        """The next entry, not sent yet."""
        self.seq += 1
        fields = {"seq": self.seq, "term": self.term, "at": AT, "as": "command", "form": written}
        return fields | more

    def post(self, *entries: dict[str, Any], by: object = None, **more: Any) -> Any:
        """The response to a request as it is."""
        return self.client.post(
            reverse("floor-entries", args=[self.game]),
            {"by": str(by or self.person.pk), "entries": list(entries), **more},
            content_type="application/json",
        )

    def sent(self, *entries: dict[str, Any]) -> dict[str, Any]:
        """What the house says to entries; the tablet keeps the term where the lease is its own."""
        answer = self.post(*entries)
        assert answer.status_code == 200, answer.content
        data: dict[str, Any] = answer.json()
        if data["lease"]["mine"]:
            self.term = data["lease"]["term"]
        return data

    def became(self, *entries: dict[str, Any]) -> list[str]:
        return [each["became"] for each in self.sent(*entries)["answers"]]

    def put(self, written: str, **more: Any) -> str:
        """What became of the next entry."""
        [became] = self.became(self.entry(written, **more))
        return became

    def take_over(self) -> Any:
        answer = self.client.post(
            reverse("floor-lease", args=[self.game]), headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200, answer.content
        return answer

    def board(self) -> Any:
        return self.client.get(reverse("floor-board", args=[self.game]))
