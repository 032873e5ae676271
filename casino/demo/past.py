"""
The demo house's past: five weeks of evenings, kept in `past.zip` and imported as of today.

The bundle is the export of a house that `python -m tests.past` played. It is checked as a stranger
would check it, moved so that its last gaming day was yesterday (`dated`), and imported as every
house is, command by command through `journal.append`.
"""

from __future__ import annotations

import json
import tempfile
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError
from django.utils import timezone

from casino.demo import house as demo_house
from casino.demo.dated import HOUSE, Dated
from casino.demo.house import hang_boards, name_here
from casino.house.attendants.models import Attendant, Employment
from casino.house.establishments.gaming_day import gaming_day
from casino.house.establishments.models import Establishment
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.proof.verification import export_tables, imports
from casino.proof.verification.export_tables import Unknown
from casino.proof.verification.imports import NotImported
from casino.settings.staff.sign_in.demo_staff import NAME, PASSWORD, PAST, STAFF, exists
from ledger import journal, subscriptions
from ledger.importing import Differs
from ledger.verify import Export, Key, Trust, Undecided, Unreadable, Untrue

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID


BUNDLE: Final = Path(__file__).with_name("past.zip")


def nothing(_entries: int) -> None:
    """For callers who do not want to know how far it is."""


def size() -> int:
    """How many entries the past has."""
    events: int = Export(BUNDLE).manifest["events"]
    return events


def import_(
    now: datetime,
    *,
    name: str | None = None,
    on_progress: Callable[[int], object] = nothing,
    bundle: Path | None = None,
) -> Establishment:
    """
    Import the past. Its people can sign in with the demo's password, and today's floats lie at the
    tables, counted by two people.

    :param now: the day before it, by the house's clock, becomes the last day of the past.
    :param name: another name for the house.
    :param on_progress: is called with the number of entries that are in the ledger. What it raises
        ends the import, and leaves nothing of it.
    :raises NotImported: if the house is here already, or another one with its name.
    :raises Untrue: or `Undecided`, if the bundle is not what was signed.
    """
    kept = Export(bundle or BUNDLE)
    _nobody_else(kept)
    keys = tuple(Key.parse(each) for each in kept.manifest["keys"])
    kept.check(Trust(keys=keys), contents=False)
    with tempfile.TemporaryDirectory(prefix="home-throw-past-") as folder:
        moved = Dated(kept, _days(kept, now)).write(Path(folder) / "past")
        return imports.import_(moved, name=name, on_progress=on_progress, also=_let_in).house


def import_past(now: datetime, *, alongside: bool = False) -> bool:
    """
    Import the past unless the demo house exists; returns whether it was imported by this call.

    :param alongside: import it even if there are other houses, under a name that distinguishes it.
    :raises NotAlone: if there are other houses and `alongside` is False.
    :raises NotImported: or `Untrue`, as `import_`.
    """
    if exists():
        return False
    name = name_here(alongside=alongside)
    import_(now, name=None if name == NAME else name)
    return True


def catch_up(
    house: UUID,
    *,
    stops: Callable[[], bool] = lambda: False,
    on_progress: Callable[[int], object] = nothing,
) -> None:
    """
    Let every subscriber read the past, so that screens show it.

    Workers do the same, but pause between two batches for the sake of people who record. Killed at
    any moment, they go on from there.

    :param stops: called between two batches; True ends it.
    :param on_progress: is called with the number of entries that a subscriber has read, on average.
    """
    done = {subscriber.name: 0 for subscriber in SUBSCRIBERS}
    for subscriber in SUBSCRIBERS:
        while not stops():
            step = subscriptions.advance(subscriber, establishment=house)
            done[subscriber.name] = journal.head(establishment=house) + 1 - step.lag
            on_progress(sum(done.values()) // len(done))
            if not step.lag:
                break


def _days(kept: Export, now: datetime) -> int:
    """By how many days the bundle is moved."""
    [house] = export_tables.read(export_tables.HOUSE, kept.lines(HOUSE))
    assert isinstance(house, Establishment)  # noqa: S101 - the model of that file
    last = datetime.fromisoformat(kept.manifest["exported_at"])
    return (gaming_day(house, now) - gaming_day(house, last)).days - 1


def _nobody_else(kept: Export) -> None:
    """:raises NotImported: if other people than the demo's have their names here."""
    ours = [row["id"] for row in map(json.loads, kept.lines(export_tables.STAFF.file))]
    named = Attendant.objects.filter(username__in=[each.username for each in STAFF])
    if other := named.exclude(pk__in=ours).first():
        raise imports.NotImported(f"Somebody else here is called {other.username}.")


def _let_in(house: Establishment) -> None:
    """
    What an export has not: passwords for its people, money at the tables of today, and boards that
    hang.
    """
    public = make_password(PASSWORD)
    people = Employment.objects.filter(establishment=house).values("attendant")
    Attendant.objects.filter(pk__in=people).update(password=public)
    demo_house.count_floats(house)
    hang_boards(house)


# --- Imported while the house serves pages, which say how far it is -------------------------------


NOT_IMPORTED: Final = (NotImported, Untrue, Undecided, Unreadable, Unknown, Differs, IntegrityError)
"""Why a past cannot be imported; the last: another process has made a demo house meanwhile."""


class Stopped(Exception):  # noqa: N818 - names the fact
    """The program ends; the next start imports the past anew."""


def import_while_serving(stops: Callable[[], bool]) -> UUID | None:
    """
    Import the past.

    :param stops: called again and again; True ends the import.
    :returns: the house; None if the import was ended.
    :raises NotImported: or another of `NOT_IMPORTED`.
    """

    def so_far(entries: int) -> None:
        PAST.recorded = entries
        if stops():
            raise Stopped

    PAST.entries = size()
    try:
        made = import_(timezone.now(), on_progress=so_far)
    except Stopped:
        return None
    except NOT_IMPORTED:
        PAST.entries = 0
        raise
    return made.pk


def read_while_serving(of: UUID, stops: Callable[[], bool]) -> None:
    """Let every screen read the past."""

    def so_far(entries: int) -> None:
        PAST.shown = min(entries, PAST.entries)

    catch_up(of, stops=stops, on_progress=so_far)
    PAST.shown = PAST.entries
