"""A house leaves whole, is checked by strangers, and is the same house elsewhere (E1)."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.utils import timezone

from casino.engine.processes.queues import house_subscriber
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.attendants.pseudonyms.models import Player, Text
from casino.house.establishments.models import Establishment
from casino.play.core import projections
from casino.play.core.models import GameCard
from casino.play.core.subscriptions import tasks
from casino.play.dice.surveillance import subscriber
from casino.proof.signing import keys
from casino.proof.verification import export_tables, imports, replays
from ledger import money, verify
from ledger.lag import lagging
from ledger.models import Event, Subscription
from tests.processes import ROOT
from tests.support import builders, playing
from tests.support.builders import House
from tests.support.exported import (
    CASINO,
    a_house,
    another_machine,
    exported,
    output_of,
    rows,
    signed,
)
from tests.support.playing import settled
from tests.support.random_player import RandomPlayer
from tests.support.regrading import differences

if TYPE_CHECKING:
    from pathlib import Path

    from django.db.models import Model

pytestmark = pytest.mark.django_db

STAYS = {
    "attendants.Factor": "how somebody signs in",
    "attendants.RecoveryCode": "how somebody signs in",
    "attendants.StrongToken": "how a program signs in",
    "attendants.ListPreference": "how somebody likes to see a list",
    "attendants.Lockout": "who is locked out at the moment",
    "attendants.StraySignIn": "sign-ins that met no house, and so not this one",
    "chain.Chain": "a chain is of no house: its own ledger says what it is",
    "chain.ChainMember": "who works for a chain",
    "chain.ChainHouse": "the chain that a house is of on this installation",
    "chain.HouseSummary": "figures of the moment, made anew by workers",
    "chain.Proposal": "what a chain has decided; the house's own events say what was done to it",
    "chain.RollOutHouse": "how far workers are with it",
    "chain.DiceTransfer": "how far workers are with it",
    "chain.RollOut": "a job, and what it did is an event",
    "chain.DiceDeparture": "a job, and what it did is an event",
    "chain.DiceArrival": "a job, and what it did is an event",
    "devices.Heard": "which tablets can be reached at the moment",
    "health.WorkerSign": "which workers run here",
    "health.BeatLease": "which beat runs here",
    "jobs.Job": "a check, a question or a report, made anew at any time",
    "regrade.Regrade": "a check, made anew at any time",
    "regrade.RegradeDifference": "a check, made anew at any time",
    "what_if.WhatIf": "a question, asked anew at any time",
    "what_if.WhatIfGame": "a question, asked anew at any time",
    "integrity.Verification": "a check, made anew at any time",
    "integrity.VerificationFinding": "a check, made anew at any time",
    "reports.Preparation": "files of what the ledger says, kept where they were made",
    "reports.PreparedFile": "files of what the ledger says, kept where they were made",
    "integrity.OutsideCopy": "where this installation has copied checkpoints to",
    "integrity.SigningTrouble": "why nothing can be signed here at the moment",
}


ANEW = {"ledger.Tile", "ledger.Unread"}
"""Made anew: hashes of the same events; the list of houses to read, which counts how often."""


@pytest.fixture(autouse=True)
def _keys(settings: Any, tmp_path: Path) -> None:
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    return tmp_path / "out"


def vkeys(house: House) -> list[str]:
    return [f"--key={key}" for key in keys.every_public_key(house.id)]


@pytest.mark.long("postgresql")
def test_a_whole_house_is_the_same_house_elsewhere(there: Path) -> None:
    """Every row, every balance, every answer; screens are read anew from the ledger."""
    house = a_house()
    before, balances = rows(house.id), money.balances(establishment=house.id)
    exported(house, there)
    key = vkeys(house)
    another_machine()

    output = output_of("import_ledger", str(there), *key)

    assert f"{house.establishment.name} is here: {len(before['ledger.Event'])} events" in output
    assert money.balances(establishment=house.id) == balances
    arrived = elsewhere(house)
    settled(arrived)
    after = rows(house.id)
    for table in before.keys() - STAYS.keys() - ANEW:
        assert after[table] == before[table], table
    for each in export_tables.TABLES:
        assert after[each.model._meta.label], f"of {each.file} there was nothing to bring"
    assert differences(arrived) == []


def elsewhere(house: House) -> House:
    """The same house, as it is in this database now."""
    establishment = Establishment.objects.get(pk=house.id)
    people = {role: Attendant.objects.get(pk=who.pk) for role, who in house.people.items()}
    return House(
        establishment, list(establishment.tables.all()), list(establishment.dice_sets.all()), people
    )


@pytest.mark.long("postgresql")
def test_play_goes_on_elsewhere_and_is_signed_with_the_same_key(there: Path) -> None:
    house = a_house(seed=4, steps=60)
    signed(house)
    exported(house, there)
    key = vkeys(house)
    another_machine()
    output_of("import_ledger", str(there), *key)
    arrived = elsewhere(house)
    settled(arrived)

    croupier = RandomPlayer(arrived, Random(1))  # noqa: S311 - dice of a test
    cards = GameCard.objects.filter(establishment=house.id, status="open")
    croupier.running = list(cards.values_list("game", flat=True))
    croupier.now = timezone.now()
    assert croupier.running
    for _ in range(30):
        croupier.does_something()
        settled(arrived)

    assert money.differences(establishment=house.id) == {}
    assert differences(arrived) == []
    assert signed(arrived) is not None
    later = there.with_name("later.zip")
    exported(arrived, later)
    assert verify.main(["export", str(later), "--contents", *key]) == 0


@pytest.mark.long("postgresql")
def test_a_stranger_checks_it_without_django(there: Path) -> None:
    house = played(there)

    done = subprocess.run(
        [sys.executable, "-I", str(ROOT / "ledger" / "verify.py"), "export", str(there),
         "--contents", *vkeys(house)],
        cwd=there, env={}, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "checkpoints signed with the key that was given" in done.stdout


def played(there: Path, *options: str) -> House:
    """A short day, signed and exported."""
    house = a_house(seed=5, steps=25)
    signed(house)
    exported(house, there, *options)
    return house


def test_every_column_of_every_table_is_exported_made_from_events_or_named_here() -> None:
    """Whoever adds a table says where it belongs."""
    exported_models = {each.model for each in (export_tables.HOUSE, export_tables.STAFF)}
    exported_models |= {each.model for each in export_tables.TABLES}
    derived: set[type[Model]] = {*projections.ROWS, *replays.SETTLED_ROWS, *subscriber.ROWS}
    derived |= {model for area in house_subscriber.areas() for model in area.rows}
    known = {model._meta.label for model in exported_models | derived}

    of_casino = {
        model._meta.label for model in apps.get_models() if model._meta.app_label in CASINO
    }

    assert of_casino - known == STAYS.keys() & of_casino
    assert exported_models & derived == set()


@pytest.mark.long("postgresql")
def test_nothing_in_it_lets_anybody_in(there: Path) -> None:
    """No password, PIN, second factor, token, secret of a link or a tablet, key to sign with."""
    house = played(there)
    person = Attendant.objects.get(pk=house.manager.pk)
    person.set_password("three-stones-in-a-cup")
    person.pin, person.email = "pbkdf2$pin", "manager@example.org"
    person.save()
    another = there.with_name("another")
    exported(house, another)

    written = b"".join(file.read_bytes() for file in another.iterdir())

    secrets = [
        person.password.encode(), person.pin.encode(), person.email.encode(),
        bytes(house.establishment.secret), b64encode(bytes(house.establishment.secret)),
        *(each.secret.encode() for each in house.establishment.tablets.all()),
        *(each.secret.encode() for each in house.establishment.invitations.all()),
        *(key.line.encode() for key in keys.secret_keys(house.id)), b"PRIVATE",
    ]  # fmt: skip
    assert [each for each in secrets if each in written] == []


@pytest.mark.long("postgresql")
def test_without_names_nobody_can_be_found_in_it_and_it_is_as_true(there: Path) -> None:
    house = played(there, "--without-names")
    names = Player.objects.filter(establishment=house.id).values_list("name", flat=True)
    texts = Text.objects.filter(establishment=house.id).values_list("text", flat=True)

    written = b"".join(file.read_bytes() for file in there.iterdir()).decode()

    assert len(names) > 2
    assert [each for each in names if f'"{each}"' in written] == []
    assert [each for each in texts if each and len(each) > 5 and each in written] == []
    assert verify.main(["export", str(there), "--contents", *vkeys(house)]) == 0
    another_machine()
    output_of("import_ledger", str(there))
    assert set(Player.objects.values_list("name", flat=True)) == {None}


@pytest.mark.long("postgresql")
def test_an_auditor_recomputes_the_hash_of_a_text(there: Path) -> None:
    """docs/reference/proofs.md: its token in a body is the hash of salt and text."""
    played(there)
    bodies = (there / "events.jsonl").read_text()

    rows = [json.loads(line) for line in (there / "texts.jsonl").read_text().splitlines()]

    for row in rows:
        salted = b64decode(row["salt"]) + row["text"].encode()
        assert row["token"] == "t-" + sha256(salted).hexdigest()
    assert any(row["token"] in bodies for row in rows)


@pytest.mark.long("postgresql", but="citus")
def test_an_export_that_was_changed_is_not_put_in(there: Path) -> None:
    house = played(there)
    body = (there / "events.jsonl").read_bytes()
    (there / "events.jsonl").write_bytes(body.replace(b'"amount":', b'"amount":1', 1))
    key = vkeys(house)
    another_machine()

    with pytest.raises(CommandError, match=r"Events 0 to .*: something was changed"):
        output_of("import_ledger", str(there), *key)
    assert not Event.objects.exists()
    assert not Subscription.objects.exists()


@pytest.mark.long("postgresql")
def test_a_file_beside_the_ledger_that_was_changed_is_not_put_in(there: Path) -> None:
    played(there)
    people = (there / "attendants.jsonl").read_text()
    (there / "attendants.jsonl").write_text(people.replace("manager", "owner"))
    another_machine()

    with pytest.raises(CommandError, match=r"attendants\.jsonl: not what the manifest says"):
        output_of("import_ledger", str(there))
    (there / "establishment.jsonl").write_text("")
    with pytest.raises(CommandError, match="has to have one line"):
        output_of("import_ledger", str(there))
    assert not Event.objects.exists()


def test_what_a_house_of_before_did_not_have_yet_is_as_after_its_migration() -> None:
    house = builders.house().establishment
    (line,) = export_tables.lines(export_tables.HOUSE, Establishment.objects.filter(pk=house.pk))
    row = json.loads(line)
    before = {name: each for name, each in row.items() if name != "undo_seconds"}
    short = {name: each for name, each in row.items() if name != "time_zone"}

    (came,) = export_tables.read(export_tables.HOUSE, [json.dumps(before).encode()])

    assert (came.pk, came.undo_seconds) == (house.pk, 30)  # type: ignore[attr-defined]
    with pytest.raises(export_tables.Unknown, match="line 1: time_zone: another version"):
        list(export_tables.read(export_tables.HOUSE, [json.dumps(short).encode()]))


@pytest.mark.long("postgresql")
def test_whose_book_it_is_is_said_if_nobody_has_shown_it(there: Path) -> None:
    played(there)
    another_machine()

    output = output_of("import_ledger", str(there))

    assert "Whose book it is nobody has shown" in output
    assert "changepassword" in output


@pytest.mark.long("postgresql")
def test_without_its_key_the_house_is_told_what_becomes_of_signing(
    there: Path, settings: Any
) -> None:
    house = played(there)
    settings.LEDGER_KEYS_DIR = there.with_name("elsewhere")
    key = [f"--key={each}" for each in verify.Export(there).manifest["keys"]]
    another_machine()

    output = output_of("import_ledger", str(there), *key)

    assert f"{house.id}.key" in output
    assert "ledger_keys --make" in output
    assert signed(elsewhere(house)) is None


@pytest.mark.long("postgresql", but="citus")
def test_a_house_that_is_here_is_not_put_in_again(there: Path) -> None:
    house = played(there)

    with pytest.raises(CommandError, match="is here already"):
        output_of("import_ledger", str(there))
    another_machine()
    builders.house(name=house.establishment.name)
    with pytest.raises(CommandError, match="give a name with --name"):
        output_of("import_ledger", str(there))
    output_of("import_ledger", str(there), "--name=The Other Cup")
    assert Establishment.objects.get(pk=house.id).name == "The Other Cup"


@pytest.mark.long("postgresql", but="citus")
def test_people_come_without_a_way_in_and_displace_nobody(there: Path) -> None:
    house = played(there)
    manager, attendant = house.manager, house.attendant
    another_machine()
    Attendant.objects.create_user(pk=attendant.pk, username="the-same-person", password="here")
    Attendant.objects.create_user(username=manager.username, password="somebody else's")

    output = output_of("import_ledger", str(there))

    came = Attendant.objects.get(pk=manager.pk)
    assert came.username == f"{manager.username}-{manager.pk.hex[:8]}"
    assert came.username in output
    assert not came.has_usable_password()
    assert (came.is_superuser, came.is_staff, came.pin) == (False, False, "")
    assert Attendant.objects.get(pk=attendant.pk).check_password("here")
    roles = Employment.objects.filter(establishment=house.id)
    assert set(roles.values_list("role", flat=True)) == set(Role.values)


def test_of_an_import_that_is_killed_nothing_is_left(there: Path) -> None:
    house = played(there)
    another_machine()
    export = verify.Export(there)
    before = rows(house.id)

    def killed(events: int) -> None:
        assert events > 0
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imports.import_(export, on_progress=killed)
    assert rows(house.id) == before
    assert not Establishment.objects.exists()
    done = imports.import_(export)

    assert done.events == export.manifest["events"]
    assert {each.subscription for each in lagging(tasks.SUBSCRIBERS)} >= {"house", "projections"}


def test_a_settlement_that_lags_goes_on_where_it_was(there: Path) -> None:
    """What was decided and not booked yet is booked elsewhere, once (guarantee 1)."""
    house = builders.house()
    builders.on_record(house.establishment)
    game = playing.opened(house)
    playing.round_played(house, game)
    playing.settled(house)
    playing.round_played(house, game)
    exported(house, there)
    playing.settled(house)
    balances = playing.balances(house)
    another_machine()

    output_of("import_ledger", str(there))
    arrived = elsewhere(house)
    settled(arrived)

    assert playing.balances(arrived) == balances
    assert differences(arrived) == []
