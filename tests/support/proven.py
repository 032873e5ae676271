"""Houses with keys, and ledgers that grow, are changed by hand or fall behind."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING

from django.test import Client
from django.urls import reverse

from casino.house.acts import acts
from casino.office.monitoring import checks as health
from casino.proof.signing import keys, queries, signing
from casino.proof.signing.models import SigningTrouble
from ledger import checkpoints, journal, verify
from ledger.models import Event
from tests.ledger.tampering import ON_POSTGRESQL, tamper
from tests.support import builders
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from ledger.models import Checkpoint
    from tests.support.builders import House

STREAM = "heard"


def keyed_house() -> House:
    made = builders.house()
    keyed(made)
    return made


def keyed(*houses: House) -> None:
    for each in houses:
        keys.make(each.establishment, NOW)


def happened(at: House, times: int = 1, *, now: datetime = NOW) -> None:
    """Events of the house, one act each."""
    for _ in range(times):
        last = journal.last(establishment=at.id, stream=STREAM)
        version = last.stream_version if last else 0
        event = journal.NewEvent(
            stream=STREAM, event_type="heard.said", schema_version=1, data={"n": version}
        )
        appended(at, {STREAM: version}, event, now=now)


def appended(
    at: House, guards: Mapping[str, int], *events: journal.NewEvent, now: datetime = NOW
) -> None:
    act = acts.Act(
        house=at.establishment, by=None, device="test", now=now, command_id=uuid.uuid4(), request={}
    )
    acts.perform(act, lambda: acts.Done(guards=guards, events=events))


def signed(at: House, *, now: datetime = NOW) -> Checkpoint:
    """A checkpoint of all that has happened."""
    found = signing.sign(at.establishment, now)
    assert found is not None
    assert found.size == journal.head(establishment=at.id) + 1
    return found


def read(checkpoint: Checkpoint) -> verify.Checkpoint:
    return verify.Checkpoint.parse(checkpoint.note.encode())


def signers(checkpoint: Checkpoint) -> set[bytes]:
    """The ids of the keys that signed it."""
    return {each.key_id for each in read(checkpoint).signatures}


def change_a_body(at: House, position: int) -> bytes:
    """As somebody who owns the database does; the body that was there."""
    body = bytes(Event.objects.get(establishment=at.id, position=position).body)
    _put(at, position, body.replace(b'"n"', b'"m"').replace(b"system", b"sistem"))
    return body


def put_back(at: House, position: int, body: bytes) -> None:
    _put(at, position, body)


def _put(at: House, position: int, body: bytes) -> None:
    house = at.id if ON_POSTGRESQL else at.id.hex
    changed = tamper(
        "UPDATE ledger_event SET body = %s WHERE establishment = %s AND position = %s",
        [body, house, position],
    )
    assert changed == 1


def restored_to(at: House, size: int) -> None:
    """The book as a backup has it: with its first events, and what was signed of them."""
    house = at.id if ON_POSTGRESQL else at.id.hex
    for statement in (
        "DELETE FROM ledger_checkpoint WHERE establishment = %s AND size > %s",
        "DELETE FROM ledger_commandreceipt WHERE establishment = %s AND first_position >= %s",
        "DELETE FROM ledger_event WHERE establishment = %s AND position >= %s",
        "UPDATE ledger_subscription SET position = -1 WHERE establishment = %s AND position >= %s",
    ):
        tamper(statement, [house, size])


def newest(at: House) -> Checkpoint:
    found = checkpoints.latest(at.id)
    assert found is not None
    return found


LATER = NOW + timedelta(minutes=1)


def with_a_ledger() -> House:
    made = builders.house()
    happened(made, 3)
    return made


def trouble(house: House) -> SigningTrouble.Kind | None:
    row = queries.trouble(house.id)
    return None if row is None else SigningTrouble.Kind(row.kind)


def well() -> bool:
    return health.integrity(NOW).ok


def start_page(house: House, person: str = "auditor") -> str:
    return _page(house, person, "/")


def proof_page(house: House, person: str = "auditor") -> str:
    """Where the start page leads if nothing is signed: it has the command to run."""
    assert f'<a href="{reverse("proof")}">What they have to do</a>' in start_page(house, person)
    return _page(house, person, reverse("proof"))


def _page(house: House, person: str, address: str) -> str:
    client = Client()
    client.force_login(getattr(house, person))
    return client.get(address).text
