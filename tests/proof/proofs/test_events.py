"""The ledger event by event: found, read, proven, and followed to what caused it."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.engine.processes.queues import house_subscriber
from casino.house.acts.game_streams.loading import GameKey, load
from casino.proof.search import events
from ledger import checkpoints, journal, subscriptions
from ledger.models import Event
from ledger.notes import SigningKey
from ledger.verify import leaf_hash
from tests.ledger.tampering import unguarded
from tests.proof.search.test_search_plans import assert_keyed, plans
from tests.proof.search.test_search_terms import in_blocks
from tests.support import builders, module_data
from tests.support.playing import NOW, opened, round_played, settled, token

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
LIST_QUERIES, PAGE_QUERIES = 17, 45  # with the order of the list that somebody chose


def a_round() -> module_data.Played:
    house = builders.house()
    game = opened(house)
    round_played(house, game)
    read(house)
    return module_data.Played(house, game)


played = module_data.shared(a_round)
house = module_data.house_where("game", builders.house)
game = module_data.what_was_played


def read(house: House) -> None:
    settled(house)
    while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
        pass


def signed(house: House) -> None:
    key = SigningKey.generate("dice.example")
    checkpoints.grow(establishment=house.id, keys=[key], name=key.name, now=timezone.now())


def positions(house: House, **criteria: Any) -> list[int]:
    found = events.list_events(house.id, events.Criteria(**criteria))
    return [event.position for event in found.events]


def whole(house: House) -> list[Any]:
    return journal.read(establishment=house.id, limit=10_000)


@pytest.mark.usefixtures("game")
class TestFinding:
    @pytest.mark.long("postgresql")
    def test_all_of_them_the_newest_first(self, house: House) -> None:
        assert positions(house) == list(range(journal.head(establishment=house.id), -1, -1))

    @pytest.mark.parametrize(
        ("name", "of"),
        [
            ("kind", lambda event: event.stream.partition("/")[0]),
            ("stream", lambda event: event.stream),
            ("event_type", lambda event: event.event_type),
            ("actor", lambda event: event.provenance.actor),
            ("device", lambda event: event.provenance.device),
            ("day", lambda event: event.provenance.gaming_day),
            ("correlation", lambda event: event.provenance.correlation_id),
            ("causation", lambda event: event.provenance.causation_id),
        ],
    )
    def test_by_each_thing_that_an_event_says(self, house: House, name: str, of: Any) -> None:
        known = whole(house)
        for value in {of(event) for event in known} - {None}:
            wanted = [event.position for event in known if of(event) == value]
            assert positions(house, **{name: value}) == wanted[::-1]
            both = positions(house, **{name: value, "kind": "game"})
            assert (
                both
                == [position for position in wanted[::-1] if known[position].stream[:5] == "game/"]
                or name == "kind"
            )

    @pytest.mark.long("postgresql")
    def test_by_when_it_was_recorded(self, house: House) -> None:
        known = whole(house)
        for since, until in (
            (NOW, NOW), (NOW + timedelta(hours=1), None), (None, NOW - timedelta(hours=1)),
            (NOW - timedelta(hours=1), NOW + timedelta(hours=1)),
        ):  # fmt: skip
            wanted = [
                event.position
                for event in known
                if (since is None or event.provenance.recorded_at >= since)
                and (until is None or event.provenance.recorded_at <= until)
            ]
            assert positions(house, since=since, until=until) == wanted[::-1]

    @pytest.mark.long("postgresql")
    def test_pages_follow_one_another_without_a_gap(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for criteria in (
            events.Criteria(),
            events.Criteria(kind="game"),
            events.Criteria(device="x"),
        ):
            monkeypatch.undo()
            wanted = [each.position for each in events.list_events(house.id, criteria).events]
            monkeypatch.setattr(events, "PAGE", 3)
            monkeypatch.setattr(events, "WINDOW", 2)
            got, before = [], None
            while True:
                page = events.list_events(house.id, criteria, before=before)
                got += [each.position for each in page.events]
                before = page.older
                if before is None:
                    break
            assert got == wanted

    @pytest.mark.usefixtures("house")
    def test_at_no_other_house(self, game: uuid.UUID) -> None:
        stranger = builders.house()
        assert positions(stranger) == []
        assert positions(stranger, stream=f"game/{game}") == []
        client = builders.signed_in(stranger.auditor)
        assert client.get(reverse("ledger-event", args=[1])).status_code == 404
        assert client.get(reverse("ledger-event-body", args=[1])).status_code == 404


class TestThePages:
    @pytest.mark.usefixtures("game")
    def test_attendants_have_no_business_there(self, house: House) -> None:
        for who, status in (
            (house.attendant, 403), (house.supervisor, 200), (house.manager, 200),
            (house.auditor, 200),
        ):  # fmt: skip
            client = builders.signed_in(who)
            for address in (
                reverse("ledger-events"),
                reverse("ledger-event", args=[0]),
                reverse("ledger-event-body", args=[0]),
            ):
                assert client.get(address).status_code == status, (address, who)

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_every_event_has_one(self, house: House) -> None:
        signed(house)
        client = builders.signed_in(house.auditor)
        for event in whole(house):
            page = client.get(reverse("ledger-event", args=[event.position]))
            assert page.status_code == 200
            assert page.context["proof"]["state"] == "holds"
            assert event.leaf_hash.hex() in page.content.decode()
            assert reverse("ledger-check", args=[
                house.id, event.position, event.leaf_hash.hex()
            ]) in page.content.decode()  # fmt: skip

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_what_is_not_signed_yet_says_so(self, house: House) -> None:
        page = builders.signed_in(house.auditor).get(reverse("ledger-event", args=[1]))
        assert page.context["proof"] == {"state": "waits"}

    @pytest.mark.usefixtures("game")
    def test_e2_a_body_that_was_changed_is_not_as_it_was_signed(self, house: House) -> None:
        signed(house)
        with unguarded():
            row = Event.objects.get(establishment=house.id, position=1)
            body = bytes(row.body).replace(b'"amount":20', b'"amount":21')
            body = body if body != bytes(row.body) else bytes(row.body)[:-1] + b" }"
            Event.objects.filter(establishment=house.id, position=1).update(body=body)
        page = builders.signed_in(house.auditor).get(reverse("ledger-event", args=[1]))
        assert not page.context["leaf_holds"]
        assert page.context["proof"]["state"] == "altered"
        assert "not as it was signed" in page.content.decode()

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_the_bytes_are_those_that_are_hashed(self, house: House) -> None:
        client = builders.signed_in(house.auditor)
        for event in whole(house)[:4]:
            address = reverse("ledger-event-body", args=[event.position])
            answer = client.get(address)
            assert answer.content == event.body
            assert leaf_hash(answer.content) == event.leaf_hash
            assert "attachment" in answer.headers["Content-Disposition"]
            as_hex = client.get(address, {"format": "hex"}).content.decode()
            assert bytes.fromhex(re.sub(r"\s", "", as_hex)) == event.body

    @pytest.mark.long("postgresql")
    def test_names_are_shown_and_the_ledger_keeps_tokens(
        self, house: House, game: uuid.UUID
    ) -> None:
        ada = token(house, game, "Ada")
        opening = load(GameKey(house.id, game)).opening.position
        client = builders.signed_in(house.supervisor)
        page = client.get(reverse("ledger-event", args=[opening]))
        assert '"Ada"' in page.context["pretty"]
        assert ada in page.context["body"]
        assert "Ada" not in page.context["body"]

        house.establishment.player_set.filter(token=ada).update(name=None)
        page = client.get(reverse("ledger-event", args=[opening]))
        assert "Ada" not in page.content.decode()
        assert ada in page.context["pretty"]

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_what_it_says_is_what_it_holds(self, house: House) -> None:
        client = builders.signed_in(house.auditor)
        for event in whole(house):
            page = client.get(reverse("ledger-event", args=[event.position]))
            assert (
                json.loads(page.context["body"])["data"].keys()
                == json.loads(page.context["pretty"]).keys()
            )
            assert len(page.context["transfers"]) == len(event.transfers)

    @pytest.mark.long("postgresql")
    def test_causes_are_followed_both_ways(self, house: House, game: uuid.UUID) -> None:
        booked = next(event for event in whole(house) if event.event_type == "settlement.booked")
        [cause] = events.causes(house.id, booked)
        assert cause.event_id == booked.provenance.causation_id
        assert booked.position in {
            each.position for brood in events.effects(house.id, cause) for each in brood
        }
        client = builders.signed_in(house.auditor)
        down = client.get(reverse("ledger-event", args=[cause.position])).content.decode()
        up = client.get(reverse("ledger-event", args=[booked.position])).content.decode()
        assert reverse("ledger-event", args=[booked.position]) in down
        assert reverse("ledger-event", args=[cause.position]) in up
        assert reverse("game-at", args=[game, cause.stream_version]) in down

    @pytest.mark.long("postgresql")
    def test_one_goes_from_event_to_event(self, house: House, game: uuid.UUID) -> None:
        last = load(GameKey(house.id, game)).events[-1]
        client = builders.signed_in(house.auditor)
        page = client.get(reverse("ledger-event", args=[last.position]))
        assert (
            page.context["neighbours"]["stream_before"]
            == load(GameKey(house.id, game)).events[-2].position
        )
        assert "stream_after" not in page.context["neighbours"]
        assert client.get(reverse("ledger-event", args=[0])).context["before"] is None

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        "asked",
        [
            {"kind": "x"}, {"day": "x"}, {"correlation": "x"}, {"before": "-1"}, {"head": "x"},
            {"actor": "nobody"}, {"stream": "' OR 1"}, {"since": "x"}, {"event_type": "\u2028"},
        ],
    )  # fmt: skip
    @pytest.mark.usefixtures("game")
    def test_what_is_no_address_of_ours_is_no_error(
        self, house: House, asked: dict[str, str]
    ) -> None:
        page = builders.signed_in(house.auditor).get(reverse("ledger-events"), asked)
        assert page.status_code == 200

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_people_are_found_by_their_names(self, house: House) -> None:
        client = builders.signed_in(house.auditor)
        page = client.get(reverse("ledger-events"), {"actor": house.attendant.username})
        rows = page.context["table"].items
        assert rows
        assert {row["event"].provenance.actor for row in rows} == {str(house.attendant.pk)}

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_the_position_is_live(self, house: House) -> None:
        head = journal.head(establishment=house.id)
        client = builders.signed_in(house.auditor)
        same = client.get(reverse("ledger-events"), {"head": str(head)})
        older = client.get(reverse("ledger-events"), {"head": str(head - 1)})
        assert "Show what is new" not in same.content.decode()
        assert "Show what is new" in older.content.decode()
        assert "<html" not in older.content.decode()

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("rounds", [1, 3])
    def test_cost_the_same_however_long_the_ledger_is(
        self, house: House, rounds: int, django_assert_num_queries: DjangoAssertNumQueries,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:  # fmt: skip
        for _ in range(rounds):
            game = opened(house)
            last = round_played(house, game)
            builders.put(house, str(game), builders.command("close"))
        read(house)
        signed(house)
        client = builders.signed_in(house.auditor)
        client.get(reverse("ledger-events"))
        with django_assert_num_queries(LIST_QUERIES):
            client.get(reverse("ledger-events"), {"kind": "game"})
        with django_assert_max_num_queries(PAGE_QUERIES):
            client.get(reverse("ledger-event", args=[last.position]))


@pytest.mark.parametrize(
    "criteria",
    [
        {"kind": "game"}, {"event_type": "game.voided"}, {"actor": "a"}, {"device": "d"},
        {"stream": "game/x"}, {"correlation": uuid.UUID(int=1)}, {"causation": uuid.UUID(int=1)},
        {"day": NOW.date()}, {"since": NOW, "until": NOW}, {"kind": "game", "device": "tablet-1"},
    ],
)  # fmt: skip
@pytest.mark.usefixtures("game")
def test_a_page_reads_down_an_index(
    house: House, criteria: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No plan reads the whole of a table, nor sorts what an index has in order already."""
    in_blocks(house, monkeypatch, positions=4)
    with CaptureQueriesContext(connection) as queries:
        events.list_events(house.id, events.Criteria(**criteria))
    assert_keyed(queries, criteria)
    for sql, plan in plans(queries):
        assert "TEMP B-TREE" not in plan or "recorded_at" in sql, plan  # of one block's events


@pytest.mark.usefixtures("game")
class TestTheList:
    def items(self, house: House, address: str) -> Any:
        page = builders.signed_in(house.auditor).get(address)
        assert page.status_code == 200
        return page.context["table"]

    @pytest.mark.long("postgresql")
    def test_its_pages_follow_one_another_to_the_first_event(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("casino.kit.web.listings.pages.LINES", 3)
        monkeypatch.setattr(events, "WINDOW", 2)
        device = whole(house)[-1].provenance.device
        for query in ("", "?kind=game", f"?kind=rollover&device={device}"):
            address, got = f"{reverse('ledger-events')}{query}", []
            while True:
                table = self.items(house, address)
                got += [item["event"].position for item in table.items]
                if not table.next_url:
                    break
                address = f"{reverse('ledger-events')}{table.next_url}"
            known = [each for each in whole(house) if not query or each.stream[:5] == "game/"]
            wanted = [] if "device" in query else [each.position for each in known][::-1]
            assert got == wanted

    @pytest.mark.long("postgresql")
    def test_its_file_has_the_same_lines(self, house: House) -> None:
        address = f"{reverse('ledger-events')}?kind=game"
        listed = [item["event"].position for item in self.items(house, address).items]
        answer = builders.signed_in(house.auditor).get(f"{address}&format=json")
        [table] = json.loads(b"".join(answer) if answer.streaming else answer.content)["tables"]
        assert [row["position"] for row in table["rows"]] == listed
        assert listed

    @pytest.mark.long("postgresql")
    def test_a_file_that_would_look_at_too_much_is_refused(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(events, "WINDOW", 1)
        monkeypatch.setattr("casino.kit.web.listings.keyset.FURTHER_MOST", 2)
        day = whole(house)[-1].provenance.gaming_day
        address = f"{reverse('ledger-events')}?kind=rollover&day={day}&format=csv"
        answer = builders.signed_in(house.auditor).get(address)
        assert answer.status_code == 422
        assert "narrow it down" in answer.content.decode()

    def test_another_house_sees_none_of_it(self) -> None:
        stranger = builders.house(name="Elsewhere")
        listed = self.items(stranger, reverse("ledger-events")).items
        assert {item["event"].establishment for item in listed} <= {stranger.id}

    @pytest.mark.long("postgresql")
    def test_who_is_told_no_event_gets_none(self, house: House) -> None:
        client = builders.signed_in(house.attendant)
        assert client.get(f"{reverse('ledger-events')}?format=csv").status_code == 403
