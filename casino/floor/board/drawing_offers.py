"""What may be done next at a table: turns the offers of the rules into a board's buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.floor.board.drawing_undo import describe_undo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.floor.board.drawing_given import Given, Undo
    from casino.floor.board.game import Game

SUPERVISED: Final = frozenset({"approve", "reject", "resolve"})
# Commands that the board's entry asks for when it is their turn. All others have buttons, which are
# the same in every game.
ENTERED: Final = frozenset(
    {"throw", "throw_home", "keep", "break_start", "start_round", "seal", "offer", "bid", "pass",
     "sell", "withdraw", "reveal"}
)  # fmt: skip
# Commands whose buttons stand elsewhere, at the entry or in the log.
BUTTONS: Final = frozenset({"stand", "void", "no_throw", "go_back"})
ROOM_MAX: Final = 10**9  # a higher limit comes from the range of numbers, not from the table

Row = dict[str, Any]


def offers(game: Game, given: Given) -> list[Row]:
    """What the rules offer next, as far as this person may do it on this device."""
    rows = game.ruleset.offers(
        game.state,
        booked_through=given["through"],
        irreversible_through=given["irreversible"],
        in_time=undo_of(given)["open"],
    )
    return [
        button for row in rows if _for_whom(row, given) for button in _buttons_of(game, row, given)
    ]


def undo_of(given: Given) -> Undo:
    """How long the last throw may be undone alone; never, if the house that gave it did not say."""
    return given.get("undo") or {"seconds": 0, "open": False, "left": 0, "at": None}


def _for_whom(row: Row, given: Given) -> bool:
    """Whether this person may do this on this device; another device may be recording (E5)."""
    do = row["do"]
    if given["only"] is not None and do not in given["only"]:
        return False
    if do == "reject" and row["asked_by"] == given["person"]:  # one's own request is taken back
        return given["may"]["record"]
    return given["may"]["approve"] if do in SUPERVISED else given["may"]["record"]


def split(offered: Sequence[Row], *, closed: bool) -> Row:
    """
    The offers by command: ``can.leave`` has a row for each player who may leave.

    ``pays_out`` has the cash-outs of a game that is over; until then they are in ``can`` like other
    commands. ``more``: whether anything is behind "More".
    """
    apart = SUPERVISED | ({"cash_out"} if closed else set())
    can: dict[str, list[Row]] = {}
    for offer in offered:
        if offer["do"] not in apart:
            can.setdefault(offer["do"], []).append(offer)
    return {
        "can": can,
        "more": bool(set(can) - ENTERED - BUTTONS - {"resume"}),
        "acts": bool(set(can) - ENTERED - {"resume", "go_back"}),
        "pays_out": [offer for offer in offered if closed and offer["do"] == "cash_out"],
    }


def back(game: Game, offered: Sequence[Row], out: Sequence[str]) -> list[Row]:
    """The players who are out and may buy in again, each with the amount of their last buy-in."""
    offers_of = [each for each in offered if each["do"] == "buy_in" and each["player"] in out]
    if not offers_of:
        return []
    buy_ins = {each.player: each.amount for _, fact in game.live for each in fact.buy_ins}
    return [{**offer, "amount": buy_ins.get(offer["player"])} for offer in offers_of]


def _buttons_of(game: Game, offer: Row, given: Given) -> list[Row]:
    """The buttons for one offer of the rules."""
    named = {"name": offer["player"]} if "player" in offer else {}
    match offer["do"]:
        case "void":
            return [{"do": "go_back", "from": offer["from"]}, *_undo(game, offer, given)]
        case "cash_out":
            return [{**offer, **named, "amount": offer["most"]}]
        case "close" | "leave":
            sentence = game.presenter.closing if offer["do"] == "close" else game.presenter.leaving
            return [{**offer, **named, "sentence": sentence(game.state.inner)}]
        case "join" | "buy_in" if offer.get("most", 0) > ROOM_MAX:
            return [{**offer, **named, "most": None}]
        case "approve" | "reject":
            # What goes back is said beside the button: only that much is approved.
            seen = {"through": len(game.facts)} if offer["do"] == "approve" else {}
            return [{**offer, "fields": {"request": offer["request"], **seen}}]
        case _:
            return [{**offer, **named}]


def _undo(game: Game, offer: Row, given: Given) -> list[Row]:
    """
    The button that voids the last throw, and what that takes back. The attendant may do so alone
    while the round runs, and for the house's seconds whatever came of it (`runs_out`); after that
    the button asks a supervisor (G4).
    """
    if offer["alone"]:
        back_to = offer["alone"][0]
        what = describe_undo(game, back_to, given["people"])
        return [
            {"do": "void", "back_to": back_to, "what": what, "runs_out": _runs_out(offer, given)}
        ]
    last, was_throw = last_entered(game)
    if last < offer["from"] or last in offer["requested"]:
        return []
    throw = _("Ask a supervisor to void the last throw. G4")
    return [
        {
            "do": "ask_void",
            "sentence": throw if was_throw else _("Ask a supervisor to void the last entry. G4"),
            "event": last,
        }
    ]


def _runs_out(offer: Row, given: Given) -> Row | None:
    """
    When an undo that is possible for some seconds only ends; None where no time ends it.

    ``sent``: the house has what is undone; so the undo has to reach it in time, too.
    """
    if offer["undo"] is None:
        return None
    undo, ahead = undo_of(given), given["ahead"]
    return {
        "seconds": undo["seconds"],
        "left": undo["left"],
        "at": undo["at"],
        "sent": ahead is None or offer["undo"] <= ahead["from"],
    }


def last_entered(game: Game) -> tuple[int, bool]:
    """The number of the last entry that is not voided (0: none), and whether it is a throw."""
    for number, fact in reversed(game.live):
        if game.presenter.entered(fact):
            return number, fact.is_throw
    return 0, False
