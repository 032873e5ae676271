"""
Draws the board of a game, as data, from the game and from what only the house knows (`Given`).

Pure: the server uses this module, and so does, compiled for its browser, a device that continues
alone; both draw the same board (docs/decisions/0041). Tokens stand for players until the last step.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.floor.tables.board import drawing_data
from casino.floor.tables.board.drawing_data import Game
from casino.words.languages.amounts import money
from casino.words.presenters import rounds
from casino.words.presenters.presenter import account
from games.game_session import backwards
from games.messages import house_seats, live
from games.payments import RESERVED
from games.reporting import exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from casino.floor.tables.board.drawing_data import Given, OtherLine, Undo
    from casino.words.presenters.presenter import Course, Presenter
    from games.game import Ruleset
    from games.messages import Fact
    from games.payments import Payment

LOG_MAX: Final = 60  # log lines on the board; a page of its own lists all of them


def play_facts(
    ruleset: Ruleset, presenter: Presenter, facts: Sequence[Fact], when: Callable[[int], str]
) -> Game:
    """A game made from its events alone, the opening first. Devices use this."""
    history = tuple(enumerate(facts, 1))
    return Game(
        ruleset=ruleset,
        presenter=presenter,
        facts=facts,
        state=ruleset.decider.fold(facts),
        live=live(history),
        view=ruleset.view(history),
        when=when,
    )


def draw_board(game: Game, given: Given) -> dict[str, Any]:
    """The whole board, with people's names. The templates of tables read its keys."""
    view, presenter = game.view, game.presenter
    offered = offers(game, given)
    ahead = given["ahead"]
    content = {
        **as_given(given),
        "ruleset": game.ruleset.id,
        "version": len(game.facts),
        "stands": game.live[-1][0],  # the last event of play: not a request or its rejection
        "parts": drawing_data.templates_of_parts(game.ruleset.id),
        "sizes": list(presenter.SIZES),
        "round": view["round"],
        "status": view["status"],
        **presenter.terms(game),
        "for_money": presenter.for_money(game),
        "figures": rounds.figures(presenter, game),
        "home_throws": view["home_throws"],
        "seats": seats(game, given),
        "on_board": on_board(game, given),
        "next": upcoming(game),
        "paused": game.state.paused,
        "offered": offer_of_table(game, given),
        "disputes": disputes(game, given),
        "own": presenter.own(game, view),
        **split(offered, closed=view["status"] == "closed"),
        "back": back(game, offered, view["out"]),
        "requests": requests(game, given, offered),
        "begun_with": first_throw_of_round(game),
        "untouched": not over(game) and not any(fact.is_throw for _number, fact in game.live),
        "log": log(
            game,
            presenter,
            people=given["people"],
            when=game.when,
            round_url=given["urls"]["round"],
            other_lines=given["other_lines"],
            earliest=next((each["from"] for each in offered if each["do"] == "go_back"), None),
            house_knows=ahead["from"] if ahead else None,
            limit=LOG_MAX,
        ),
        "log_whole": len(game.facts) <= LOG_MAX,
        "settlement": {
            "settled_through": given["settled_position"],
            "behind": len(game.facts) - given["through"],
        },
        "winners": view["winners"],
        "urls": urls(game, given),
    }
    board: dict[str, Any] = put_names(content, given["names"], given["texts"])
    return board


def as_given(given: Given) -> dict[str, Any]:
    """The values of the board that come from the house unchanged."""
    return {
        "game": given["game"],
        "table": given["table"],
        "title": given["title"],
        "currency": given["house"]["currency"],
        "steps": given["house"]["steps"],
        "language_and_locale": given["house"]["language_and_locale"],
        "etag": given["etag"],
        "command_id": given["command_id"],
        "records": given["may"]["record"],
        "looks": looks_twice(given),
        "awaited": given["awaited"],
        "agreed": given.get("agreed", []),
        "lease": given["lease"],
        "watching": given["watching"],
        "device": given["device"],
        "ahead": given["ahead"],
    }


def looks_twice(given: Given) -> bool:
    """Whether a throw that pays is looked at twice, because it could not be undone alone (G4)."""
    return bool(given.get("second_look")) and undo_of(given)["seconds"] == 0


def urls(game: Game, given: Given) -> dict[str, str]:
    """The addresses of the board's links; `open`, for the next game, only once this one is over."""
    addresses = {name: address for name, address in given["urls"].items() if name != "open"}
    return {**addresses, **({"open": given["urls"]["open"]} if over(game) else {})}


def over(game: Game) -> bool:
    return bool(game.view["status"] == "closed")


def upcoming(game: Game) -> dict[str, Any]:
    """What has to be done next, and by which players; during a break, that the table is paused."""
    view = game.view
    if game.state.paused and not over(game):
        return {
            "players": [],
            "sentence": _("The table is paused"),
            "player": None,
            "may": [],
            "dice": [],
        }
    return {"players": view["next"]["players"], **game.presenter.upcoming(game, view)}


def first_throw_of_round(game: Game) -> int:
    """The first throw of the running round, by its event's number; 0: none is recorded yet."""
    found = 0
    for step in backwards(game.state):
        if not step.value.thrown:
            break
        found = step.number
    return found if not over(game) else 0


def offer_of_table(game: Game, given: Given) -> dict[str, Any] | None:
    """The open offer of the table to somebody, who signs for it in their own session (B3)."""
    if game.state.offered is None:
        return None
    _number, offer = game.state.offered
    return {
        "by": given["people"].get(offer.by, ""),
        "to": given["people"].get(offer.to, ""),
        "round": offer.round,
        "version": offer.version,
        "mine": offer.to == given["person"] and given["may"]["record"],
        "fields": {"to": offer.to},
    }


def disputes(game: Game, given: Given) -> list[dict[str, Any]]:
    """Open disputes (C3). Play continues meanwhile, and what the disputed round pays is held."""
    return [
        {
            "number": dispute.dispute,
            "round": dispute.round,
            "url": given["urls"]["round"] % dispute.round,
        }
        for dispute in game.state.disputes
    ]


def seats(game: Game, given: Given) -> list[dict[str, Any]]:
    """The seats in order: each player's stake as played and as booked, and their hand."""
    view, presenter = game.view, game.presenter
    money = presenter.for_money(game)
    booked, held = given["booked"], given["held"]
    houses = house_seats(game.live)
    return [
        {
            "player": player,
            "name": player,
            "house": player in houses,
            "stake": stake if money else None,
            "booked": booked.get(player, 0) + held.get(player, 0) if money else None,
            "held": held.get(player, 0),
            "drinks": view["drinks"].get(player),
            "points": _points(view["points"].get(player)),
            "owner": None,
            **presenter.hand_of(game, view, player),
        }
        for player, stake in view["stakes"].items()
    ]


def on_board(game: Game, given: Given) -> list[dict[str, Any]]:
    """The points on the house's scoreboard of those who sit here, with those not booked yet."""
    booked, ahead = given.get("board", {}), points_ahead(game.facts, game.live, given["through"])
    if not booked and not ahead:
        return []
    found = []
    for player in game.view["stakes"]:
        points, prize, missing = booked.get(player, ("0", "", "0"))
        more = ahead.get(player, Fraction())
        left = Fraction(missing) - more
        found.append(
            {
                "name": player,
                "points": exactly(Fraction(points) + more),
                "booked": exactly(Fraction(points)) if more else "",
                "next": rounds.missing_words(prize, left, more) if prize else "",
            }
        )
    return found


def points_ahead(
    facts: Sequence[Fact], standing: Sequence[tuple[int, Fact]], through: int
) -> dict[str, Fraction]:
    """
    The points that events give which settlement has not handled; less than 0 where a void will take
    some back.

    :param standing: the events that count. :param through: the last event that is handled.
    """
    found: dict[str, Fraction] = {}
    if through == len(facts):
        return found
    handled = live(tuple(enumerate(facts[:through], 1)))
    for sign, history in ((1, standing), (-1, handled)):
        for _number, fact in history:
            for player, points in fact.points:
                found[player] = found.get(player, Fraction()) + sign * points
    return {player: points for player, points in found.items() if points}


def _points(written: str | None) -> int | str | None:
    return int(written) if written is not None and written.isdigit() else written


def requests(game: Game, given: Given, offered: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """
    Voids that wait for a second person (G4): what is to be cancelled, who asks and why, and which
    answers this person may give. Whoever made the request cannot approve it, but may withdraw it.
    """
    people = given["people"]
    return [
        {
            "request": each.request,
            "back_to": each.back_to,
            "who": people.get(each.asked_by, ""),
            "own": each.asked_by == given["person"],
            "reason": each.reason,
            "change": each.instead is not None,
            "what": game.presenter.describe(game, game.facts[each.back_to - 1], people),
            "clock": game.when(each.request),
            "takes_back": describe_undo(game, each.back_to, people),
            "asked": entries_from(game, each.back_to, before=each.request),
            "since": entries_from(game, each.request),
            "answers": [
                offer
                for offer in offered
                if offer.get("request") == each.request
                and (offer["do"] == "reject" or each.asked_by != given["person"])
            ],
        }
        for each in game.state.requests
    ]


# The log of a game, newest line first: dice, rules and payments.


def log(  # noqa: PLR0913 - all that a line may need, by name
    game: Course,
    presenter: Presenter,
    *,
    people: Mapping[str, str],
    when: Callable[[int], str],
    round_url: str,
    other_lines: Sequence[OtherLine] = (),
    earliest: int | None = None,
    house_knows: int | None = None,
    limit: int | None = None,
) -> list[dict[str, Any]]:
    """
    The lines of a game's log, newest first.

    :param people: the names of staff, by id.
    :param when: returns the time of an event, given its number, as the house writes times.
    :param round_url: the address of a round, with ``%d`` in place of its number.
    :param other_lines: lines that are not events of the game, oldest first.
    :param earliest: the first event that a void may go back to. Lines that a void can go back to
        have `goes_back`. None: no void is possible.
    :param house_knows: the last event that the house has recorded, if a device is ahead of it.
    :param limit: how many lines at most; None: no limit.
    """
    standing = {number for number, _fact in game.live}
    of_round = rounds.chapters(game.facts).of
    reach, others = reachable(game, earliest), list(other_lines)
    entries: list[dict[str, Any]] = []
    for number in range(len(game.facts), 0, -1):
        while others and others[-1]["after"] >= number:
            entries.append(_other_line(others.pop()))
        if limit is not None and len(entries) >= limit:
            break
        fact = game.facts[number - 1]
        line = presenter.describe(game, fact, people)
        if line is None:
            continue
        void = rounds.is_cancelled(number, fact, standing)
        entries.append(
            {
                "number": number,
                "clock": when(number),
                "void": void,
                "goes_back": number in reach,
                "ahead": house_knows is not None and number > house_knows,
                "payments": [_payment(each, presenter) for each in fact.payments],
                "why": round_url % of_round[number - 1] if fact.payments and not void else "",
                **line,
            }
        )
    return entries if limit is not None else [*entries, *map(_other_line, reversed(others))]


def reachable(game: Course, earliest: int | None) -> set[int]:
    """The events whose command a void can cancel: its first event is not before `earliest`."""
    found: set[int] = set()
    if earliest is None:
        return found
    for step in backwards(game.state):
        if step.number < earliest:
            break
        if step.value.first >= earliest:
            found.add(step.number)
    return found


def _other_line(line: OtherLine) -> dict[str, Any]:
    """A log line without number, dice and rules: something that is not an event of the game."""
    none: list[str] = []
    return {
        "number": "",
        "clock": line["clock"],
        "void": False,
        "goes_back": False,
        "ahead": False,
        "payments": none,
        "why": "",
        "kind": line["kind"],
        "sentence": line["sentence"],
        "rules": none,
    }


def _payment(payment: Payment, presenter: Presenter) -> dict[str, Any]:
    return {
        "from": account(payment.payer, presenter),
        "to": account(payment.payee, presenter),
        "amount": payment.amount,
    }


# Replaces tokens by names in a board that has been drawn. Pure, like all modules of drawing.


PLAYER: Final = ("p-", 14)
"""
How the token of a player begins, and how long it is (casino/house/attendants/pseudonyms/tokens.py).
"""
TEXT: Final = ("t-", 66)
"""The same for the token of a text that somebody wrote."""


def put_names(value: Any, names: Mapping[str, str], texts: Mapping[str, str]) -> Any:
    """
    The same JSON value with every known token replaced by what it stands for, keys included.

    Texts are replaced first, because a text may contain tokens of players. An unknown token stays:
    either its name was erased, or somebody wrote a word that only looks like a token.
    """
    match value:
        case str():
            if "-" not in value:  # true of most strings of a board
                return value
            replaced = _replace_tokens(value, texts, TEXT) if texts else value
            return _replace_tokens(replaced, names, PLAYER)
        case dict():
            return {
                put_names(key, names, texts): put_names(item, names, texts)
                for key, item in value.items()
            }
        case list() | tuple():
            return [put_names(item, names, texts) for item in value]
        case _:
            return value


def _replace_tokens(text: str, meanings: Mapping[str, str], token: tuple[str, int]) -> str:
    """Replace known tokens of one kind; their length is fixed, so only their start is searched."""
    begins, length = token
    if begins not in text:
        return text
    before, *rest = text.split(begins)
    replaced = before
    for each in rest:
        found = begins + each[: length - len(begins)]
        replaced += (
            meanings[found] + each[length - len(begins) :] if found in meanings else begins + each
        )
    return replaced


# What an undo takes back, said before it is tapped (G4). Pure, like all modules of drawing.


def describe_undo(game: Game, back_to: int, people: Mapping[str, str]) -> str:
    """
    What a void back to an event takes back: "Ada's 2-2-7 and 3 payments, 21 r".

    :param people: the names of staff, by id.
    """
    gone = [fact for number, fact in game.live if number >= back_to]
    if not gone:
        return ""
    amounts = [payment.amount for fact in gone for payment in fact.payments if payment.amount]
    what = describe_entry(game, gone[0], people)
    values = {
        "what": what,
        "count": len(amounts),
        "sum": money(sum(amounts)),
    }
    if not amounts:
        return what
    with_payments = ngettext(
        "%(what)s and %(count)d payment, %(sum)s",
        "%(what)s and %(count)d payments, %(sum)s",
        len(amounts),
    )
    return with_payments % values


def describe_payments(facts: Sequence[Fact]) -> str:
    """
    What entries pay that end a round, player by player: "Ada pays 7, Bo gets 7"; "" if they end
    none, or nobody pays or gets anything.
    """
    changes: dict[str, int] = {}
    for fact in facts:
        for payment in fact.payments:
            for player, amount in (
                (payment.payer, -payment.amount),
                (payment.payee, payment.amount),
            ):
                if player not in RESERVED:
                    changes[player] = changes.get(player, 0) + amount
    if not any(fact.ends_round for fact in facts):
        return ""
    pays, gets = _("%(name)s pays %(sum)s"), _("%(name)s gets %(sum)s")
    return ", ".join([
        (gets if change > 0 else pays) % {"name": player, "sum": money(abs(change))}
        for player, change in changes.items()
        if change
    ])  # fmt: skip


def entries_from(game: Game, number: int, before: int | None = None) -> int:
    """How many entries that count have a number from `number` on, and below `before`."""
    return len([
        1
        for at, fact in game.live
        if at >= number and (before is None or at < before) and not fact.consequence
    ])  # fmt: skip


def describe_entry(game: Game, fact: Fact, people: Mapping[str, str]) -> str:
    """An entry in few words: whose dice, or what its line of the log says."""
    line = game.presenter.describe(game, fact, people)
    player = getattr(fact, "player", None)
    if line is not None and line.get("dice") and player and fact.is_throw:
        dice = "-".join([str(each) for each in line["dice"]])
        return _("%(name)s's %(dice)s") % {"name": player, "dice": dice}
    if line is not None and line.get("sentence"):
        return line["sentence"]
    return _("what %(name)s took") % {"name": player} if player else _("the last entry")


# What may be done next at a table: turns the offers of the rules into a board's buttons.


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
