"""Verifications as resumable jobs of a house, and how its ledger is to be judged by them now."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext_lazy

from casino.engine.databases import guards
from casino.house.attendants import permissions
from casino.house.establishments.gaming_day import gaming_day
from casino.house.establishments.models import Establishment
from casino.kit.web.jobs import running, tasks
from casino.kit.web.jobs.models import Occasion
from casino.kit.web.jobs.running import Kind, StepResult
from casino.play.settlement import payout_holds
from casino.proof.signing import epochs, queries
from casino.proof.signing.models import SigningTrouble, Verification, VerificationFinding
from casino.proof.verification import verifying
from casino.words.languages import locales
from ledger import journal, lag
from ledger.checking.book import bounds, start_of
from ledger.checkpoints import INTEGRITY
from ledger.conflicts import count_of
from ledger.lag import lagging

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant
    from ledger.checking.book import Book
    from ledger.checking.findings import Finding, Place
    from ledger.verify import Checkpoint as Published

STRIDE: Final = 0.5  # seconds of one stretch, which is repeated if its worker dies
RECENT: Final = 20_000  # positions that are checked at most when the house starts
WHOLE_MAX: Final = 2_000_000  # positions: a minute or two. Longer ledgers: whole once a week
REBUILT_MAX: Final = 20_000  # positions whose projections can be rebuilt within a task's time
LOGGED: Final = 10  # findings of a stretch that the log has; the run keeps them all
MONDAY: Final = 0
State = Verification.State

log = structlog.get_logger(__name__)


def ask(*, by: Attendant, house: Establishment, since: int, now: datetime) -> Verification:
    """
    Begin a verification that a person asks for; tasks advance it.

    :param since: the first position to check; 0: everything.
    :raises NotYours: if the person may not audit the house.
    :raises AlreadyBegun: if another one is running.
    """
    permissions.require(by, "audit", house)
    return begin(house=house, occasion=Occasion.ON_DEMAND, since=since, by=by, now=now)


def begin(  # noqa: PLR0913 - who wants what, when
    *,
    house: Establishment,
    occasion: Occasion,
    now: datetime,
    since: int = 0,
    by: Attendant | None = None,
    night: date | None = None,
) -> Verification:
    """Begin a verification. :raises AlreadyBegun: if another one is running."""
    stop, receipts = bounds(house.pk, settings.LEDGER_READER)
    start = start_of(house.pk, settings.LEDGER_READER, since) if since else 0
    first, *_ = verifying.stages(projections=False)
    return running.begin(
        VERIFICATION, house=house, now=now, start=start, stop=stop, occasion=occasion,
        asked_by=by, day=night, parameters={"receipts": receipts},
        cursor={"stage": first, "at": {}},
    )  # fmt: skip


def nightly(house: Establishment, now: datetime) -> Verification | None:
    """
    Begin the verification that is due after a gaming day; None: it is not due, or one is running.

    It covers the whole ledger. For a very long ledger it covers what is new since the last sound
    verification, and the whole ledger on the night after a Monday.
    """
    day = gaming_day(house, now) - timedelta(days=1)
    # Of that night only: one of a later night was begun by a clock that was ahead.
    begun = Verification.objects.filter(establishment=house, day=day)
    head = journal.head(establishment=house.pk)
    if head < 0 or begun.exists():
        return None
    whole = head < WHOLE_MAX or day.weekday() == MONDAY
    since = 0 if whole else _sound_until(house)
    try:
        return begin(house=house, occasion=Occasion.NIGHT, since=since, night=day, now=now)
    except running.AlreadyBegun:
        return None  # the next attempt comes soon


def at_start(house: Establishment, started: datetime, now: datetime) -> Verification | None:
    """
    Begin the verification that is due after a worker has started; None: one was begun or is
    running.

    It covers what is new since the last sound verification, but at most the newest `RECENT`
    positions.
    """
    since_then = Verification.objects.filter(establishment=house, asked_at__gte=started)
    head = journal.head(establishment=house.pk)
    if head < 0 or since_then.exists():
        return None
    since = max(_sound_until(house), head + 1 - RECENT)
    try:
        return begin(house=house, occasion=Occasion.START, since=since, now=now)
    except running.AlreadyBegun:
        return None


def whole(house: Establishment, occasion: Occasion) -> Verification:
    """
    Verify the whole ledger within this call. A verification that is running is finished first.

    :raises OperationalError: and other transient errors; what was recorded stays.
    """
    while True:
        try:
            return _run_to_end(begin(house=house, occasion=occasion, now=timezone.now()))
        except running.AlreadyBegun:
            on_its_way = Verification.objects.filter(establishment=house, state=State.RUNNING)
            for run in on_its_way:
                _run_to_end(run)


def _run_to_end(run: Verification) -> Verification:
    """Advance a run to its end; other workers may advance it at the same time."""
    rows = Verification.objects.filter(establishment=run.establishment_id, id=run.id)
    while (run := rows.get()).state == State.RUNNING:
        running.advance(VERIFICATION, run.establishment_id, run.id, seconds=STRIDE)
    return run


def keep_guards(found: Sequence[Finding], *, using: str, now: datetime) -> list[Verification]:
    """
    Keep what was found of the guards, if anything, as a verification of each house, before it is
    put right. Return those verifications.

    :param using: the database in which it was found.
    """
    kept: list[Verification] = []
    houses = Establishment.objects.using(using).order_by("pk")
    for house in houses if found else houses.none():
        stop, _receipts = bounds(house.pk, using)
        if not stop:
            continue  # nothing is verified in a house that has not begun
        with transaction.atomic(using=using):
            run = Verification.objects.using(using).create(
                establishment=house, occasion=Occasion.START, asked_at=now, worked_at=now,
                finished_at=now, start=0, stop=stop, reached=stop, state=State.BROKEN,
                found=len(found), cursor={},
            )  # fmt: skip
            VerificationFinding.objects.using(using).bulk_create(
                VerificationFinding(
                    establishment=house, job=run.id, seq=seq, details=each.as_dict()
                )
                for seq, each in enumerate(found[: running.FINDINGS_KEPT])
            )
        kept.append(run)
    return kept


def stop_unguarded(run: Verification) -> None:
    """Stop payouts (E2) for what `keep_guards` has kept, once events can be recorded again."""
    with payout_holds.unless_unguarded(run.establishment):
        payout_holds.stop_payouts(
            run.establishment, why=payout_holds.VERIFICATION, about=str(run.id),
            now=timezone.now(),
        )  # fmt: skip


def last(house: Establishment) -> Verification | None:
    """The newest verification of a house, whatever its result."""
    return Verification.objects.filter(establishment=house).order_by("-asked_at").first()


def _sound_until(house: Establishment) -> int:
    """The position up to which the last sound verification checked; 0: there is none."""
    sound = Verification.objects.filter(establishment=house, state=State.SOUND)
    return sound.order_by("-asked_at").values_list("stop", flat=True).first() or 0


def undone() -> QuerySet[Verification]:
    """Verifications that failed, and after which no later one was finished."""
    ended = (State.SOUND, State.BROKEN, State.BEHIND)
    later = Verification.objects.filter(
        establishment=OuterRef("establishment"), state__in=ended, asked_at__gt=OuterRef("asked_at")
    )
    return Verification.objects.filter(state=State.FAILED).exclude(Exists(later))


@dataclass(frozen=True, slots=True)
class Stretch:
    """The result of some steps of a stage. :param ended: whether the stage is finished."""

    findings: list[Finding]
    place: Place
    ended: bool


def step(run: Verification) -> StepResult:
    """
    Advance a verification by one stretch.

    The first step compares the database's guards. If some differ it ends there: whatever the rest
    meets, that is kept. They are compared again before anything is called sound.
    """
    if not run.step and (unguarded := _compare_guards(run)[0]):
        return StepResult(found=unguarded)
    book = verifying.book(
        run.establishment_id, run.start, run.stop, run.receipts, now=timezone.now()
    )
    stage, stages = run.stage, _stages(run)
    stretch = _stretch(book, stage, run.at)
    if stretch.findings:
        _log(run, stretch.findings)  # before anything is written, which may fail
        _stop_payouts(run, stretch.findings, book.kept)
    found = [VerificationFinding(details=each.as_dict()) for each in stretch.findings]
    reached, cursor = run.reached, {"stage": stage, "at": stretch.place}
    missing = {*run.not_compared, *verifying.not_compared(run.establishment_id, stage)}
    figures = {"not_compared": sorted(missing)}
    if stage == "events":
        reached = run.stop if stretch.ended else stretch.place["at"]
    if stretch.ended:
        behind = stages[stages.index(stage) + 1 :]
        if not behind:
            state, reason = _final_state(run, stretch.findings), ""
            if state == State.SOUND:
                found, reason = _compare_guards(run)
                state = State.BROKEN if found else State.FAILED if reason else state
            return StepResult(
                reached=run.stop, figures=figures, found=found, state=state, reason=reason
            )
        cursor = {"stage": behind[0], "at": {}}
    return StepResult(reached=reached, cursor=cursor, figures=figures, found=found)


def _compare_guards(run: Verification) -> tuple[list[VerificationFinding], str]:
    """What differs, logged, payouts stopped; and why guards could not be compared, if so."""
    differences, reason = guards.compare(pause=guards.PAUSE)
    if unguarded := guards.findings(differences):
        _log(run, unguarded)
        _stop_payouts(run, unguarded, ())
    return [VerificationFinding(details=each.as_dict()) for each in unguarded], reason


def _stages(run: Verification) -> tuple[str, ...]:
    whole = run.start == 0 and run.stop <= REBUILT_MAX and verifying.can_make_anew()
    return verifying.stages(projections=whole)


def _stretch(book: Book, stage: str, place: Place) -> Stretch:
    until, findings = time.monotonic() + STRIDE, []
    for step in verifying.steps(book, stage, place):
        findings += step.findings
        place = step.place
        if time.monotonic() >= until:
            return Stretch(findings, place, ended=False)
    return Stretch(findings, place, ended=True)


def _log(run: Verification, findings: Sequence[Finding]) -> None:
    for each in findings[:LOGGED]:
        log.error(
            "verification_finding", establishment=str(run.establishment_id), job=str(run.id),
            check=each.check, position=each.first, says=each.says,
        )  # fmt: skip


def _stop_payouts(
    run: Verification, findings: Sequence[Finding], kept: Sequence[Published]
) -> None:
    """
    Stop payouts until people have looked into the findings (E2). This happens before the findings
    are stored, so that payouts are stopped even if the worker is killed in between, or a later
    stretch fails.
    """
    with payout_holds.unless_unguarded(run.establishment):
        epochs.stop(
            run.establishment, findings, kept,
            now=timezone.now(), about=str(run.id), part=run.step,
        )  # fmt: skip


def _final_state(run: Verification, findings: Sequence[Finding]) -> Verification.State:
    """The final state of a run: behind, if it only found that others have more of the ledger."""
    if not run.findings and not findings:
        return State.SOUND
    kept = VerificationFinding.objects.filter(
        establishment=run.establishment_id, job=run.id, details__behind=True
    )
    only = kept.count() == run.findings and all(each.behind for each in findings)
    return State.BEHIND if only else State.BROKEN


def _not_done(run: Verification) -> str:
    """The state of a run that failed: broken, if it had findings before it failed."""
    return State.BROKEN if run.findings else State.FAILED


def _due(house: Establishment, now: datetime) -> Iterable[Verification | None]:
    return [nightly(house, now) or at_start(house, tasks.start_of(now), now)]


VERIFICATION: Final = Kind(
    model=Verification,
    title=gettext_lazy("Verification"),
    step=step,
    url=lambda job: reverse("verification", args=[job.id]),
    words={
        State.RUNNING: gettext_lazy("on its way"),
        State.SOUND: gettext_lazy("nothing wrong"),
        State.BROKEN: ngettext_lazy("%(findings)s finding", "%(findings)s findings", "findings"),
        State.BEHIND: gettext_lazy("behind a checkpoint outside"),
        State.FAILED: gettext_lazy("not done"),
    },
    levels={
        **running.LEVELS,
        State.SOUND: "well",
        State.BROKEN: running.ALARM,
        State.BEHIND: running.ALARM,
    },
    busy="{house} is being verified: wait until that is done.",
    due=_due,
    failed=_not_done,
)


# Whether the ledgers of all houses are signed and copied outside, for monitoring.


UNSIGNED_MAX: Final = 5000  # events; a running worker signs every few seconds
EXPOSED_MAX: Final = timedelta(minutes=75)  # mail is sent each hour, and takes some time


@dataclass(frozen=True, slots=True)
class Condition:
    """
    The condition of the proof of all ledgers.

    :param complaints: sentences that name the house, the worst first.
    :param figures: the numbers of complaints, for programs.
    """

    complaints: list[str]
    figures: dict[str, Any]


def condition_of_all(now: datetime) -> Condition:
    """Everything that is wrong with the signing and copying of any house's ledger."""
    found = queries.broken().values("establishment")
    broken = list(Establishment.objects.filter(pk__in=found).order_by("name"))
    troubles = SigningTrouble.objects.exclude(establishment__in=broken).select_related(
        "establishment"
    )
    complaints = [
        f"{house.name}: {_what_differs(house)}: payouts are stopped. E2 {queries.what_to_do(house)}"
        for house in broken
    ]
    complaints += [f"{each.establishment.name}: {each.message}" for each in troubles]
    complaints += [
        f"{each.establishment.name}: its records could not be verified ({each.reason})."
        for each in undone().select_related("establishment")
    ]
    unsigned = max((each.lag for each in lagging([INTEGRITY])), default=0)
    if unsigned > UNSIGNED_MAX and not complaints:
        complaints.append(
            f"Up to {count_of(unsigned, 'event is', 'events are')} not signed yet:"
            " is a worker running?"
        )
    exposed = _houses_without_copy(now)
    complaints += exposed
    return Condition(
        complaints,
        {
            "broken": len(broken), "not_signed": len(troubles), "unsigned": unsigned,
            "exposed": len(exposed),
        },
    )  # fmt: skip


def _what_differs(house: Establishment) -> str:
    """What the last verification found; it compares the guards of the database, too."""
    if (guard := queries.only_guards(house)) is not None:
        return f"its database is not guarded as it was installed ({guard})"
    return "its records are not what was signed"


def _houses_without_copy(now: datetime) -> list[str]:
    """
    Sentences for houses with events that no copy outside has covered for too long. None if no
    copies are configured.
    """
    if not settings.CHECKPOINT_COPIES:
        return []
    found = []
    # A house with a copy to make is one with something unread
    # (`casino.play.core.subscriptions.quiet`).
    for house in Establishment.objects.filter(pk__in=lag.unread_houses()).order_by("name"):
        outside = queries.outside(house.pk)
        exposed = outside.exposed_for(now)
        if exposed is not None and exposed > EXPOSED_MAX:
            why = next((place.error for place in outside.places if place.error), "")
            found.append(
                f"{house.name}: no copy outside covers its last"
                f" {count_of(outside.exposed, 'event')}, for"
                f" {locales.duration_in_english(exposed)}. {why}".strip()
            )
    return found
