"""
A game that was opened wrongly, before any throw: it is closed, its stakes are handed back, and the
form is filled in as it was opened, for the one thing that was wrong (G9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid5

from django.http import QueryDict
from django.utils.translation import gettext as _

from casino.house.acts import acts
from casino.house.game_streams.loading import load
from casino.house.pseudonyms import tokens
from casino.play.devices import direct
from casino.play.settlement import settling
from casino.words.languages.amounts import as_typed
from casino.words.presenters import fees
from casino.words.presenters.opening import opening
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.house.game_streams.loading import GameKey, Loaded
    from casino.play.devices.entries import Device
    from casino.words.presenters.opening.fields import Opening

REASON = "opened wrongly"


class AlreadyPlayed(Refused):
    code = "already_played"


def close(key: GameKey, device: Device) -> None:
    """
    Close a game that nobody has thrown in, and hand every stake back.

    Done again after it was cut off, it goes on where it ended: its commands' ids come from the
    game's own.

    :raises Refused: if a throw stands, or the rules or the house refuse one of the commands.
    :raises NotRecording: if another device records the game.
    """
    loaded = load(key)
    if any(fact.is_throw for _number, fact in loaded.live):
        raise AlreadyPlayed(_("Somebody has thrown: void the throws first, or close the game. G4"))
    put(device, key, {"do": "close", "reason": REASON})
    settling.book(key)
    for player, stake in load(key).stakes.items():
        if stake:
            name = tokens.resolve(key.establishment, player)
            put(device, key, {"do": "cash_out", "player": name, "amount": stake})


def put(device: Device, key: GameKey, raw: dict[str, Any]) -> None:
    told = f"anew/{raw['do']}/{raw.get('player', '')}"
    answer = direct.put(device, {**raw, "command_id": str(uuid5(key.game, told))})
    if answer.refusal is not None:
        detail = tokens.resolve_text(key.establishment, answer.refusal.detail)
        raise acts.WasRefused(answer.refusal.code, detail)


def fill_form(loaded: Loaded) -> QueryDict:
    """The form that opens a game, as this one was opened."""
    form = opening(loaded.ruleset.id)
    data = tokens.resolve(loaded.key.establishment, dict(loaded.opening.data))
    posted = QueryDict(mutable=True)
    posted["game"] = form.game
    for option in form.options:
        value = data["options"].get(option.name, option.default)
        posted.update(option.posted(value))
    _seats(posted, form, data)
    if data.get("price"):
        posted["price"] = as_typed(data["price"])
    if (fee := data.get("fee")) is not None:
        posted["fee"] = fee["kind"]
        for name in fees.fields(fee["kind"]):
            amount = name.removeprefix("fee-")
            money = fees.AMOUNTS[amount].money
            posted[name] = as_typed(fee[amount]) if money else str(fee[amount] or "")
    return posted


def _seats(posted: QueryDict, form: Opening, data: dict[str, Any]) -> None:
    """The seats, the house's last as on the form, and who throws first."""
    seats = sorted(data["players"], key=lambda seat: bool(seat["house"]))
    posted.setlist("player", [seat["name"] for seat in seats])
    stakes = {seat["stake"] for seat in seats}
    if len(stakes) == 1:
        posted["stake"] = as_typed(stakes.pop())
    else:
        posted.setlist("seat-stake", [as_typed(seat["stake"]) for seat in seats])
    if form.house_seat and seats[-1]["house"]:
        posted["house_seat"] = "1"
    names = [seat["name"] for seat in seats]
    if form.first and data.get("first") in names and data["first"] != data["players"][0]["name"]:
        posted["first"] = str(names.index(data["first"]))
