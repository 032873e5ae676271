"""The log of a game, newest line first: dice, rules and payments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.words.presenters import rounds
from casino.words.presenters.presenter import account
from games.standing import backwards

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from casino.floor.board.drawing_given import OtherLine
    from casino.words.presenters.presenter import Presenter
    from casino.words.presenters.shapes import Course
    from games.payments import Payment


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
