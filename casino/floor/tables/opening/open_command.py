"""The ``open`` command of a filled form."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from casino.words.languages.amounts import read
from casino.words.presenters.opening import opening, reading
from casino.words.presenters.opening.reading import number

if TYPE_CHECKING:
    from django.http import QueryDict

    from casino.house.establishments.models import HouseRules
    from casino.words.presenters.opening.fields import Opening

POLICIES = {"house": "fixed", "attendant": "attendant"}
FIGURES_MAX = 20  # of a home throw as written; the rules check how many it needs


def command(posted: QueryDict, rules: HouseRules | None = None) -> dict[str, Any]:
    """
    An ``open`` command, with only the fields that the game asks for.

    :param rules: the house's rules for the game: the options that they set are sent only if the
        form has another value, and they alone set the fee.
    """
    form = opening(posted.get("game", ""))
    standing = rules.options if rules else {}
    seated = seats(posted)
    own_homes = form.homes and posted.get("home_throw") == "players"
    paid = reading.for_money(form, posted)
    raw: dict[str, Any] = {
        "command_id": posted.get("command_id", ""),
        "game": posted.get("game", form.game),
        "players": _players(form, posted, seated, own_homes=own_homes, paid=paid),
        "options": reading.options(form, posted, standing)
        | ({"homes": "players"} if own_homes else {}),
    }
    policies = POLICIES if rules is None else {**POLICIES, "none": "none"}
    if form.homes and (policy := policies.get(posted.get("home_throw", ""))):
        raw["home_throw_policy"] = policy
    if paid:
        raw |= _money(form, posted)
        if rules is None and (fee := reading.fee(form, posted)) is not None:
            raw["fee"] = fee
    if form.first and (first := _first(posted, seated)):
        raw["first"] = first
    return raw


def seats(posted: QueryDict) -> list[dict[str, str]]:
    """The seats as they were filled in, empty ones included: name, own stake and own home throw."""
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
                player["stake"] = read(seat["stake"])
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


def _money(form: Opening, posted: QueryDict) -> dict[str, Any]:
    """The stakes, and the price of the dice."""
    written = {name: posted.get(name, "").strip() for name in ("stake", "price")}
    raw: dict[str, Any] = {"stake": read(written["stake"])} if written["stake"] else {}
    if form.price is not None and written["price"]:
        raw["price"] = read(written["price"])
    return raw


def _first(posted: QueryDict, seated: list[dict[str, str]]) -> str | None:
    chosen = number(posted.get("first", ""))
    if isinstance(chosen, int) and chosen < len(seated):
        return seated[chosen]["name"]
    return None
