"""Disputes by the API (C3): lists, one whole, and the bundle, checked without the house."""

from __future__ import annotations

import hashlib
import io
import json
import uuid
import zipfile
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.house.attendants.models import Role
from ledger.models import Event
from tests.support import builders
from tests.support.playing import PAIR_4, PAIR_7, done, opened, round_played, settled

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

SAID = "Ada says it was a one."


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def disputed(house: House) -> tuple[uuid.UUID, int]:
    game = opened(house)
    round_played(house, game)
    [raised] = done(house, game, "dispute", round=1, reason=SAID)
    settled(house)
    return game, raised.stream_version


def decided(house: House, dispute: tuple[uuid.UUID, int], outcome: str = "stands") -> None:
    game, number = dispute
    done(house, game, "resolve", by=house.supervisor, dispute=number, outcome=outcome,
         reason="The camera shows a seven.")  # fmt: skip
    settled(house)


def listed(house: House, query: str = "", role: Role = Role.AUDITOR) -> list[dict[str, Any]]:
    answer = house.client(role).get(house.url(f"disputes/{query}"))
    assert answer.status_code == HTTPStatus.OK, answer.content
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


@pytest.mark.long("postgresql")
def test_c3_disputes_are_listed_by_state_game_table_and_player(
    house: House, disputed: tuple[uuid.UUID, int]
) -> None:
    game, number = disputed
    [row] = listed(house)

    assert (row["game"], row["dispute"], row["round"]) == (str(game), number, 1)
    assert (row["state"], row["reason"]) == ("open", SAID)
    assert row["raised_by"] == str(house.attendant)
    assert row["url"].endswith(reverse("dispute", kwargs={"game": game, "dispute": number}))
    for query in ("?state=open", f"?game={game}", f"?table={house.table.pk}", "?player=Ada"):
        assert listed(house, query) == [row], query
    for query in ("?state=stands", f"?game={uuid.uuid4()}", f"?table={house.tables[1].pk}",
                  "?player=Nobody"):  # fmt: skip
        assert listed(house, query) == [], query
    decided(house, disputed)
    [ended] = listed(house, "?state=stands")
    assert ended["decision"] == "The camera shows a seven."
    assert ended["decided_by"] == str(house.supervisor)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    "query", ["?state=maybe", "?game=7", "?table=x", "?player=", "?player=%00", "?cursor=x"]
)
def test_what_cannot_be_asked_is_malformed(house: House, query: str) -> None:
    answer = house.client().get(house.url(f"disputes/{query}"))

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.json()["code"] == "malformed"


@pytest.mark.long("postgresql")
def test_c3_one_dispute_whole(house: House, disputed: tuple[uuid.UUID, int]) -> None:
    game, number = disputed
    address = house.url(f"disputes/{game}/{number}/")

    whole = house.client().get(address).json()
    assert whole["outcomes"] == ["stands", "voided", "adjusted"]
    assert whole["recorded_by"] == [str(house.attendant)]
    assert sorted(whole["players"]) == ["Ada", "Bo"]
    assert [each["number"] for each in whole["history"]] == [number]
    decided(house, disputed)
    whole = house.client().get(address).json()
    assert whole["outcomes"] == []
    assert "it stands" in whole["history"][-1]["sentence"]


def unpacked(house: House, dispute: tuple[uuid.UUID, int], **headers: str) -> dict[str, bytes]:
    game, number = dispute
    address = house.url(f"disputes/{game}/{number}/bundle/")
    answer: Any = house.client(Role.AUDITOR).get(address, headers=headers)
    assert answer.status_code == HTTPStatus.OK
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.long("postgresql")
def test_c3_a_bundle_holds_everything_and_is_checked_by_its_own_hashes(
    house: House, disputed: tuple[uuid.UUID, int]
) -> None:
    decided(house, disputed)
    game, number = disputed
    files = unpacked(house, disputed)
    manifest = json.loads(files.pop("manifest.json"))

    assert manifest["format"] == "home-throw-dispute/1"
    assert (manifest["game"], manifest["dispute"]) == (str(game), number)
    assert manifest["files"] == [
        {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    ]
    stored = Event.objects.filter(establishment=house.id, stream=f"game/{game}")
    events = [json.loads(line) for line in files["events.jsonl"].splitlines()]
    assert [each["position"] for each in events] == list(
        stored.order_by("stream_version").values_list("position", flat=True)
    )
    for event in events:
        leaf = hashlib.sha256(b"\0" + event["body"].encode()).hexdigest()
        assert leaf == event["leaf_hash"]
    transfers = [json.loads(line) for line in files["transfers.jsonl"].splitlines()]
    assert [each["amount"] for each in transfers[:2]] == [20, 20]
    assert any(each["amount"] == 7 for each in transfers)
    assert json.loads(files["dispute.json"])["outcome"] == "stands"
    [explained] = json.loads(files["explanation.json"])
    assert explained["payments"][0]["rules"] == ["SH4"]
    page = files["round.html"].decode()
    assert "Ada" in page
    assert "SH4" in page
    assert SAID.encode() in files["dispute.json"]


@pytest.mark.long("postgresql")
def test_personal_data_of_a_bundle_stands_apart_and_is_gone_once_it_is_erased(
    house: House, disputed: tuple[uuid.UUID, int]
) -> None:
    files = unpacked(house, disputed)
    named = json.loads(files["names.json"])

    assert {"Ada", "Bo", SAID} <= set(named["players_and_texts"].values())
    assert named["staff"] == {str(house.attendant.pk): str(house.attendant)}
    for name in ("events.jsonl", "settlement.jsonl", "transfers.jsonl"):
        assert b"Ada" not in files[name]
        assert SAID.encode() not in files[name]


@pytest.mark.long("postgresql")
def test_a_bundle_is_what_whoever_accepts_archives_gets(
    house: House, disputed: tuple[uuid.UUID, int]
) -> None:
    assert "manifest.json" in unpacked(house, disputed, Accept="application/zip")
    game, number = disputed
    missing = house.client(Role.AUDITOR).get(
        house.url(f"disputes/{game}/{number + 1}/bundle/"), headers={"Accept": "application/zip"}
    )
    assert missing.status_code == HTTPStatus.NOT_FOUND


BUNDLES = {Role.ATTENDANT: 403, Role.SUPERVISOR: 200, Role.MANAGER: 200, Role.AUDITOR: 200}


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("role", list(Role))
def test_a_bundle_with_names_is_for_those_who_oversee(
    house: House, disputed: tuple[uuid.UUID, int], role: Role
) -> None:
    game, number = disputed
    by_api = house.client(role).get(house.url(f"disputes/{game}/{number}/bundle/"))
    page = reverse("dispute-bundle", kwargs={"game": game, "dispute": number})
    by_page: Any = builders.signed_in(house.people[role]).get(page)

    assert {by_api.status_code, by_page.status_code} == {BUNDLES[role]}
    if by_page.status_code == HTTPStatus.OK:
        assert by_page["Content-Disposition"].endswith(f'dispute-{game}-{number}.zip"')
        assert b"".join(by_page.streaming_content).startswith(b"PK")


@pytest.mark.long("postgresql")
def test_a_bundle_of_a_round_that_was_voided_tells_what_became_of_it(
    house: House, disputed: tuple[uuid.UUID, int]
) -> None:
    decided(house, disputed, "voided")
    files = unpacked(house, disputed)

    body = json.loads(files["dispute.json"])
    assert body["outcome"] == "voided"
    assert any("Void from 2 on" in each["sentence"] for each in body["history"])


def test_another_house_s_disputes_are_not_there(
    house: House, disputed: tuple[uuid.UUID, int]
) -> None:
    game, number = disputed
    other = builders.house()

    assert listed(other) == []
    for rest in ("", "bundle/"):
        for whose in (house, other):
            answer = other.client(Role.MANAGER).get(whose.url(f"disputes/{game}/{number}/{rest}"))
            assert answer.status_code == HTTPStatus.NOT_FOUND


def test_c3_what_is_disputed_is_held_and_released_when_it_stands(house: House) -> None:
    game = opened(house, stake=7)
    last = round_played(house, game, ("Ada", PAIR_7), ("Bo", PAIR_4))
    [raised] = done(house, game, "dispute", payout=f"{last.stream_version}.0", reason="Twice.")
    settled(house)
    address = house.url(f"disputes/{game}/{raised.stream_version}/")

    [held] = house.client().get(address).json()["held"]
    assert (held["player"], held["left"]) == ("Bo", 7)
    decided(house, (game, raised.stream_version))
    assert house.client().get(address).json()["held"] == []
