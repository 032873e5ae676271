"""A house signs its ledger with its own keys; what is in the way is said, and stays its own."""

from __future__ import annotations

from inspect import getclosurevars
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from structlog.testing import capture_logs

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.office.monitoring import checks as health
from casino.play.core.subscriptions.tasks import advance
from casino.play.settlement import payout_holds
from casino.proof.signing import keys, queries, signing, tasks
from casino.proof.signing.models import SigningTrouble, Verification
from casino.reports.gaming_days import queries as gaming_days_queries
from casino.reports.gaming_days.models import GamingDay
from ledger import checkpoints, journal, subscriptions, verify
from ledger.models import Checkpoint, Event
from ledger.notes import SigningKey
from tests.support import builders, proven
from tests.support.at_once import at_once, on_a_file
from tests.support.dayend import TODAY, closed
from tests.support.playing import NOW, done, opened, settled
from tests.support.proven import (
    LATER,
    happened,
    keyed,
    newest,
    proof_page,
    read,
    signed,
    signers,
    trouble,
    well,
    with_a_ledger,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

State, Kind = Verification.State, SigningTrouble.Kind


@pytest.fixture(autouse=True)
def _before_all_else(key_folder: object) -> None:
    del key_folder


@pytest.fixture
def house() -> House:
    return with_a_ledger()


class TestSigning:
    def test_a_checkpoint_is_signed_by_a_key_that_the_ledger_itself_names(
        self, house: House
    ) -> None:
        keyed(house)

        found = signed(house)

        [key] = keys.public_keys(house.id)
        assert verify.Trust(keys=(key,)).believe(read(found))
        announced = Event.objects.get(establishment=house.id, event_type="keys.announced")
        assert announced.position < found.size
        [announcement] = journal.stream(establishment=house.id, stream=keys.STREAM)
        assert announcement.data["vkey"] == str(key)

    def test_nothing_new_is_signed_once(self, house: House) -> None:
        keyed(house)
        signed(house)

        assert signing.sign(house.establishment, LATER) is None
        assert Checkpoint.objects.filter(establishment=house.id).count() == 1

    def test_a_house_in_which_nothing_happened_signs_nothing_and_is_well(self) -> None:
        idle = builders.house()

        assert signing.sign(idle.establishment, NOW) is None
        assert trouble(idle) is None

    def test_a_key_that_somebody_put_there_by_hand_is_on_record_before_it_signs(
        self, house: House
    ) -> None:
        keyed(house)
        signed(house)
        second = keys.add_to_file(house.id, keys.origin(house.id))
        assert not keys.record_of(house.id).holds(second.public.public)

        found = signed(house, now=LATER)

        assert signers(found) == {key.id for key in keys.public_keys(house.id)}
        assert len(signers(found)) == 2
        [*_, announced] = journal.stream(establishment=house.id, stream=keys.STREAM)
        assert (announced.event_type, announced.data["vkey"]) == (
            "keys.announced",
            str(second.public),
        )
        assert announced.position < found.size

    def test_keys_of_the_environment_come_first(self, house: House, settings: Settings) -> None:
        other = builders.house()
        names = [keys.origin(house.id), keys.origin(other.id)]
        own, others = (SigningKey.generate(name) for name in names)
        settings.LEDGER_KEYS = (others.line, own.line)
        settings.LEDGER_KEYS_DIR = None

        assert signers(signed(house)) == {own.public.id}
        assert keys.signing_keys(other.id) == (others,)


class TestNoKey:
    """Nothing crashes, and it is said once: with the command to run."""

    @pytest.fixture(autouse=True)
    def production(self, settings: Settings) -> None:
        settings.PRODUCTION = True

    def test_a_house_without_one_says_which_command_to_run(self, house: House) -> None:
        with capture_logs() as logs:
            for _ in range(3):
                assert signing.sign(house.establishment, NOW) is None

        command = f"manage.py ledger_keys --make --establishment {house.id}"
        assert trouble(house) == Kind.NO_KEY
        assert command in health.integrity(NOW).says
        assert command in proof_page(house)
        assert [each["event"] for each in logs] == ["not_signed"]

    def test_it_signs_as_soon_as_there_is_one(self, house: House) -> None:
        signing.sign(house.establishment, NOW)
        keyed(house)

        signed(house)

        assert trouble(house) is None
        assert well()

    def test_others_sign_meanwhile(self, house: House) -> None:
        other = builders.house()
        happened(other)
        keyed(other)
        signing.sign(house.establishment, NOW)

        assert signed(other)

    @pytest.mark.parametrize("line", ["PRIVATE+KEY+c2VjcmV0", "nonsense", "PRIVATE+KEY+a+b+c"])
    def test_a_key_that_cannot_be_read_is_not_quoted(self, house: House, line: str) -> None:
        keyed(house)
        keys.path_of_file(house.id).write_text(f"{line}\n")

        signing.sign(house.establishment, NOW)

        row = queries.trouble(house.id)
        assert row is not None
        assert f"line 1 of {keys.path_of_file(house.id)}" in row.message
        assert "c2VjcmV0" not in row.message

    def test_a_key_of_another_house_signs_nothing(self, house: House) -> None:
        other = builders.house()
        key = keys.make_file(other.id, keys.origin(other.id))
        keys.path_of_file(house.id).write_text(f"{key.line}\n")

        assert signing.sign(house.establishment, NOW) is None
        assert "another ledger" in str(queries.trouble(house.id))


class TestEmbedded:
    @pytest.fixture(autouse=True)
    def embedded(self, settings: Settings) -> None:
        settings.PRODUCTION = False

    def test_a_house_makes_its_first_key_for_its_owner_s_eyes_only(self, house: House) -> None:
        signed(house)

        assert keys.path_of_file(house.id).stat().st_mode & 0o777 == 0o600

    def test_a_lost_key_is_not_replaced_without_a_person(self, house: House) -> None:
        signed(house)
        keys.path_of_file(house.id).unlink()
        happened(house)

        assert signing.sign(house.establishment, NOW) is None
        assert trouble(house) == Kind.NO_KEY


def wakes_the_signing(waits: Callable[[], object]) -> bool:
    """
    Whether what waits for a commit is a wake of who signs
    (`casino.engine.processes.queues.waking`).
    """
    return getclosurevars(waits).nonlocals.get("self") is tasks.WAKES


class TestAtOnce:
    """A game's end and a day's close are signed without waiting for the next look."""

    def callbacks(self, house: House, capture: DjangoCaptureOnCommitCallbacks) -> int:
        """How many wakes wait for the commit of what has been read now."""
        with capture() as found:
            advance(HOUSE, house.id)
        return sum(map(wakes_the_signing, found))

    def test_the_end_of_a_game_wakes_the_signing(
        self, house: House, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
    ) -> None:
        advance(HOUSE, house.id)
        game = opened(house)
        assert self.callbacks(house, django_capture_on_commit_callbacks) == 0
        done(house, game, "close")

        assert self.callbacks(house, django_capture_on_commit_callbacks) == 1

    def test_so_does_the_close_of_a_day(
        self, house: House, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
    ) -> None:
        """B4."""
        with django_capture_on_commit_callbacks() as found:
            closed(house, TODAY)

        assert any(map(wakes_the_signing, found))

    def test_what_is_read_anew_wakes_nobody(
        self, house: House, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
    ) -> None:
        keyed(house)
        done(house, opened(house), "close")
        settled(house)
        signed(house)
        subscriptions.rebuild(HOUSE, establishment=house.id)

        assert self.callbacks(house, django_capture_on_commit_callbacks) == 0

    def test_a_closed_day_shows_the_checkpoint_that_covers_its_close(self, house: House) -> None:
        keyed(house)
        closing = closed(house, TODAY)
        row = GamingDay.objects.get(establishment=house.id, day=TODAY)
        assert (
            gaming_days_queries.summary_of_day(house.establishment, row, closing)["checkpoint"]
            is None
        )

        found = signed(house)
        happened(house)
        signed(house)

        summary = gaming_days_queries.summary_of_day(house.establishment, row, closing)[
            "checkpoint"
        ]
        assert closing.position < found.size
        assert summary["size"] == found.size
        assert summary["short_root"] in found.note
        client = Client()
        client.force_login(house.manager)
        page = client.get(f"/days/{TODAY.isoformat()}/")
        assert summary["short_root"] in page.text.replace("&#43;", "+")


@pytest.mark.django_db(transaction=True)
class TestWorkersAtOnce:
    def test_they_sign_once(self, tmp_path: Path) -> None:
        house = builders.house()
        happened(house, 3)
        keyed(house)
        with on_a_file(tmp_path):
            found = at_once(4, lambda _: signing.sign(house.establishment, NOW))

            assert len([each for each in found if each is not None]) == 1
            assert Checkpoint.objects.filter(establishment=house.id).count() == 1

    def test_they_stop_payouts_once(self, tmp_path: Path) -> None:
        house = builders.house()
        happened(house, 3)
        keyed(house)
        signed(house)
        happened(house)
        proven.change_a_body(house, 1)
        with on_a_file(tmp_path):
            found = at_once(4, lambda _: signing.sign(house.establishment, NOW))

            assert found == [None] * 4
            assert Verification.objects.filter(establishment=house.id).count() == 1
            stopped = Event.objects.filter(establishment=house.id, event_type=payout_holds.STOPPED)
            assert stopped.count() == 1


def test_a_signed_ledger_is_compared_with_what_was_signed_before_it_grows(house: House) -> None:
    keyed(house)
    signed(house)
    happened(house)
    signed(house)

    checkpoints.compare(house.id, newest(house))
