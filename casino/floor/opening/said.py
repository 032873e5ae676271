"""The ``open`` command that a filled form says."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from casino.floor.opening import opening
from casino.floor.opening.fields import AMOUNT, FEE_FIELDS, FEES
from casino.floor.posted import number

if TYPE_CHECKING:
    from django.http import QueryDict

    from casino.floor.opening.fields import Opening, Option, Value

POLICIES = {"house": "fixed", "attendant": "attendant"}
FIGURES_MAX = 20  # of a home throw, however it was written; the rules say how many it has


def command(posted: QueryDict) -> dict[str, Any]:
    """An ``open`` command; what a game does not ask for is not in it."""
    form = opening(posted.get("game", ""))
    seated = seats(posted)
    own_homes = form.homes and posted.get("home_throw") == "players"
    paid = for_money(form, posted)
    raw: dict[str, Any] = {
        "command_id": posted.get("command_id", ""),
        "game": posted.get("game", form.game),
        "players": _players(form, posted, seated, own_homes=own_homes, paid=paid),
        "options": options(form, posted) | ({"homes": "players"} if own_homes else {}),
    }
    if form.homes and (policy := POLICIES.get(posted.get("home_throw", ""))):
        raw["home_throw_policy"] = policy
    if paid:
        raw |= _money(form, posted)
    if form.first and (first := _first(posted, seated)):
        raw["first"] = first
    return raw


def seats(posted: QueryDict) -> list[dict[str, str]]:
    """The seats as they were filled in, empty ones too: name, own stake and own home throw."""
    names, stakes, homes = (
        [written.strip() for written in posted.getlist(field)]
        for field in ("player", "seat-stake", "home")
    )
    columns = zip_longest(names, stakes[: len(names)], homes[: len(names)], fillvalue="")
    return [{"name": name, "stake": stake, "home": home} for name, stake, home in columns]


def _players(
    form: Opening,
    posted: QueryDict,
    seated: list[dict[str, str]],
    *,
    own_homes: bool,
    paid: bool,
) -> list[dict[str, Any]]:
    players = []
    for seat in seated:
        if seat["name"]:
            player: dict[str, Any] = {"name": seat["name"]}
            if form.each and paid and seat["stake"]:
                player["stake"] = number(seat["stake"])
            if own_homes and seat["home"]:
                player["home_throw"] = faces(seat["home"])
            players.append(player)
    if form.house_seat and posted.get("house_seat") and players:
        players[-1]["house"] = True
    return players


def faces(written: str) -> list[int]:
    """The faces of a home throw as people write them: 1-3-6, 1 3 6, 136."""
    apart = re.findall(r"\d+", written, re.ASCII)[:FIGURES_MAX]
    return [int(face[:FIGURES_MAX]) for face in (apart[0] if len(apart) == 1 else apart)]


def given(option: Option, posted: QueryDict) -> tuple[str, str]:
    """What was chosen of an option, and the number beside it."""
    name = f"option-{option.name}"
    amount = posted.get(f"{name}-amount", "").strip()
    if not option.choices:
        return AMOUNT, amount if f"{name}-amount" in posted else option.default_written
    return posted.get(name, option.default_written), amount


def options(form: Opening, posted: QueryDict) -> dict[str, Value]:
    """How the game is played, and what differs from the defaults beside it."""
    chosen = {option.name: _value(option, posted) for option in form.options}
    return {
        option.name: chosen[option.name]
        for option in form.options
        if option.main or chosen[option.name] != option.default
    }


def _value(option: Option, posted: QueryDict) -> Value:
    written, amount = given(option, posted)
    if option.numbers is not None and written == AMOUNT:
        return number(amount or "0")
    return next((each.value for each in option.choices if each.written == written), written)


def for_money(form: Opening, posted: QueryDict) -> bool:
    """Whether money is played with what was chosen."""
    chosen = {option.name: given(option, posted)[0] for option in form.options}
    return all(
        choice.paid
        for option in form.options
        for choice in option.choices
        if choice.written == chosen[option.name]
    )


def _money(form: Opening, posted: QueryDict) -> dict[str, Any]:
    """What is staked, what the dice cost, and what the house takes (G6)."""
    written = {name: posted.get(name, "").strip() for name in ("stake", "price", *FEE_FIELDS)}
    raw: dict[str, Any] = {"stake": number(written["stake"])} if written["stake"] else {}
    if form.price is not None and written["price"]:
        raw["price"] = number(written["price"])
    kind = posted.get("fee", "")
    if kind in form.fees:
        raw["fee"] = {"kind": kind} | {
            name.removeprefix("fee-"): number(written[name]) for name in FEES[kind] if written[name]
        }
    return raw


def _first(posted: QueryDict, seated: list[dict[str, str]]) -> str | None:
    chosen = number(posted.get("first", ""))
    if isinstance(chosen, int) and chosen < len(seated):
        return seated[chosen]["name"]
    return None
