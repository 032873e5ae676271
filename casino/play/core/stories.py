"""The account of a round for people to read: throw by throw, with dice, rules and payments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

from casino.house.acts.game_streams.loading import Loaded
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.play.settlement import entries as settlement_entries
from casino.words.languages.messages import translate
from casino.words.presenters import PRESENTERS, TITLES, rounds
from casino.words.presenters.presenter import account
from casino.words.presenters.quoted import in_short, quote
from casino.words.presenters.rounds import figures as figures_of
from casino.words.presenters.rounds import figures_of_state
from games.messages import HandoverOffered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from casino.words.presenters.presenter import Presenter
    from games.messages import Fact


def of_round(
    loaded: Loaded, house: Establishment, number: int, step: int | None = None
) -> dict[str, Any] | None:
    """
    The account of a round: its steps, its payments, and the texts of the rules.

    Each step has its dice, its hand, its rules and the figures (such as the pot) after it. A round
    that is still running is described as far as it went.

    :param step: number of an event of the round: adds the table as it stood after it.
    :returns: None if there is no such round, or the round has no such step.
    """
    presenter = PRESENTERS[loaded.ruleset.id]
    chapters = rounds.chapters(loaded.facts)
    numbers = chapters.numbers(number)
    rows = steps(loaded, number, numbers)
    if not rows or (step is not None and step not in [each["number"] for each in rows]):
        return None
    explained = next(iter(loaded.ruleset.explain(loaded.history, number)), None)
    paid = explained["payments"] if explained else loaded.ruleset.so_far(loaded.history)
    columns = _columns(rows)
    content = {
        "number": number,
        "ended": explained is not None,
        "void": bool(explained and explained["void"]),
        "because": translate(explained["because"]) if explained else "",
        "steps": [
            {
                **each,
                "figures": _align(each["figures"], columns),
                "here": each["number"] == step,
            }
            for each in rows
        ],
        "columns": columns,
        "payments": _with_names(paid, presenter),
        "quoted": quote(loaded.ruleset.id, _cite(rows, explained, paid), _texts(explained, paid)),
        "before": round_url(loaded.key.game, number - 1) if number > 1 else "",
        "after": round_url(loaded.key.game, number + 1) if number < chapters.last else "",
        "moment": moment(loaded, rows, step) if step is not None else None,
        "explained": explained,
        "part": [f"presenters/{loaded.ruleset.id}/_round.html", "floor/tables/round/_own.html"],
    }
    return {**about(loaded, house), **tokens.resolve(house.pk, content)}


def steps(loaded: Loaded, round_no: int, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The events of a round that get a line, in order; a rule is quoted where it first appears."""
    presenter = PRESENTERS[loaded.ruleset.id]
    people, standing = staff_names(loaded), {number for number, _ in loaded.live}
    quoted_yet: set[str] = set()
    rows: list[dict[str, Any]] = []
    figures: list[dict[str, Any]] = []
    for number, state in rounds.states(loaded.ruleset, loaded.facts, numbers):
        event, fact = loaded.events[number - 1], loaded.facts[number - 1]
        line = presenter.describe(loaded, fact, people)
        if line is None:
            continue
        quotes = [
            {"number": rule, "text": text}
            for rule in line["rules"]
            if rule not in quoted_yet and (text := in_short(loaded.ruleset.id, rule))
        ]
        figures, before = figures_of_state(presenter, state), figures
        first = {each["number"] for each in quotes}
        quoted_yet |= first
        rows.append(
            {
                "number": number,
                "at": event.provenance.occurred_at,
                "void": rounds.is_cancelled(number, fact, standing),
                "payments": _payments_of(fact, presenter),
                "figures": [{**each, "moved": each not in before} for each in figures],
                "quotes": quotes,
                "url": f"{round_url(loaded.key.game, round_no)}?step={number}",
                **line,
                "cited": list(line["rules"]),
                "rules": [rule for rule in line["rules"] if rule not in first],
            }
        )
    return rows


def moment(loaded: Loaded, rows: Sequence[Mapping[str, Any]], step: int) -> dict[str, Any]:
    """The table as it stood after a step, with the addresses of the steps before and after."""
    presenter = PRESENTERS[loaded.ruleset.id]
    past = game_through(loaded, step)
    place = next(place for place, each in enumerate(rows) if each["number"] == step)
    return {
        "number": step,
        "place": place + 1,
        "of": len(rows),
        "line": rows[place],
        "seats": rounds.seats(past, presenter),
        "figures": figures_of(presenter, past),
        "next": presenter.upcoming(past, past.view)["sentence"],
        "before": rows[place - 1]["url"] if place else "",
        "after": rows[place + 1]["url"] if place + 1 < len(rows) else "",
    }


def game_through(loaded: Loaded, number: int) -> Loaded:
    """The game up to and including an event, without anything that came later."""
    facts = loaded.facts[:number]
    return Loaded(
        loaded.key,
        loaded.ruleset,
        loaded.events[:number],
        facts,
        loaded.ruleset.decider.fold(facts),
        loaded.courses[:number],
    )


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The column heads of the figures beside the steps: each figure that any step has, in order."""
    known: dict[str, dict[str, Any]] = {}
    for each in rows:
        for figure in each["figures"]:
            known.setdefault(figure["name"], figure)
    return list(known.values())


def _align(
    figures: Sequence[dict[str, Any]], columns: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """A step's figures in the order of the columns; a missing figure leaves an empty cell."""
    given = {figure["name"]: figure for figure in figures}
    return [
        given.get(column["name"], {**column, "amount": None, "moved": False}) for column in columns
    ]


def _payments_of(fact: Fact, presenter: Presenter) -> list[dict[str, Any]]:
    return [
        {
            "from": account(each.payer, presenter),
            "to": account(each.payee, presenter),
            "amount": each.amount,
        }
        for each in fact.payments
    ]


def _with_names(
    payments: Sequence[Mapping[str, Any]], presenter: Presenter
) -> list[dict[str, Any]]:
    return [
        {
            **each,
            "from": account(each["from"], presenter),
            "to": account(each["to"], presenter),
            "because": translate(each["because"]),
        }
        for each in payments
    ]


def _cite(
    rows: Sequence[Mapping[str, Any]],
    explained: Mapping[str, Any] | None,
    paid: Sequence[Mapping[str, Any]],
) -> list[str]:
    return [
        *(rule for each in rows for rule in each["cited"]),
        *(explained["rules"] if explained else ()),
        *(rule for each in paid for rule in each["rules"]),
    ]


def _texts(explained: Mapping[str, Any] | None, paid: Sequence[Mapping[str, Any]]) -> str:
    ended = [explained["because"]] if explained else []
    return " ".join([*ended, *(each["because"] for each in paid)])


def about(loaded: Loaded, house: Establishment) -> dict[str, Any]:
    presenter = PRESENTERS[loaded.ruleset.id]
    return {
        "title": TITLES[loaded.ruleset.id],
        "table": table_name(house, loaded),
        "currency": house.currency_symbol,
        "sides": list(presenter.SIZES),
        "opened_at": loaded.opening.provenance.occurred_at,
        "gaming_day": loaded.opening.provenance.gaming_day,
        "events": loaded.version,
        "position": loaded.position,
        "rules_version": loaded.ruleset.version,
        "urls": {
            "game": reverse("floor-game", args=[loaded.key.game]),
            "log": reverse("floor-log", args=[loaded.key.game]),
            "payouts": reverse("payouts-of-game", args=[loaded.key.game]),
            "at": reverse("game-at-any", args=[loaded.key.game]),
        },
    }


def table_name(house: Establishment, loaded: Loaded) -> str:
    return house.tables.values_list("name", flat=True).get(pk=loaded.place["table"])


def round_url(game: UUID, number: int) -> str:
    return reverse("floor-round", args=[game, number])


def staff_names(*games: Loaded, also: Iterable[str] = ()) -> dict[str, str]:
    """
    Names of attendants by id: those who recorded these games or were offered one in a handover.

    :param also: further ids.
    """
    # A handful, even in a long game.
    actors = {event.provenance.actor for loaded in games for event in loaded.events}
    named = {fact.to for each in games for fact in each.facts if isinstance(fact, HandoverOffered)}
    ids = {*actors, *named, *also} - {
        settlement_entries.ACTOR
    }  # settlement, no person, brings the coins of a rollover (TA10)
    return {str(person.pk): str(person) for person in Attendant.objects.filter(pk__in=ids)}
