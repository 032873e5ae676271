"""The office's page of proof: what is signed, kept outside, verified, parked; who may do what."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.kit.web.jobs import running
from casino.play.settlement import payout_holds
from casino.play.settlement.settled import BOOKED
from casino.proof.signing import copies, parked
from casino.proof.signing.models import SigningTrouble, Verification
from casino.proof.verification import runs
from ledger import journal
from ledger.accounts import AccountRef, Kind
from ledger.models import Event
from tests.ledger.tampering import tamper
from tests.support import builders
from tests.support.playing import (
    NOW,
    booked_events,
    nothing_parked,
    opened,
    settled,
    stake_of,
    state,
    token,
)
from tests.support.proven import appended, happened, keyed, signed

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import Settings

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture
def house(settings: Settings, tmp_path: Path) -> House:
    settings.LEDGER_KEYS_DIR = tmp_path / "secret"
    made = builders.house()
    keyed(made)
    return made


def staff(house: House, role: Role = Role.AUDITOR) -> Client:
    client = Client()
    client.force_login(house.people[role])
    return client


def page(house: House, name: str = "proof", *args: object, role: Role = Role.AUDITOR) -> str:
    answer = staff(house, role).get(reverse(name, args=args))
    assert answer.status_code == 200, answer
    return answer.content.decode()


def sent(house: House, name: str, role: Role, **fields: Any) -> Any:
    body = {"command_id": str(uuid.uuid4()), **fields}
    return staff(house, role).post(reverse(name), body, follow=True)


class TestWhatIsSigned:
    def test_a_house_that_has_signed_nothing_says_what_comes(self, house: House) -> None:
        text = page(house)
        assert "Nothing was signed yet." in text
        assert "Nothing was verified yet." in text
        assert "Nothing is copied outside" in text

    def test_the_newest_checkpoint_its_age_its_key_and_what_is_not_signed_yet(
        self, house: House
    ) -> None:
        happened(house, 3)
        checkpoint = signed(house, now=timezone.now() - timedelta(seconds=90))
        assert "all is signed" in page(house)
        happened(house, 2)

        text = page(house)

        assert "2 events to be signed" in text
        for words in (checkpoint.origin, "1 minute ago", f"{checkpoint.size} events", "One epoch"):
            assert words in text, words

    def test_what_is_in_the_way_is_said(self, house: House) -> None:
        SigningTrouble.objects.create(
            establishment=house.establishment, kind="no_key", message="Make a key: so.", since=NOW
        )
        text = page(house)
        assert "not signed" in text
        assert "There is no key to sign with." in text
        assert "Make a key: so." in text

    def test_checkpoints_come_a_page_at_a_time(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("casino.kit.web.listings.pages.LINES", 2)
        sizes = []
        for _ in range(3):
            happened(house)
            sizes.append(signed(house).size)
        client, found = staff(house), []
        address = reverse("proof-checkpoints")
        for _ in range(2):
            table = client.get(address).context["table"]
            found += [item.checkpoint.size for item in table.items]
            address = f"{reverse('proof-checkpoints')}{table.next_url}"

        assert found == sizes[::-1]
        assert table.next_url == ""
        passed_over = client.get(f"{reverse('proof-checkpoints')}?cursor=x").context["table"]
        assert len(passed_over.items) == 2
        rising = client.get(f"{reverse('proof-checkpoints')}?sort=signed_at").context["table"]
        assert [item.checkpoint.size for item in rising.items] == sizes[:2]

    def test_the_file_of_checkpoints_has_all_of_this_house_s(self, house: House) -> None:
        sizes = []
        for _ in range(2):
            happened(house)
            sizes.append(signed(house).size)
        stranger = builders.house(name="Elsewhere")
        address = f"{reverse('proof-checkpoints')}?format=json"
        [table] = staff(house).get(address).json()["tables"]
        assert [row["size"] for row in table["rows"]] == sizes[::-1]
        [none] = staff(stranger).get(address).json()["tables"]
        assert none["rows"] == []

    def test_guarantee_2_how_much_is_exposed_and_where_a_copy_failed(
        self, house: House, settings: Settings, tmp_path: Path
    ) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "file").write_text("no folder")
        settings.CHECKPOINT_COPIES = (
            f"folder:{tmp_path / 'outside'}", f"folder:{tmp_path / 'file'}"
        )  # fmt: skip
        happened(house, 2)
        size = signed(house).size
        for each in copies.from_settings():
            copies.copy(house.establishment, each, timezone.now())
        happened(house, 3)

        answer = staff(house).get(reverse("proof"))

        outside = answer.context["outside"]
        assert (outside["found"].size, outside["found"].exposed) == (size, 3)
        assert outside["exposed_for"]
        text = answer.content.decode()
        assert text.count("failed</span>") == 1
        assert "copied</span>" in text


@pytest.mark.django_db(
    transaction=True
)  # what screens read is made anew on a connection of its own
class TestVerifying:
    @pytest.mark.parametrize("role", [Role.MANAGER, Role.AUDITOR])
    def test_e2_it_is_asked_for_and_its_way_is_shown(self, house: House, role: Role) -> None:
        builders.on_record(house.establishment)
        happened(house, 3)
        answer = sent(house, "proof-verify", role)
        assert "It has begun" in answer.content.decode()
        [run] = Verification.objects.filter(establishment=house.id)
        assert (run.occasion, run.asked_by) == ("asked", house.people[role])

        part = staff(house, role).get(reverse("proof"), headers={"HX-Request": "true"})
        assert 'hx-trigger="every 2s"' in part.content.decode()
        assert "<html" not in part.content.decode()
        again = sent(house, "proof-verify", role).content.decode()
        assert "wait until that is done" in again
        while running.advance(runs.VERIFICATION, house.id, run.id, seconds=5):
            pass

        part = staff(house, role).get(reverse("proof"), headers={"HX-Request": "true"})
        assert "nothing wrong" in part.content.decode()
        assert "hx-get" not in part.content.decode()
        assert f"The last check went through {run.stop} events" in page(house)
        assert "Nothing: the records are what was signed" in page(house, "verification", run.id)

    def test_e2_what_it_found_is_said_in_words(self, house: House) -> None:
        happened(house, 5)
        signed(house)
        body = bytes(Event.objects.get(establishment=house.id, position=3).body)
        changed = body.replace(b'"n":', b'"n":4')
        tamper("UPDATE ledger_event SET body = %s WHERE position = 3", [changed])
        run = runs.ask(by=house.auditor, house=house.establishment, since=0, now=timezone.now())
        while running.advance(runs.VERIFICATION, house.id, run.id, seconds=5):
            pass

        text = page(house, "verification", run.id)

        assert "position 3" in text
        assert "until two people resume them" in text
        overview = page(house)
        assert "What was found" in overview
        assert "Nothing is signed" in overview
        assert payout_holds.stop_now(house.id) is not None

    def test_another_house_s_is_not_there(self, house: House) -> None:
        run = runs.ask(by=house.auditor, house=house.establishment, since=0, now=NOW)
        other = builders.house()
        address = reverse("verification", args=[run.id])
        assert staff(other).get(address).status_code == 404


class TestParked:
    def poisoned(self, house: House) -> tuple[uuid.UUID, AccountRef]:
        """A game in which Ada has paid 7 more than she has; and her account."""
        game = opened(house)
        stake = stake_of(house, game, "Ada")
        ada = token(house, game, "Ada")
        payment = {"from": ada, "to": "pot", "amount": 27, "rules": ["SH4"]}
        data = {
            "round": state(house, game)["round"], "loser": ada, "hand": "pair", "owed": 27,
            "first": ada, "payments": [payment], "points": [], "drinks": 0, "out": [],
            "rules": ["SH4"],
        }  # fmt: skip
        stream = f"game/{game}"
        version = journal.versions(establishment=house.id, streams=[stream])[stream]
        lost = journal.NewEvent(
            stream=stream, event_type="stone_hand.round_lost", schema_version=1, data=data
        )
        appended(house, {stream: version}, lost)
        settled(house)
        return game, stake

    def mended(self, house: House, game: uuid.UUID, stake: AccountRef) -> None:
        from casino.house.acts import acts  # noqa: PLC0415 - of this test alone

        stream = f"adjustment/{game}"
        event = journal.NewEvent(
            stream=stream, event_type="adjustment.made", schema_version=1, data={}
        )
        mend = journal.NewTransfer(
            debit=AccountRef(Kind.BANK, "house"), credit=stake, amount=7,
            reason="adjustment", event=0,
        )  # fmt: skip
        act = acts.Act(
            house=house.establishment, by=None, device="test", now=NOW,
            command_id=uuid.uuid4(), request={},
        )  # fmt: skip
        done = acts.Done(guards={stream: 0}, events=[event], transfers=[mend])
        acts.perform(act, lambda: done)

    def test_what_waits_is_shown_with_its_reason_and_counted_on_the_rail(
        self, house: House
    ) -> None:
        game, _stake = self.poisoned(house)
        text = page(house)
        assert f"game/{game}" in text
        assert "Overdrawn" in text
        assert "1 event waits" in text
        assert "Try again" not in text
        assert parked.waiting(house.id) == 1
        assert "Try again" in page(house, role=Role.MANAGER)

    def test_c2_a_manager_tries_again_and_that_is_on_record(self, house: House) -> None:
        game, stake = self.poisoned(house)
        fields = {"subscriber": "settlement", "stream": f"game/{game}"}
        stays = sent(house, "proof-retry", Role.MANAGER, **fields)
        assert "It failed again" in stays.content.decode()
        self.mended(house, game, stake)

        done = sent(house, "proof-retry", Role.MANAGER, **fields)

        assert "nothing of it waits any more" in done.content.decode()
        assert nothing_parked(house)
        assert [event.event_type for event in booked_events(house, game)] == [BOOKED]
        tries = journal.stream(establishment=house.id, stream=parked.STREAM)
        assert [each.data["stream"] for each in tries] == [f"game/{game}"] * 2
        assert {each.provenance.actor for each in tries} == {str(house.manager.pk)}

    def test_what_does_not_wait_is_not_tried(self, house: House) -> None:
        fields = {"subscriber": "settlement", "stream": "game/none"}
        answer = sent(house, "proof-retry", Role.MANAGER, **fields)
        assert "Nothing of it waits any more." in answer.content.decode()
        assert "Nothing was sent" in sent(house, "proof-retry", Role.MANAGER).content.decode()

    @pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
    def test_d1_nobody_else_may(self, house: House, role: Role) -> None:
        game, _stake = self.poisoned(house)
        fields = {"subscriber": "settlement", "stream": f"game/{game}"}
        assert sent(house, "proof-retry", role, **fields).status_code == 403
        assert not nothing_parked(house)
