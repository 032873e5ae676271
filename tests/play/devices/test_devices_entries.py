"""A device's entries: in order, once each, none lost, no number skipped unnoticed (E5)."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.engine.processes.queues import house_subscriber
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.play.devices import device_log
from casino.play.devices.models import DeviceEntry, GapRow, LateRow
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.queries import Criteria
from games import characters
from ledger import journal, subscriptions
from tests.support import builders
from tests.support.tablet import AT, Tablet, form, throw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
EVENING = datetime(2026, 11, 22, 20, 30, tzinfo=UTC)
ADA, BRUNO, CLEO = ("Ada", 2, 2, 7), ("Bruno", 2, 2, 4), ("Cleo", 2, 2, 1)
WITH_A_SHARE = 25 + 2  # of the seven that Ada lost (G5)


@pytest.fixture(autouse=True)
def tonight() -> Iterator[None]:
    """A moment far from the house's cut-off: what was made an hour ago is of the same day."""
    with time_machine.travel(EVENING):
        yield


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> UUID:
    return UUID(builders.opened(house))


@pytest.fixture
def tablet(house: House, game: UUID) -> Tablet:
    return Tablet(house.attendant, game)


def events(house: House, game: UUID) -> list[Any]:
    return journal.stream(establishment=house.id, stream=f"game/{game}")


def thrown(house: House, game: UUID) -> list[str]:
    facts = [each for each in events(house, game) if each.event_type.endswith("dice_thrown")]
    return [str(pseudonyms.resolve(house.id, each.data["player"])) for each in facts]


@pytest.mark.long("postgresql")
def test_entries_are_recorded_in_order_with_the_time_of_the_tap(
    house: House, game: UUID, tablet: Tablet
) -> None:
    response = tablet.became(*(tablet.entry(throw(*each)) for each in (ADA, BRUNO, CLEO)))

    assert response == ["recorded"] * 3
    assert thrown(house, game) == ["Ada", "Bruno", "Cleo"]
    told = events(house, game)[-1].provenance
    assert told.device == tablet.name
    assert told.occurred_at.isoformat() == AT


@pytest.mark.long("postgresql")
def test_an_entry_that_was_made_without_a_line_is_on_the_exception_report(
    house: House, tablet: Tablet
) -> None:
    """C2, E5: marked as sent later; what arrives at once is not listed."""
    then, now = timezone.now() - timedelta(minutes=40), timezone.now()
    tablet.sent(
        tablet.entry(throw(*ADA), at=then.isoformat()),
        tablet.entry(throw(*BRUNO), at=now.isoformat()),
    )
    builders.settled(house)

    def listed(kind: str) -> list[tuple[str, str, int]]:
        found, _older = exceptions.page(house.establishment, Criteria(kind=kind), most=50)
        return [(line.title, line.control, line.seconds // 60) for line in found]

    assert listed("offline") == [("Sent later by its device", "E5", 40)]
    assert listed("") == listed("offline")
    assert listed("skew") == []


@pytest.mark.long("postgresql")
def test_it_stops_at_the_first_refusal(house: House, game: UUID, tablet: Tablet) -> None:
    response = tablet.sent(*(tablet.entry(throw(*each)) for each in (ADA, CLEO, BRUNO)))

    assert [each["became"] for each in response["answers"]] == ["recorded", "refused"]
    refused = response["answers"][1]
    assert (refused["code"], refused["seq"]) == ("not_your_turn", 2)
    assert "Bruno" in refused["sentence"]
    assert thrown(house, game) == ["Ada"]


def test_money_leaves_with_the_same_request_that_earned_it(
    house: House, game: UUID, tablet: Tablet
) -> None:
    """What waited without a line: a round, the end, and who is paid out; no worker came between."""
    round_of = [throw(*each) for each in (ADA, BRUNO, CLEO)]
    paid = form("cash_out", player="Bruno", amount=WITH_A_SHARE)

    response = tablet.became(*map(tablet.entry, [*round_of, form("close"), paid]))

    assert response == ["recorded"] * 5
    assert events(house, game)[-1].data["amount"] == WITH_A_SHARE


def test_sent_twice_the_same_answers(house: House, game: UUID, tablet: Tablet) -> None:
    taken, wrong = tablet.entry(throw(*ADA)), tablet.entry(throw(*CLEO))
    first = tablet.sent(taken, wrong)["answers"]

    assert tablet.sent(taken, wrong)["answers"] == first
    assert thrown(house, game) == ["Ada"]


@pytest.mark.long("postgresql")
def test_what_was_recorded_before_a_takeover_stays_recorded(
    house: House, game: UUID, tablet: Tablet
) -> None:
    """Its answer was lost on the way, and the lease lapsed meanwhile."""
    entry = tablet.entry(throw(*ADA))
    tablet.sent(entry)
    Tablet(house.supervisor, game).take_over()

    assert tablet.became(entry) == ["recorded"]
    assert not device_log.load(house.id, game).waiting


@pytest.mark.long("postgresql")
def test_a_number_is_one_entry_s_for_ever(house: House, game: UUID, tablet: Tablet) -> None:
    tablet.put(throw(*ADA))
    tablet.seq = 0

    [answer] = tablet.sent(tablet.entry(throw(*BRUNO)))["answers"]

    assert (answer["became"], answer["code"]) == ("refused", "seq_reused")
    assert thrown(house, game) == ["Ada"]


@pytest.mark.long("postgresql")
def test_a_command_id_is_one_command_s_for_ever(tablet: Tablet) -> None:
    same = str(uuid.uuid4())
    tablet.put(throw(*ADA, command_id=same))

    [answer] = tablet.sent(tablet.entry(throw(*BRUNO, command_id=same)))["answers"]

    assert (answer["became"], answer["code"]) == ("refused", "command_reused")


@pytest.mark.long("postgresql")
def test_a_refused_entry_is_dropped_by_name(house: House, tablet: Tablet) -> None:
    wrong = tablet.entry(throw(*CLEO))
    tablet.sent(wrong)

    dropped = {**wrong, "as": "dropped"}
    assert tablet.became(dropped, tablet.entry(throw(*ADA))) == ["dropped", "recorded"]
    assert tablet.became(dropped) == ["dropped"]

    row = LateRow.objects.get(establishment=house.id)
    assert (row.state, row.seq, row.decided_by) == ("dropped", 1, str(house.attendant.pk))
    assert "Ada" in pseudonyms.resolve(house.id, row.refused)  # whose turn it was


@pytest.mark.long("postgresql")
def test_a_dropped_entry_is_never_put(house: House, game: UUID, tablet: Tablet) -> None:
    entry = tablet.entry(throw(*ADA))
    assert tablet.became({**entry, "as": "dropped"}) == ["dropped"]

    assert tablet.became(entry) == ["dropped"]
    assert thrown(house, game) == []


@pytest.mark.long("postgresql")
def test_a_refused_entry_is_handed_to_a_supervisor(house: House, tablet: Tablet) -> None:
    wrong = tablet.entry(throw(*CLEO))
    tablet.sent(wrong)

    assert tablet.became({**wrong, "as": "late"}) == ["late"]

    row = LateRow.objects.get(establishment=house.id)
    assert (row.state, row.why, row.made_by) == ("waiting", "handed", str(house.attendant.pk))


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("do=dance&command_id=00000000-0000-4000-8000-000000000001", "Unknown do"),
        ("do=throw&player=Ada", "dice"),
        ("do=throw&player=Ada&dice=2&command_id=one", "command_id"),
        ("", "Unknown do"),
        ("do=throw&player=Ada&dice=2&note=%00", "can be written down"),
        ("do=dance&step=%1B%5B2J", "can be written down"),
    ],
)
def test_a_form_that_is_none_is_refused_and_can_be_dropped(
    house: House, tablet: Tablet, written: str, why: str
) -> None:
    entry = tablet.entry(written)
    [answer] = tablet.sent(entry)["answers"]

    assert (answer["became"], answer["code"]) == ("refused", "malformed")
    assert why in answer["sentence"]
    assert tablet.became({**entry, "as": "dropped"}) == ["dropped"]
    row = LateRow.objects.get(establishment=house.id)
    assert row.command is None
    words = str(pseudonyms.resolve(house.id, row.words)) if row.words else ""
    assert not characters.CONTROL.search(words)
    if "Ada" in written:
        assert "player: Ada" in words


@pytest.mark.parametrize("body", [
    b"[" * 100_000, b'{"by": ' + b"1" * 5_000 + b"}", b'{"by": NaN}',
    b'{"by": "\xed\xa0\x80", "entries": [{"seq": 1}]}',
    json.dumps({"by": "\0", "entries": [{"seq": 1}]}).encode("utf-16"),
    b'{"by": "a", "by": "b", "entries": [{"seq": 1}]}',
])  # fmt: skip
def test_a_body_that_is_no_strict_json_is_refused(house: House, game: UUID, body: bytes) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(house.attendant)
    address = reverse("floor-entries", args=[game])
    answer = client.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


# fmt: off
REQUESTS: list[tuple[dict[str, Any], str]] = [
    ({"entries": []},                                              "entries"),
    ({"entries": "all"},                                           "entries"),
    ({"entries": [{"seq": 0}]},                                    "seq"),
    ({"entries": [{"seq": True}]},                                 "seq"),
    ({"entries": [{"seq": 1, "at": "noon"}]},                      "at"),
    ({"entries": [{"seq": 1, "at": "2026-11-22T20:14:03"}]},       "at"),  # which noon?
    ({"entries": [{"seq": 1, "at": AT, "term": -1}]},              "term"),
    ({"entries": [{"seq": 1, "at": AT, "as": "maybe"}]},           "as"),
    ({"entries": [{"seq": 1, "at": AT, "form": ["do"]}]},          "form"),
    ({"entries": [{"seq": 2, "at": AT}, {"seq": 1, "at": AT}]},    "order"),
    ({"entries": [{"seq": n, "at": AT} for n in range(1, 102)]},   "100"),
    ({"by": 7, "entries": [{"seq": 1, "at": AT}]},                 "by"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("body", "why"), REQUESTS)
def test_a_request_that_is_none_leaves_nothing(
    house: House, tablet: Tablet, body: dict[str, Any], why: str
) -> None:
    answer = tablet.client.post(
        reverse("floor-entries", args=[tablet.game]),
        {"by": str(house.attendant.pk), **body},
        content_type="application/json",
    )

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.json()["code"] == "malformed"
    assert why in answer.json()["sentence"]
    assert not DeviceEntry.objects.exists()


@pytest.mark.long("postgresql")
def test_somebody_else_s_entries_wait_until_they_sign_in(house: House, tablet: Tablet) -> None:
    answer = tablet.post(tablet.entry(throw(*ADA)), by=house.supervisor.pk)

    assert answer.status_code == HTTPStatus.CONFLICT
    assert answer.json()["code"] == "other_attendant"
    assert not DeviceEntry.objects.exists()


@pytest.mark.long("postgresql")
def test_signed_out_elsewhere_or_nowhere(game: UUID, tablet: Tablet) -> None:
    entry = tablet.entry(throw(*ADA))
    stranger = Tablet(builders.house().attendant, game)
    assert stranger.post(entry).status_code == HTTPStatus.NOT_FOUND

    tablet.client.logout()
    answer = tablet.post(entry)
    assert (answer.status_code, answer.json()["code"]) == (HTTPStatus.UNAUTHORIZED, "signed_out")


# --- Gaps


def gaps(house: House) -> list[tuple[int, int, int, bool]]:
    rows = GapRow.objects.filter(establishment=house.id).order_by("position")
    return [(row.first, row.last, row.filled, row.open) for row in rows]


@pytest.mark.long("postgresql")
def test_a_skipped_number_is_noticed_at_once_and_closes_when_it_arrives(
    house: House, tablet: Tablet
) -> None:
    first, second, third = (tablet.entry(throw(*each)) for each in (ADA, BRUNO, CLEO))
    tablet.sent(first)
    assert tablet.became(third) == ["refused"]  # Bruno is next; but it arrived
    assert gaps(house) == [(2, 2, 0, True)]

    assert tablet.became(second) == ["recorded"]
    assert gaps(house) == [(2, 2, 1, False)]


@pytest.mark.long("postgresql")
def test_gaps_are_each_device_s_own(house: House, game: UUID, tablet: Tablet) -> None:
    tablet.seq = 3
    tablet.put(throw(*ADA))
    sela = Tablet(house.supervisor, game)
    sela.put(throw(*BRUNO))  # late, but numbered 1
    tablet.seq += 2
    tablet.put(throw(*BRUNO))

    assert gaps(house) == [(1, 3, 0, True), (5, 6, 0, True)]
    found = GapRow.objects.filter(establishment=house.id).first()
    assert found is not None
    assert (found.device, found.held_by) == (tablet.name, str(house.attendant.pk))
    assert found.table == house.table


@pytest.mark.long("postgresql")
def test_a_gap_that_nobody_wrote_down_is_found_with_the_next_entry(
    house: House, tablet: Tablet
) -> None:
    """The process died between the number and the gap."""
    tablet.put(throw(*ADA))
    DeviceEntry.objects.create(
        establishment_id=house.id, game=tablet.game, device=tablet.name, seq=4,
        command_id=uuid.uuid4(), made_by="x", made_at=AT, received_at=AT,
    )  # fmt: skip
    tablet.seq = 4

    tablet.put(throw(*BRUNO))

    assert gaps(house) == [(2, 3, 0, True)]


def test_the_book_is_written_once(house: House, tablet: Tablet) -> None:
    """E5: what a device sent stays sent, whoever holds the database."""
    tablet.put(throw(*ADA))
    rows = DeviceEntry.objects.filter(establishment=house.id)

    for forbidden in (lambda: rows.update(made_by="nobody"), rows.delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            forbidden()
    assert rows.get().made_by == str(house.attendant.pk)


@pytest.mark.long("postgresql")
def test_names_stand_nowhere_in_what_is_kept_for_ever(
    house: House, game: UUID, tablet: Tablet
) -> None:
    Tablet(house.supervisor, game).take_over()
    tablet.put(form("no_throw", player="Ada", reason="Ada Rossi pushed Bruno", note="so says Cleo"))
    tablet.put("do=throw&player=Bruno", **{"as": "late"})
    [entry, unreadable] = journal.stream(establishment=house.id, stream=device_log.stream_of(game))

    for event in (entry, unreadable):
        written = json.dumps(dict(event.data))
        assert not any(name in written for name in ("Ada", "Bruno", "Cleo", "Rossi"))
    told = pseudonyms.resolve(house.id, entry.data["command"])
    assert told["reason"] == "Ada Rossi pushed Bruno"
    assert told["player"] == "Ada"


@pytest.mark.long("postgresql")
def test_lists_are_rebuilt_from_the_ledger(house: House, game: UUID, tablet: Tablet) -> None:
    Tablet(house.supervisor, game).take_over()
    tablet.seq = 1
    tablet.put(throw(*ADA))

    def rows() -> list[Any]:
        return [*LateRow.objects.values_list(), *GapRow.objects.values_list()]

    before = rows()
    house_subscriber.forget(house.id)
    assert rows() == []
    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)
    assert rows() == before
