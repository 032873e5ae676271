"""Proofs over HTTP: as JSON, and as the very files, which the verifier reads on its own."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from casino.house.attendants.models import Role
from casino.proof.verification import api as examples_proofs
from ledger import journal, verify
from ledger.models import Event
from tests.ledger.tampering import tamper
from tests.support import builders
from tests.support.proven import happened, keyed, signed
from tests.support.proving import told, won

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import Settings

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]
PLAIN = "text/plain"


@pytest.fixture
def house(settings: Settings, tmp_path: Path) -> House:
    settings.LEDGER_KEYS_DIR = tmp_path / "secret"
    made = builders.house()
    keyed(made)
    return made


def got(house: House, rest: str, **headers: str) -> Any:
    return house.client(Role.AUDITOR).get(house.url(rest), headers=headers)


def read(house: House, rest: str) -> dict[str, Any]:
    answer = got(house, rest)
    assert answer.status_code == 200, answer.content
    whole: dict[str, Any] = answer.json()
    return whole


def refused(house: House, rest: str) -> tuple[int, str]:
    answer = got(house, rest)
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


class TestCheckpoints:
    @pytest.mark.long("postgresql")
    def test_the_newest_or_one_of_a_size(self, house: House) -> None:
        happened(house, 3)
        old = signed(house)
        happened(house, 2)
        new = signed(house)

        newest, first = read(house, "checkpoint/"), read(house, f"checkpoint/?size={old.size}")

        assert (newest["size"], first["size"]) == (new.size, old.size)
        assert (newest["note"], first["note"]) == (new.note, old.note)
        assert base64.b64decode(newest["root"]) == bytes(new.root)
        assert newest["receipts"] == new.receipts
        keys = tuple(verify.Key.parse(each) for each in newest["keys"])
        assert verify.Trust(keys).believe(verify.Checkpoint.parse(newest["note"].encode()))

    @pytest.mark.long("postgresql")
    def test_as_text_it_is_the_note_itself(self, house: House) -> None:
        happened(house)
        checkpoint = signed(house)
        answer = got(house, "checkpoint/", Accept=PLAIN)
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer["Content-Disposition"].endswith(f'-{checkpoint.size}.checkpoint"')
        assert answer.content.decode() == checkpoint.note

    @pytest.mark.long("postgresql")
    def test_what_was_asked_for_by_size_stays_and_the_newest_is_asked_for_again(
        self, house: House
    ) -> None:
        happened(house)
        size = signed(house).size
        fixed, newest = got(house, f"checkpoint/?size={size}"), got(house, "checkpoint/")
        assert "immutable" in fixed["Cache-Control"]
        assert newest["Cache-Control"] == "private, no-store"

        tag = newest["ETag"]
        assert got(house, "checkpoint/", **{"If-None-Match": tag}).status_code == 304
        assert got(house, "checkpoint/", Accept=PLAIN)["ETag"] != tag
        happened(house)
        signed(house)
        assert got(house, "checkpoint/", **{"If-None-Match": tag}).status_code == 200

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("asked", ["size=0", "size=-1", "size=x", "size=", "size=9" * 2])
    def test_what_is_no_size(self, house: House, asked: str) -> None:
        happened(house)
        signed(house)
        assert refused(house, f"checkpoint/?{asked}") == (400, "malformed")

    @pytest.mark.long("postgresql")
    def test_none_of_that_size_and_none_at_all(self, house: House) -> None:
        answer = got(house, "checkpoint/")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_covered")
        assert int(answer["Retry-After"]) > 0
        happened(house)
        signed(house)
        assert refused(house, "checkpoint/?size=999") == (404, "not_covered")


class TestEvents:
    def test_a_proof_that_the_verifier_holds_true(self, house: House, tmp_path: Path) -> None:
        happened(house, 300)
        checkpoint = signed(house)

        proof = read(house, "events/7/proof/")
        (tmp_path / "receipt").write_bytes(got(house, "events/7/proof/", Accept=PLAIN).content)
        (tmp_path / "kept").write_text(checkpoint.note)
        code, said = told("receipt", tmp_path / "receipt", "--checkpoint", tmp_path / "kept")

        assert (code, "recorded at position 7" in said) == (0, True), said
        assert proof["receipt"] == (tmp_path / "receipt").read_text()
        verify.check_inclusion(
            leaf=bytes.fromhex(proof["leaf_hash"]), index=proof["index"], size=proof["size"],
            proof=[base64.b64decode(each) for each in proof["hashes"]],
            root=base64.b64decode(proof["root"]),
        )  # fmt: skip

    @pytest.mark.long("postgresql")
    def test_against_any_checkpoint_that_was_signed(self, house: House) -> None:
        happened(house, 3)
        old = signed(house)
        happened(house, 3)
        signed(house)
        proof = read(house, f"events/1/proof/?size={old.size}")
        assert (proof["size"], proof["checkpoint"]) == (old.size, old.note)
        assert "immutable" in got(house, f"events/1/proof/?size={old.size}")["Cache-Control"]

    @pytest.mark.long("postgresql")
    def test_what_is_not_covered_yet_will_be_in_seconds(self, house: House) -> None:
        happened(house)
        size = signed(house).size
        happened(house)
        answer = got(house, f"events/{size}/proof/")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_covered")
        assert int(answer["Retry-After"]) > 0
        assert "Retry-After" not in got(house, f"events/{size}/proof/?size={size}")
        plain = got(house, f"events/{size}/proof/", Accept=PLAIN)
        assert plain["Content-Type"] == "application/problem+json"

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("position", [10**6, 10**30])
    def test_an_event_that_is_not_there(self, house: House, position: int) -> None:
        happened(house)
        signed(house)
        assert refused(house, f"events/{position}/proof/") == (404, "not_found")

    def test_no_proof_is_given_that_does_not_hold(self, house: House) -> None:
        happened(house, 4)
        size = signed(house).size
        body = bytes(Event.objects.get(establishment=house.id, position=2).body)
        mine = house.id.hex if connection.vendor == "sqlite" else house.id
        change = "UPDATE ledger_event SET body = %s WHERE establishment = %s AND position = 2"
        tamper(change, [body + b" ", mine])

        for rest in ("events/1/proof/", "events/2/proof/", f"consistency/?from=3&to={size}"):
            assert refused(house, rest) == (500, "records_altered")


class TestConsistency:
    def test_the_newest_continues_the_older(self, house: House, tmp_path: Path) -> None:
        happened(house, 3)
        old = signed(house)
        happened(house, 4)
        new = signed(house)
        rest = f"consistency/?from={old.size}"

        proof = read(house, rest)
        (tmp_path / "link").write_bytes(got(house, rest, Accept=PLAIN).content)
        for each in (old, new):
            (tmp_path / str(each.size)).write_text(each.note)
        files = [tmp_path / str(each.size) for each in (old, new)]
        code, said = told("consistency", *files, "--link", tmp_path / "link")

        assert code == 0, said
        assert (proof["from"], proof["to"]) == (old.size, new.size)
        roots = [base64.b64decode(each["root"]) for each in proof["roots"]]
        assert roots == [bytes(old.root), bytes(new.root)]
        assert proof["link"] == (tmp_path / "link").read_text()

    @pytest.mark.long("postgresql")
    def test_from_a_size_that_only_somebody_else_kept(self, house: House) -> None:
        happened(house, 5)
        size = signed(house).size
        assert read(house, f"consistency/?from=2&to={size}")["roots"][0]["size"] == 2
        assert read(house, f"consistency/?from={size}")["hashes"] == []

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("asked", "wanted"),
        [
            ("", (400, "malformed")),
            ("from=0", (400, "malformed")),
            ("from=x", (400, "malformed")),
            ("from=5&to=3", (400, "malformed")),
            ("from=999", (400, "malformed")),
            ("from=1&to=2", (404, "not_covered")),
        ],
    )
    def test_what_is_no_range(self, house: House, asked: str, wanted: tuple[int, str]) -> None:
        happened(house, 3)
        signed(house)
        assert refused(house, f"consistency/?{asked}") == wanted

    @pytest.mark.long("postgresql")
    def test_before_anything_was_signed(self, house: House) -> None:
        assert refused(house, "consistency/?from=1") == (404, "not_covered")


class TestPayouts:
    def test_its_receipt_is_of_the_event_that_booked_it(self, house: House, tmp_path: Path) -> None:
        game, row = won(house)
        rest = f"payouts/{game}/{row.cause}/{row.seq}/receipt/"
        assert refused(house, rest) == (404, "not_covered")
        signed(house)

        receipt = read(house, rest)
        (tmp_path / "receipt").write_bytes(got(house, rest, Accept=PLAIN).content)
        (tmp_path / "kept").write_text(receipt["checkpoint"])
        code, said = told("receipt", tmp_path / "receipt", "--checkpoint", tmp_path / "kept")

        assert (code, receipt["index"]) == (0, row.position), said
        [event] = journal.read(establishment=house.id, after=row.position - 1, limit=1)
        assert event.event_type in said
        assert builders.client().get(receipt["check"]).status_code == 200

    @pytest.mark.long("postgresql")
    def test_there_is_none_of_another(self, house: House) -> None:
        game, _row = won(house)
        signed(house)
        assert refused(house, f"payouts/{game}/9999/0/receipt/") == (404, "not_found")


@pytest.mark.parametrize(
    "rest", ["checkpoint/", "events/0/proof/", "consistency/?from=1", "payouts/{}/receipt/"]
)
def test_d1_another_house_s_is_not_there(house: House, rest: str) -> None:
    game, row = won(house)
    signed(house)
    rest = rest.format(f"{game}/{row.cause}/{row.seq}")
    assert got(house, rest).status_code == 200
    assert builders.house().client().get(house.url(rest)).status_code == 404
    assert builders.client().get(house.url(rest)).status_code == 401


@pytest.mark.long("postgresql")
def test_the_examples_in_the_description_are_true() -> None:
    key = verify.Key.parse(examples_proofs.VKEY)
    receipt = verify.Receipt.parse(examples_proofs.RECEIPT.encode())
    receipt.check()
    assert verify.leaf_hash(receipt.body).hex() == examples_proofs.LEAF
    assert verify.Trust(keys=(key,)).believe(receipt.checkpoint)
    link = verify.Link.parse(examples_proofs.LINK.encode())
    verify.check_consistency(
        old_size=2, old_root=base64.b64decode(examples_proofs.ROOT_OF_TWO), size=3,
        root=base64.b64decode(examples_proofs.ROOT), proof=link.proof,
    )  # fmt: skip
