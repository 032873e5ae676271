"""A house that was restored from a copy says so, and what it lost is sent again (guarantee 2)."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError
from django.utils import timezone

from casino.house.acts import acts
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms.models import Text
from casino.house.establishments import epochs as house_epochs
from casino.proof.signing import copies, epochs, keys
from games.refusals import Refused
from ledger import checkpoints, journal, verify
from tests.support import builders
from tests.support.builders import opened, put, settled, signed_in, throw
from tests.support.exported import exported, output_of
from tests.support.lost_events import lost, restored, signed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

REASON = "The disk died; the copy of the evening was put back."


@pytest.fixture(autouse=True)
def _keys(settings: Any, tmp_path: Path) -> None:
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"


@pytest.fixture
def house() -> House:
    house = builders.house()
    builders.on_record(house.establishment)
    keys.make_file(house.id, keys.origin(house.id))
    return house


def act(house: House, **more: Any) -> acts.Act:
    values = {"by": house.manager, "now": timezone.now(), "device": "office", **more}
    return acts.Act(house=house.establishment, command_id=uuid.uuid4(), request={}, **values)


def reopened(house: House, published: verify.Checkpoint, **more: Any) -> journal.StoredEvent:
    receipt = epochs.open_epoch(act(house, **more), published=published, reason=REASON)
    [event] = acts.events_of(house.id, receipt)
    return event


@pytest.mark.long("postgresql")
def test_the_first_event_of_the_new_epoch_names_what_was_lost(house: House) -> None:
    ahead, _, _ = restored(house)
    survived = checkpoints.latest(house.id)
    assert survived is not None

    event = reopened(house, ahead)

    assert event.event_type == "ledger.epoch_opened"
    assert event.data["epoch"] == 2
    assert event.data["lost"] == {"from": survived.size, "to": ahead.size - 1}
    assert event.data["published"]["size"] == ahead.size
    assert event.provenance.actor == str(house.manager.pk)
    assert Text.objects.get(token=event.data["reason"]).text == REASON


@pytest.mark.long("postgresql")
def test_the_house_signs_on_under_another_origin_and_the_old_one_stays(
    house: House, tmp_path: Path
) -> None:
    ahead, _, _ = restored(house)
    reopened(house, ahead)

    later = signed(house)

    assert later.origin == f"{ahead.origin}/2"
    exported(house, tmp_path / "out")
    key = [f"--key={each}" for each in keys.every_public_key(house.id)]
    assert verify.main(["export", str(tmp_path / "out"), "--contents", *key]) == 0
    manifest = verify.Export(tmp_path / "out").manifest
    assert [each["origin"] for each in manifest["epochs"]] == [ahead.origin, later.origin]


@pytest.mark.long("postgresql")
def test_who_kept_a_checkpoint_that_was_lost_is_told_what_became_of_it(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that something was changed: the book says itself what it lost, and where."""
    ahead, _, _ = restored(house)
    event = reopened(house, ahead)
    signed(house)
    exported(house, tmp_path / "out")
    (tmp_path / "kept").write_text(ahead.note)

    status = verify.main(["export", str(tmp_path / "out"), "--checkpoint", str(tmp_path / "kept")])

    assert status == 1
    assert (
        f"position {event.position} says that the house lost positions"
        f" {event.data['lost']['from']} to {event.data['lost']['to']} and began another epoch"
    ) in capsys.readouterr().err


def test_a_command_that_was_acknowledged_and_lost_is_sent_again_and_counts_once(
    house: House,
) -> None:
    """Also where a device does not know whether it was lost, and sends what was not (G1)."""
    ahead, game, command = restored(house)
    reopened(house, ahead)

    [again] = put(house, game, command)
    [twice] = put(house, game, command)

    assert again["events"] == twice["events"]
    thrown = [
        event
        for event in journal.stream(establishment=house.id, stream=f"game/{game}")
        if event.provenance.command_id == uuid.UUID(command["command_id"])
    ]
    assert len(thrown) == len(again["events"])
    settled(house)


@pytest.mark.long("postgresql")
def test_nothing_is_opened_where_nothing_was_lost(house: House) -> None:
    opened(house)
    published = signed(house)

    with pytest.raises(Refused, match="nothing was lost") as refused:
        reopened(house, published)

    assert refused.value.code == "nothing_lost"
    assert house_epochs.restoration(house.establishment, timezone.now()) is None


def test_a_loss_is_put_on_record_once(house: House) -> None:
    ahead, _, _ = restored(house)
    reopened(house, ahead)

    with pytest.raises(Refused, match="Epoch 2 is open"):
        reopened(house, ahead)


def test_a_house_that_was_restored_twice_is_in_its_third_epoch(house: House) -> None:
    ahead, game, _ = restored(house)
    reopened(house, ahead)
    signed(house)
    with lost():
        put(house, game, throw("Bruno", 2, 3, 4))
        second = signed(house)

    event = reopened(house, second)

    assert event.data["epoch"] == 3
    assert signed(house).origin == f"{ahead.origin}/3"


@pytest.mark.long("postgresql")
def test_what_the_house_has_not_signed_opens_nothing(house: House) -> None:
    """Else anybody could end an epoch with a file of their own."""
    opened(house)
    other = builders.house()
    opened(other)
    keys.make_file(other.id, keys.origin(other.id))
    true = signed(house)
    [mine] = true.signatures
    forged = verify.Checkpoint.parse(
        true.note.replace(f"\n{true.size}\n", f"\n{true.size + 9}\n").encode()
    )
    assert forged.signatures == (mine,)

    for published in (forged, signed(other)):
        with pytest.raises(epochs.NotOurs):
            reopened(house, published)


@pytest.mark.long("postgresql")
def test_it_is_opened_with_the_newest_checkpoint_that_a_folder_has(
    house: House, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    settings.CHECKPOINT_COPIES = (f"folder:{tmp_path / 'outside'}",)
    game = opened(house)
    with lost():
        put(house, game, throw("Ada", 2, 2, 7))
        first = signed(house)
        put(house, game, throw("Bruno", 2, 3, 4))
        second = signed(house)
        [outside] = copies.from_settings()
        assert copies.copy(house.establishment, outside, timezone.now())

    with pytest.raises(epochs.NewerPublished):
        reopened(house, first)
    assert reopened(house, second).data["lost"]["to"] == second.size - 1


def test_only_who_keeps_the_houses_things_opens_one(house: House) -> None:
    ahead, _, _ = restored(house)

    with pytest.raises(NotYours):
        reopened(house, ahead, by=house.attendant)


@pytest.mark.long("postgresql")
def test_nobody_opens_one_without_a_reason(house: House) -> None:
    ahead, _, _ = restored(house)

    with pytest.raises(epochs.NoReason):
        epochs.open_epoch(act(house), published=ahead, reason="  ")


@pytest.mark.long("postgresql")
def test_devices_are_told_the_epoch_and_from_when_on_to_send_again(house: House) -> None:
    ahead, _, _ = restored(house)
    assert house.client().get(house.url()).json()["restored"] is None
    event = reopened(house, ahead)

    answer = house.client().get(house.url()).json()["restored"]

    last = journal.read(establishment=house.id, after=event.data["lost"]["from"] - 2, limit=1)[0]
    assert answer["epoch"] == 2
    assert answer["since"] == event.provenance.recorded_at.isoformat().replace("+00:00", "Z")
    assert answer["copied"] == last.provenance.recorded_at.isoformat().replace("+00:00", "Z")


def pages(house: House, game: str) -> list[str]:
    floor, office = signed_in(house.attendant), signed_in(house.manager)
    return [
        floor.get("/floor/").content.decode(),
        floor.get(f"/floor/games/{game}/").content.decode(),
        office.get("/").content.decode(),
    ]


@pytest.mark.long("postgresql")
def test_people_are_told_until_the_gaming_day_ends(house: House) -> None:
    ahead, game, _ = restored(house)
    assert not any("was restored from a copy" in page for page in pages(house, game))
    reopened(house, ahead)
    epoch = house_epochs.restoration(house.establishment, timezone.now())
    assert epoch is not None
    assert epoch.copied is not None

    sentence = (
        f"The book was restored from a copy of {epoch.copied:%H:%M}."
        " What was entered after that has to be entered again."
    )

    assert all(sentence in page for page in pages(house, game))
    tomorrow = timezone.now() + timedelta(days=1)
    assert house_epochs.notice(house.establishment, tomorrow) is None
    assert house_epochs.restoration(house.establishment, tomorrow) is not None


@pytest.mark.long("postgresql")
def test_a_copy_without_any_checkpoint_says_no_time(house: House) -> None:
    game = opened(house)
    with lost():
        put(house, game, throw("Ada", 2, 2, 7))
        ahead = signed(house)
    reopened(house, ahead)

    epoch = house_epochs.restoration(house.establishment, timezone.now())

    assert epoch is not None
    assert epoch.copied is None
    assert all("restored from an older copy" in page for page in pages(house, game))


@pytest.mark.long("postgresql")
def test_the_command_opens_it_and_signs(house: House, tmp_path: Path) -> None:
    ahead, _, _ = restored(house)
    file = tmp_path / "published.checkpoint"
    file.write_text(ahead.note)
    command = ("open_epoch", f"--establishment={house.id}", f"--checkpoint={file}")

    output = output_of(*command, f"--reason={REASON}", f"--by={house.manager.username}")

    assert "epoch 2 begins at position" in output
    assert f"Signed as {ahead.origin}/2" in output
    with pytest.raises(CommandError, match="Epoch 2 is open"):
        output_of(*command, f"--reason={REASON}")
    with pytest.raises(CommandError, match="nobody signs in under that name"):
        output_of(*command, f"--reason={REASON}", "--by=nobody")
    file.write_text(ahead.text)
    with pytest.raises(CommandError, match="No epoch was opened"):
        output_of(*command, f"--reason={REASON}")
