"""Receipts of payouts, on paper and as files, and what whoever holds one is told without a name."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
import segno
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from casino.house.attendants import assurance
from casino.house.attendants.models import Role
from casino.proof.signing.models import SigningTrouble
from casino.proof.verification import public_pages
from casino.settings.staff import tablets
from ledger.models import Event
from ledger.verify import leaf_hash
from tests.ledger.tampering import tamper
from tests.support import builders, module_data
from tests.support.playing import (
    NOW,
    PAIR_1,
    done,
    nobody_undoes_alone,
    opened,
    round_played,
    settled,
)
from tests.support.proven import keyed_house, signed
from tests.support.proving import VERIFIER, told, won

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import Settings

    from casino.play.settlement.models import Payout
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


def a_payout() -> module_data.Played:
    house = keyed_house()
    return module_data.Played(house, won(house)[1])


played = module_data.shared(a_payout)
house = module_data.house_where("row", keyed_house)
row = module_data.what_was_played


@pytest.fixture(autouse=True)
def _keys_of_its_own(settings: Settings, tmp_path: Path, module_keys: Path) -> None:
    settings.LEDGER_KEYS_DIR = shutil.copytree(module_keys, tmp_path / "secret")


@pytest.fixture(autouse=True)
def _nobody_came_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def page_of(row: Payout) -> str:
    return reverse("receipt", args=[row.game, row.cause, row.seq])


def file_of(row: Payout) -> str:
    return reverse("receipt-file", args=[row.game, row.cause, row.seq])


def leaf_of(row: Payout) -> str:
    event = Event.objects.get(establishment=row.establishment_id, position=row.position)
    return leaf_hash(bytes(event.body)).hex()


def check_of(row: Payout, leaf: str = "", position: int | None = None) -> str:
    at = row.position if position is None else position
    return reverse("ledger-check", args=[row.establishment_id, at, leaf or leaf_of(row)])


def staff(house: House, role: Role = Role.ATTENDANT) -> Client:
    client = Client()
    client.force_login(house.people[role])
    return client


@pytest.mark.long("postgresql")
class TestOnPaper:
    def test_a4_it_says_who_what_where_why_the_fee_and_the_version_of_the_rules(
        self, house: House, row: Payout
    ) -> None:
        checkpoint = signed(house)

        html = staff(house).get(page_of(row)).content.decode()

        for words in (
            house.establishment.name, "Bo", "20\N{NO-BREAK SPACE}r", "Table 1, Stone Hand",
            f"round {row.round}", "version 1", *row.rules.split(), "threw 2-2-7", leaf_of(row),
            f"{checkpoint.size} events",
        ):  # fmt: skip
            assert words in html, words
        assert "<dt>Fee</dt><dd>none</dd>" in html
        assert "hx-get" not in html

    def test_its_qr_code_is_of_the_online_check(self, house: House, row: Payout) -> None:
        signed(house)
        html = staff(house).get(page_of(row)).content.decode()

        code = segno.make(f"http://testserver{check_of(row)}", error="m", micro=False)
        drawn = code.svg_inline(border=4, omitsize=True, dark="#000", light="#fff")
        assert drawn in html
        assert f'href="http://testserver{check_of(row)}"' in html

    def test_while_nothing_covers_it_it_says_so_and_looks_again(
        self, house: House, row: Payout
    ) -> None:
        client = staff(house)
        waits = client.get(page_of(row)).content.decode()
        assert "No checkpoint covers this payout yet" in waits
        assert f'hx-get="{page_of(row)}" hx-trigger="every 3s"' in waits
        answer = client.get(file_of(row))
        assert (answer.status_code, answer["Retry-After"]) == (404, "3")

        signed(house)

        assert file_of(row) in client.get(page_of(row)).content.decode()
        assert client.get(file_of(row)).status_code == 200

    def test_where_nothing_can_be_signed_nobody_is_told_to_wait_for_seconds(
        self, house: House, row: Payout
    ) -> None:
        SigningTrouble.objects.create(
            establishment=house.establishment, kind="no_key", message="Make one.", since=NOW
        )
        html = staff(house).get(page_of(row)).content.decode()
        assert "This house signs nothing at the moment" in html
        assert "within seconds" not in html

    def test_c1_of_a_round_that_was_voided_and_played_again_it_tells_nothing_of_the_new_throws(
        self, house: House, row: Payout
    ) -> None:
        nobody_undoes_alone(house)
        [requested] = done(house, row.game, "void", back_to=row.cause - 1, reason="Misread.")
        done(house, row.game, "approve", by=house.supervisor, request=requested.data["request"])
        round_played(house, row.game, ("Bo", PAIR_1))
        settled(house)

        html = staff(house).get(page_of(row)).content.decode()

        assert "Voided, and moved back." in html
        assert "threw" not in html
        assert "sign-off" in html

    def test_d3_a_tablet_of_the_floor_prints_it_too(self, house: House, row: Payout) -> None:
        client = staff(house)
        session = client.session
        tablet, _ = tablets.enrol(house=house.establishment, name="Bar", by=house.manager)
        session[assurance.FLOOR] = assurance.on_floor(tablet, house.attendant)
        session.save()
        assert client.get(reverse("payouts")).status_code == 403
        for address in (page_of(row), check_of(row)):
            assert client.get(address).status_code == 200

    def test_it_is_printed_on_a_sheet_or_on_a_roll(self, house: House, row: Payout) -> None:
        client = staff(house)
        assert "receipt_a6" in client.get(page_of(row)).content.decode()
        assert "receipt_80" in client.get(f"{page_of(row)}?paper=80").content.decode()

    @pytest.mark.parametrize("name", ["payout", "floor-round"])
    def test_one_comes_to_it_from_the_payout_and_from_the_round(
        self, house: House, row: Payout, name: str
    ) -> None:
        arguments = {"payout": [row.game, row.cause, row.seq], "floor-round": [row.game, row.round]}
        html = staff(house).get(reverse(name, args=arguments[name])).content.decode()
        assert f'href="{page_of(row)}"' in html

    @pytest.mark.parametrize("role", Role)
    def test_d1_who_works_here_may_hand_it_out_and_nobody_else(
        self, house: House, row: Payout, role: Role
    ) -> None:
        assert staff(house, role).get(page_of(row)).status_code == 200
        for address in (page_of(row), file_of(row)):
            assert staff(builders.house(), role).get(address).status_code == 404
            assert Client().get(address).status_code == 302

    def test_who_paid_into_the_pot_gets_one_as_well(self, house: House, row: Payout) -> None:
        paid_in = type(row).objects.filter(establishment=house.id, payee="pot")[0]
        assert "<b>pool</b>" in staff(house).get(page_of(paid_in)).content.decode()
        assert "into the pot" in Client().get(check_of(paid_in)).content.decode()


class TestAsAFile:
    @pytest.mark.long("postgresql")
    def test_the_verifier_proves_it_by_the_house_s_key_and_by_a_checkpoint_that_was_kept(
        self, house: House, row: Payout, tmp_path: Path
    ) -> None:
        signed(house)
        visitor = Client()
        answer = staff(house).get(file_of(row))
        assert answer["Content-Disposition"].endswith(f'{row.position}.tlog-proof"')
        paths = {
            "receipt": answer.content,
            "keys": visitor.get(reverse("ledger-keys", args=[house.id])).content,
            "kept": visitor.get(reverse("ledger-checkpoint", args=[house.id])).content,
        }
        for name, content in paths.items():
            (tmp_path / name).write_bytes(content)

        by_key = told("receipt", tmp_path / "receipt", "--key", tmp_path / "keys")
        by_kept = told("receipt", tmp_path / "receipt", "--checkpoint", tmp_path / "kept")

        assert (by_key[0], by_kept[0]) == (0, 0), by_key + by_kept
        assert f"TRUE: recorded at position {row.position}" in by_key[1]
        assert "signed with the key that was given" in by_key[1]
        assert "its checkpoint is the one that was kept" in by_kept[1]

    @pytest.mark.long("postgresql")
    def test_it_is_of_the_checkpoint_that_a_player_has_kept_or_linked_to_a_later_one(
        self, house: House, row: Payout, tmp_path: Path
    ) -> None:
        old = signed(house)
        round_played(house, opened(house, table=house.tables[1]))
        new = signed(house)
        assert new.size > old.size
        receipt, link = tmp_path / "receipt", tmp_path / "link"
        receipt.write_bytes(staff(house).get(f"{file_of(row)}?size={old.size}").content)
        link.write_bytes(Client().get(reverse("ledger-link", args=[house.id, old.size])).content)
        for each in (old, new):
            (tmp_path / str(each.size)).write_text(each.note)

        same = told("receipt", receipt, "--checkpoint", tmp_path / str(old.size))
        later = told("receipt", receipt, "--checkpoint", tmp_path / str(new.size), "--link", link)

        assert (same[0], later[0]) == (0, 0), same + later
        assert "its checkpoint is the one that was kept" in same[1]
        assert f"agrees with the checkpoint of {new.size} events that was kept" in later[1]
        assert staff(house).get(f"{file_of(row)}?size={old.size + 1}").status_code == 404

    def test_there_is_none_of_a_book_that_is_not_what_was_signed(
        self, house: House, row: Payout
    ) -> None:
        signed(house)
        leaf = leaf_of(row)
        change = "UPDATE ledger_event SET body = %s WHERE establishment = %s AND position = %s"
        before = Event.objects.get(establishment=house.id, position=row.position - 1)
        as_kept = house.id.hex if connection.vendor == "sqlite" else house.id
        assert tamper(change, [bytes(before.body) + b" ", as_kept, before.position]) == 1

        answer = staff(house).get(file_of(row))
        response = Client().get(check_of(row, leaf))

        assert (answer.status_code, response.status_code) == (500, 500)
        assert b"is not what was signed" in answer.content
        assert b"is not what was signed" in response.content


class TestWhoHoldsOne:
    def test_is_told_what_became_of_it_without_signing_in_and_without_a_name(
        self, house: House, row: Payout
    ) -> None:
        signed(house)
        answer = Client().get(check_of(row))
        html = answer.content.decode()

        assert answer.status_code == 200
        assert "recorded and signed" in html
        assert [step.state for step in answer.context["became"][0].steps] == ["decided", "booked"]
        assert "20\N{NO-BREAK SPACE}r" in html
        for secret in ("Bo", "Ada", row.payee, str(house.attendant.pk), str(row.game)):
            assert re.search(rf"\b{secret}\b", html) is None, secret

    @pytest.mark.long("postgresql")
    def test_before_it_is_signed_it_is_recorded_all_the_same(self, row: Payout) -> None:
        answer = Client().get(check_of(row))
        assert answer.status_code == 200
        assert "recorded, not signed yet" in answer.content.decode()

    def test_c1_is_told_that_it_was_taken_back(self, house: House, row: Payout) -> None:
        nobody_undoes_alone(house)
        [requested] = done(house, row.game, "void", back_to=row.cause - 1, reason="Misread.")
        done(house, row.game, "approve", by=house.supervisor, request=requested.data["request"])
        settled(house)
        signed(house)

        answer = Client().get(check_of(row))

        assert answer.context["became"][0].steps[-1].state == "reversed"
        assert "Voided, and moved back." in answer.content.decode()

    @pytest.mark.long("postgresql")
    def test_a7_is_told_what_it_waits_for_and_when_it_was_paid(self) -> None:
        house = builders.house(large_prize=15)
        game, row = won(house)
        held = Client().get(check_of(row)).content.decode()
        assert "Held; it waits for large prize: its witness." in held
        assert "20\N{NO-BREAK SPACE}r of it waits." in held

        done(house, game, "witness", by=house.supervisor, payout=f"{row.cause}.{row.seq}")
        settled(house)
        done(house, game, "cash_out", player="Bo", amount=40)
        settled(house)

        steps = Client().get(check_of(row)).context["became"][0].steps
        assert [step.state for step in steps] == ["decided", "held", "released", "paid"]

    @pytest.mark.long("postgresql")
    @pytest.mark.rows(postgresql=3)
    @pytest.mark.parametrize(
        ("leaf", "position"),
        [("0" * 64, 0), ("", 1), ("", 10**15), ("", 10**30), ("not-a-hash", 0), ("A" * 64, 0)],
    )
    def test_what_is_not_in_the_book_is_said_to_be_not(
        self, row: Payout, leaf: str, position: int
    ) -> None:
        answer = Client().get(check_of(row, leaf, row.position + position))
        assert answer.status_code == 404
        assert "This is not in the book" in answer.content.decode()

    def test_another_house_does_not_vouch_for_it(self, row: Payout) -> None:
        other = builders.house()
        won(other)
        address = reverse("ledger-check", args=[other.id, row.position, leaf_of(row)])
        assert Client().get(address).status_code == 404

    def test_is_told_nothing_of_what_another_house_booked_at_that_position(
        self, house: House, row: Payout
    ) -> None:
        _, theirs = won(builders.house())
        assert theirs.position == row.position

        became = Client().get(check_of(row)).context["became"]

        assert {each.row.establishment_id for each in became} == {house.id}

    @pytest.mark.long("postgresql")
    def test_an_event_that_books_nothing_is_in_the_book_as_well(
        self, house: House, row: Payout
    ) -> None:
        signed(house)
        first = Event.objects.get(establishment=house.id, position=0)
        leaf = leaf_hash(bytes(first.body)).hex()
        answer = Client().get(check_of(row, leaf, 0))
        assert answer.status_code == 200
        assert "It books no payment" in answer.content.decode()

    @pytest.mark.long("postgresql")
    def test_d2_who_asks_too_often_waits(self, row: Payout, settings: Settings) -> None:
        rates = {"DEFAULT_THROTTLE_RATES": {"tokens": "10/min", "ledger": "3/min"}}
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, **rates}
        visitor = Client()
        answers = [visitor.get(check_of(row)) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert int(answers[-1]["Retry-After"]) > 0


@pytest.mark.long("postgresql")
class TestWhatAnybodyMaySee:
    def test_the_newest_checkpoint_its_age_the_keys_and_how_to_check(self, house: House) -> None:
        won(house)
        checkpoint = signed(house)
        html = Client().get(reverse("ledger-of", args=[house.id])).content.decode()
        for words in (house.establishment.name, checkpoint.origin, "ago", "verify.py", "sha-256"):
            assert words.lower() in html.lower(), words
        assert "Sign out" not in html

    def test_the_note_itself(self, house: House) -> None:
        address = reverse("ledger-checkpoint", args=[house.id])
        assert Client().get(address).status_code == 404
        won(house)
        checkpoint = signed(house)
        answer = Client().get(address)
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.content.decode() == checkpoint.note

    def test_the_verifier_is_the_very_file(self) -> None:
        answer = Client().get(reverse("ledger-verifier"))
        assert answer.content == VERIFIER.read_bytes() == public_pages.VERIFIER.read_bytes()

    def test_a_house_that_is_not_there(self) -> None:
        for name in ("ledger-of", "ledger-checkpoint", "ledger-keys"):
            assert Client().get(reverse(name, args=[uuid4()])).status_code == 404

    @pytest.mark.parametrize("old", [0, 10**6])
    def test_a_link_from_where_there_is_nothing(self, house: House, old: int) -> None:
        won(house)
        signed(house)
        assert Client().get(reverse("ledger-link", args=[house.id, old])).status_code == 404
