"""A ledger that was altered, or is behind what is kept outside: nothing is signed or paid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from casino.office.monitoring import checks as health
from casino.play.settlement import payout_holds
from casino.proof.signing import copies, keys, signing
from casino.proof.signing.models import SigningTrouble, Verification, VerificationFinding
from ledger import journal
from ledger.models import Event
from ledger.notes import SigningKey
from tests.ledger.tampering import tamper
from tests.support import builders, proven
from tests.support.playing import NOW
from tests.support.proven import (
    LATER,
    happened,
    keyed,
    newest,
    proof_page,
    read,
    signed,
    start_page,
    trouble,
    well,
    with_a_ledger,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

State, Kind = Verification.State, SigningTrouble.Kind


@pytest.fixture(autouse=True)
def _before_all_else(key_folder: object) -> None:
    del key_folder


@pytest.fixture
def house() -> House:
    return with_a_ledger()


class TestAltered:
    """E2: payouts of that house stop, it signs nothing until a verification is sound."""

    @pytest.fixture
    def body(self, house: House) -> bytes:
        """What stood where now something else stands."""
        keyed(house)
        signed(house)
        happened(house)
        return proven.change_a_body(house, 1)

    @pytest.mark.usefixtures("body")
    def test_a_changed_body_stops_signing_and_payouts_once(self, house: House) -> None:
        last = newest(house)

        with capture_logs() as logs:
            for _ in range(3):
                assert signing.sign(house.establishment, NOW) is None

        run = Verification.objects.get(establishment=house.id)
        finding = VerificationFinding.objects.get(establishment=house.id, job=run.id)
        assert (run.state, run.occasion, run.findings) == (State.BROKEN, "sign", 1)
        assert (finding.details["from"], finding.details["to"]) == (0, last.size - 1)
        stopped = payout_holds.stop_now(house.id)
        assert stopped is not None
        assert (stopped.why, stopped.about) == ("verification", str(run.id))
        assert (
            Event.objects.filter(establishment=house.id, event_type=payout_holds.STOPPED).count()
            == 1
        )
        assert newest(house).size == last.size
        assert [each["event"] for each in logs] == ["not_signed"]

    @pytest.mark.usefixtures("body")
    def test_health_and_the_start_page_say_so(self, house: House) -> None:
        signing.sign(house.establishment, NOW)

        assert not well()
        assert house.establishment.name in health.integrity(NOW).says
        assert "not what was signed" in start_page(house)

    @pytest.mark.usefixtures("body")
    def test_other_houses_go_on(self, house: House) -> None:
        other = builders.house()
        happened(other)
        keyed(other)
        signing.sign(house.establishment, NOW)

        assert signed(other)
        assert payout_holds.stop_now(other.id) is None

    def test_it_signs_again_after_a_later_verification_is_sound(
        self, house: House, body: bytes
    ) -> None:
        signing.sign(house.establishment, NOW)
        proven.put_back(house, 1, body)
        assert signing.sign(house.establishment, LATER) is None

        Verification.objects.create(
            establishment=house.establishment, occasion="asked", asked_at=LATER,
            stop=journal.head(establishment=house.id) + 1, reached=0, cursor={"stage": "done"},
            state=State.SOUND, worked_at=LATER, finished_at=LATER,
        )  # fmt: skip

        assert signed(house, now=LATER)
        assert trouble(house) is None
        assert well()

    def test_a_note_that_cannot_be_read_is_no_less_a_change(self, house: House) -> None:
        keyed(house)
        signed(house)
        happened(house)
        tamper("UPDATE ledger_checkpoint SET note = %s", ["nothing of ours"])

        assert signing.sign(house.establishment, NOW) is None
        assert trouble(house) == Kind.BROKEN
        assert payout_holds.stop_now(house.id) is not None


class TestBehindWhatIsKeptOutside:
    @pytest.fixture
    def outside(self, settings: Settings, tmp_path: Path) -> Path:
        folder = tmp_path / "outside"
        folder.mkdir()
        settings.CHECKPOINT_COPIES = (f"folder:{folder}",)
        return folder

    @pytest.fixture
    def restored(self, house: House, outside: Path) -> House:
        """To a backup that knows nothing of the last events, and of no copy."""
        keyed(house)
        size = signed(house).size
        happened(house, 5)
        sent(house)
        assert list((outside / str(house.id)).iterdir())
        proven.restored_to(house, size)
        return house

    def test_nothing_is_signed_and_payouts_stop_for_that(self, restored: House) -> None:
        """What the book lacks was paid all the same: who is paid now might be paid twice (E2)."""
        size = newest(restored).size
        happened(restored)

        with capture_logs() as logs:
            for _ in range(2):
                assert signing.sign(restored.establishment, NOW) is None
                happened(restored)

        assert trouble(restored) == Kind.BEHIND
        assert newest(restored).size == size
        stopped = payout_holds.stop_now(restored.id)
        assert stopped is not None
        assert stopped.why == "behind"
        assert stopped.version == 1
        assert not Verification.objects.exists()  # nothing in the book is false
        assert "open a new epoch" in health.integrity(NOW).says
        assert "open a new epoch" in proof_page(restored)
        assert [each["event"] for each in logs] == ["not_signed"]

    def test_a_book_as_long_that_says_something_else_is_a_failed_check(
        self, restored: House
    ) -> None:
        happened(restored, 9, now=LATER)

        assert signing.sign(restored.establishment, LATER) is None

        assert trouble(restored) == Kind.BROKEN
        assert payout_holds.stop_now(restored.id) is not None

    def test_what_others_put_there_says_nothing(self, house: House, outside: Path) -> None:
        keyed(house)
        signed(house)
        stranger = SigningKey.generate(keys.origin(house.id))
        folder = outside / str(house.id)
        folder.mkdir()
        row = newest(house)
        text = read(row).text.replace(f"\n{row.size}\n", "\n999\n")
        note = f"{text}\n{stranger.sign(text)}\n"
        (folder / "latest.checkpoint").write_text(note)
        happened(house)

        assert signed(house)


def sent(house: House) -> None:
    """Sign, and copy at once to each destination."""
    signed(house)
    for each in copies.from_settings():
        assert copies.copy(house.establishment, each, NOW)
