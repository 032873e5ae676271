"""The settings pages as people use them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.test import Client

from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tests.support.builders import House


def browser(at: House, role: Role = Role.MANAGER) -> Client:
    client = Client()
    client.force_login(at.people[role])
    return client


def page(at: House, path: str, role: Role = Role.MANAGER) -> HttpResponse:
    answer: Any = browser(at, role).get(f"/settings/{path}")
    return answer  # type: ignore[no-any-return]


def send(at: House, path: str, sent: dict[str, Any], role: Role = Role.MANAGER) -> Any:
    return browser(at, role).post(f"/settings/{path}", {"command_id": str(uuid.uuid4()), **sent})


def house_form(at: House, **changed: Any) -> dict[str, Any]:
    stored = Establishment.objects.get(pk=at.id)
    flags = (
        "tips_allowed",
        "counts_floats",
        "publishes_rules",
        "two_configure",
        "wall",
        "second_look",
    )
    form = {
        "name": stored.name,
        "currency_code": stored.currency_code,
        "currency": stored.currency,
        "currency_symbol": stored.currency_symbol,
        "coin_digits": stored.coin_digits,
        "time_zone": stored.time_zone,
        "language": stored.language,
        "locale": stored.locale,
        "day_cutoff": stored.day_cutoff.strftime("%H:%M"),
        "closing_grace": stored.closing_grace,
        "large_prize": stored.large_prize,
        "cash_threshold": stored.cash_threshold,
        "idle_after": stored.idle_after,
        "waiting_minutes": stored.waiting_minutes,
        "wall_seconds": stored.wall_seconds,
        "alarms_one_in": stored.alarms_one_in,
        "undo_seconds": stored.undo_seconds,
        "counted": "\n".join(str(each["value"]) for each in stored.denominations),
        **{name: "on" for name in flags if getattr(stored, name)},
        **changed,
    }
    return {name: value for name, value in form.items() if value is not None}
