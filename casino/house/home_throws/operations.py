"""Setting a house's home throw, and finding the one in force (rules H1, H3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, NotRequired, TypedDict, Unpack

from django.core.exceptions import ValidationError

from casino.house.acts import changes
from casino.house.attendants.pseudonyms import tokens
from casino.house.home_throws.models import HomeThrow
from casino.words.presenters import registered
from games import stone

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment

STREAM = changes.record_stream("home_throw")


def check_faces(faces: tuple[int, int, int], override_reason: str, game: str = "") -> None:
    """
    Check that three faces may be a home throw: they score nothing else, or there is a reason.

    :param game: the game that the home throw is for; empty: every game that has a home throw.
    :raises ValidationError: if they may not; the message names the faces.
    """
    low, middle, high = sorted(faces)
    if low < 1 or high > stone.SIDES:
        raise ValidationError(f"Faces from 1 to {stone.SIDES}, not {low}-{middle}-{high}.")
    if override_reason:
        return
    if not stone.may_be_home((low, middle, high), "wrap"):
        raise ValidationError(
            f"{low}-{middle}-{high} makes another scoring throw; say why it may be the home throw."
        )
    for each in registered.with_home_throws():
        if game in {"", each.id}:
            each.check_home_throw((low, middle, high))


class Draft(TypedDict):
    """The arguments of `draft_home_throw`: the content of a home throw."""

    establishment: Establishment
    faces: tuple[int, int, int]
    effective_from: datetime
    by: Attendant
    story: NotRequired[str]
    override_reason: NotRequired[str]
    game: NotRequired[str]


def set_home_throw(**draft: Unpack[Draft]) -> HomeThrow:
    """
    Set the house's home throw from a moment on; games that are open already keep theirs.

    :param draft: `game` is the game that it is for; empty: every game that has a home throw.
    """
    throw = draft_home_throw(**draft)
    changes.create(throw, establishment=draft["establishment"], by=draft["by"])
    return throw


def draft_home_throw(  # noqa: PLR0913 - one argument for each thing the record must say
    *,
    establishment: Establishment,
    faces: tuple[int, int, int],
    effective_from: datetime,
    by: Attendant,
    story: str = "",
    override_reason: str = "",
    game: str = "",
) -> HomeThrow:
    """
    The house's next home throw, checked and not saved.

    :raises ValidationError: if the faces may not be a home throw.
    """
    check_faces(faces, override_reason, game)
    low, middle, high = sorted(faces)
    return HomeThrow(
        establishment=establishment,
        game=game,
        low=low,
        middle=middle,
        high=high,
        effective_from=effective_from,
        story=tokens.keep(establishment.pk, story) if story else "",
        override=tokens.keep(establishment.pk, override_reason) if override_reason else "",
        set_by=by,
    )


def in_force(*, establishment: Establishment, at: datetime, game: str = "") -> HomeThrow | None:
    """
    The home throw in force at a moment: the latest that had begun by then.

    :param game: a throw for this game goes before the one for every game, whichever was set later
        (H3); empty: the one for every game.
    """
    begun = HomeThrow.objects.filter(
        establishment=establishment, effective_from__lte=at, game__in={"", game}
    )
    return begun.order_by("-game", "-effective_from").first()


def of_each_game(establishment: Establishment, at: datetime) -> dict[str, HomeThrow | None]:
    """The house's home throw in force for each game that knows one, by the game's id (H3)."""
    having = registered.with_home_throws()
    return {game.id: in_force(establishment=establishment, at=at, game=game.id) for game in having}


def look_up(
    *, establishment: Establishment, at: datetime, game: str
) -> tuple[HomeThrow | None, dict[str, int]]:
    """The home throw in force, and the version of the stream from which it was read."""
    version = changes.version_of(establishment.pk, STREAM)  # first, so that a change is noticed
    return in_force(establishment=establishment, at=at, game=game), {STREAM: version}


# The exact probability of three faces of three d8, in any order.


def exactly(faces: Sequence[int]) -> Fraction:
    """The probability that three d8 show these faces, in any order: 6 in 512 for 1-3-6."""
    return Fraction(len(set(permutations(faces))), stone.SIDES**stone.DICE)
