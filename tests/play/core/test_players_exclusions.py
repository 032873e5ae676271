"""P1: who is excluded gets no seat, by player id; whoever reads like them is asked about."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.models import Exclusion, SeatRefused
from games.refusals import Refused
from tests.support import builders
from tests.support.playing import NOW, ask, ask_open, done, opened, opening, settled

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 20)


@pytest.fixture
def house() -> House:
    return builders.house()


def token(house: House, name: str) -> str:
    return tokens.player_tokens(house.id, [name], new=True)[name]


def act(house: House, by: Attendant | None = None, **asked: object) -> acts.Act:
    return acts.Act(
        house=house.establishment,
        by=by or house.supervisor,
        device="office",
        now=NOW,
        command_id=uuid.uuid4(),
        request=asked,
    )


def excluded(house: House, name: str, *, since: date = TODAY, until: date | None = None) -> str:
    player = token(house, name)
    exclusions.exclude(
        act(house, player=player), player=player, since=since, until=until, reason="Asked for it."
    )
    return player


def turned_away(house: House, *names: str) -> str:
    answer = ask_open(house, opening(players=list(names)))
    assert answer.refusal is not None
    return answer.refusal.code


def test_p1_an_excluded_player_is_refused_a_seat_at_an_opening(house: House) -> None:
    player = excluded(house, "Ada")

    assert turned_away(house, "Ada", "Bo") == "excluded"
    assert turned_away(house, player, "Bo") == "excluded"  # by player id


@pytest.mark.long("postgresql")
def test_p1_an_excluded_player_is_refused_at_join(house: House) -> None:
    game = opened(house, game="cinnabar-gate", stake=20)
    excluded(house, "Cy")

    answer = ask(house, game, "join", player="Cy", stake=15)

    assert answer.refusal is not None
    assert answer.refusal.code == "excluded"


@pytest.mark.long("postgresql")
def test_p1_the_attempt_is_listed_once_however_often_it_is_sent(house: House) -> None:
    player = excluded(house, "Ada")
    raw = opening(players=["Ada", "Bo"])

    for _ in range(2):
        ask_open(house, raw)

    [tried] = SeatRefused.objects.filter(establishment=house.establishment)
    assert (tried.player, tried.named, tried.table) == (player, player, str(house.table.pk))
    assert tried.by == str(house.attendant.pk)


# fmt: off
READ_ALIKE = [
    ("José Ruiz", "JOSÉ RUIZ"),
    ("José Ruiz", "jose\u0301 ruiz"),     # composed otherwise
    ("José Ruiz", "José  Ruiz"),
    ("José Ruiz", "JoséRuiz"),
    ("José Ruiz", "Jose Ruiz"),
    ("Straße",    "STRASSE"),
    ("Ada",       "\uff21\uff24\uff21"),  # full width
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("barred", "typed"), READ_ALIKE)
def test_p1_a_name_that_reads_alike_seats_nobody_until_it_is_told_apart(
    house: House, barred: str, typed: str
) -> None:
    player = excluded(house, barred)

    assert turned_away(house, typed, "Bo") == "reads_like_excluded"

    other = token(house, typed)
    exclusions.distinguish_players(act(house), player=player, other=other, reason="His cousin.")
    opened(house, players=[typed, "Bo"])
    [tried] = SeatRefused.objects.filter(establishment=house.establishment)
    assert (tried.player, tried.named) == (player, other)


@pytest.mark.long("postgresql")
def test_p1_a_name_composed_otherwise_is_the_same_player(house: House) -> None:
    excluded(house, "José")

    assert turned_away(house, " José ", "Bo") == "excluded"


# fmt: off
PERIODS = [
    (TODAY,                      None,                       "excluded"),
    (TODAY,                      TODAY,                      "excluded"),
    (TODAY - timedelta(days=30), TODAY - timedelta(days=1),  None),
    (TODAY + timedelta(days=1),  None,                       None),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("since", "until", "code"), PERIODS)
def test_p1_an_exclusion_holds_from_one_gaming_day_to_another(
    house: House, since: date, until: date | None, code: str | None
) -> None:
    excluded(house, "Ada", since=since, until=until)

    refusal = ask_open(house, opening()).refusal

    assert (refusal.code if refusal else None) == code


@pytest.mark.long("postgresql")
def test_p1_who_is_readmitted_sits_down_and_the_record_stays(house: House) -> None:
    player = excluded(house, "Ada")

    exclusions.readmit(act(house), player=player, reason="The year is over.")

    opened(house)
    [row] = Exclusion.objects.filter(establishment=house.establishment)
    assert row.lifted_by == str(house.supervisor.pk)


def test_p1_an_exclusion_that_comes_between_is_not_missed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opening was decided before; the guard on the stream decides it anew."""
    player = token(house, "Ada")
    real = exclusions.check_seats
    said: list[str] = []

    def meanwhile(*args: object, **more: object) -> dict[str, int]:
        seen = real(*args, **more)  # type: ignore[arg-type]
        if not said:
            said.append(player)
            excluded(house, "Ada")
        return seen

    monkeypatch.setattr(exclusions, "check_seats", meanwhile)

    assert turned_away(house, "Ada", "Bo") == "excluded"


def test_p1_other_houses_seat_them(house: House) -> None:
    excluded(house, "Ada")
    opened(builders.house())


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("who", ["attendant", "auditor"])
def test_d1_who_may_approve_nothing_excludes_nobody(house: House, who: str) -> None:
    player = token(house, "Ada")

    with pytest.raises(NotYours):
        exclusions.exclude(
            act(house, getattr(house, who)), player=player, since=TODAY, until=None, reason="No."
        )


# fmt: off
WRONG = [
    ({"reason": " "},                              "reason_missing"),
    ({"until": TODAY - timedelta(days=1)},         "wrong_period"),
    ({"player": "p-aaaaaaaaaaaa"},                 "no_such_player"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("wrong", "code"), WRONG)
def test_p1_an_exclusion_names_whom_from_when_and_why(
    house: House, wrong: dict[str, object], code: str
) -> None:
    body = {"player": token(house, "Ada"), "since": TODAY, "until": None, "reason": "Asked."}

    with pytest.raises(Refused) as refused:
        exclusions.exclude(act(house), **{**body, **wrong})  # type: ignore[arg-type]

    assert refused.value.code == code


@pytest.mark.parametrize(
    ("until", "period"),
    [(None, "since 20/11/2026"), (date(2026, 12, 24), "from 20/11/2026 to 24/12/2026")],
)
def test_p1_a_refusal_says_how_long_somebody_is_excluded(
    house: House, until: date | None, period: str
) -> None:
    excluded(house, "Ada", until=until)

    for name, refusal in (("Ada", exclusions.Excluded), ("ADA", exclusions.ReadsLikeExcluded)):
        with pytest.raises(refusal, match=f"is excluded {period}"):
            exclusions.check_seats(house.establishment, [token(house, name)], TODAY, new={})
    with pytest.raises(exclusions.AlreadyExcluded, match=f"excluded already, {period}"):
        excluded(house, "Ada")


@pytest.mark.long("postgresql")
def test_p1_who_is_seated_already_plays_on_and_leaves(house: House) -> None:
    game = opened(house, game="cinnabar-gate", stake=20)
    excluded(house, "Ada")

    done(house, game, "leave", player="Ada")
    settled(house)
    done(house, game, "cash_out", player="Ada", amount=20)


@pytest.mark.long("postgresql")
@pytest.mark.django_db(transaction=True)
def test_p1_what_a_process_remembers_is_followed_by_what_is_new() -> None:
    """Outside of a transaction the list is remembered; later exclusions are seen all the same."""
    exclusions.MEMORY.forget()
    house = builders.house()
    for name in ("Ada", "Bo"):
        player = excluded(house, name)
        assert turned_away(house, name, "Cy") == "excluded"
        exclusions.readmit(act(house), player=player, reason="Over.")
    assert exclusions.MEMORY.of(house.id).version == 3  # the last event has not been asked for

    opened(house)

    known = exclusions.MEMORY.of(house.id)
    assert (known.version, known.bars) == (4, {})


def test_p1_who_may_be_excluded_is_seated_and_the_house_says_so() -> None:
    house = builders.house(tables=2)
    player = excluded(house, "Müller")
    settled(house)
    opened(house, players=["Mueller", "Bo"])  # no refusal: they may be two
    api = house.client(Role.MANAGER)

    def said() -> tuple[list[str], list[str], dict[str, str]]:
        [bar] = api.get(house.url("exclusions/")).json()["results"]
        rows = api.get(house.url("players/")).json()["results"]
        [row] = [each for each in rows if each["name"] == "Mueller"]
        client = Client()
        client.force_login(house.attendant)
        asked = client.get(
            reverse("floor-players", args=[house.tables[1].pk]), {"letters": "Mueller"}
        ).json()
        return (
            bar["perhaps"], row["perhaps_excluded"],
            {"": asked["warning"], **{each["name"]: each["warning"] for each in asked["players"]}},
        )  # fmt: skip

    with time_machine.travel(NOW, tick=False):
        warning = "May be the same person as Müller, who is excluded: ask who it is. P1"
        assert said() == (["Mueller"], ["Müller"], {"": warning, "Mueller": warning})
        office = Client()
        office.force_login(house.manager)
        assert "may be the same: Mueller" in office.get(reverse("exclusions")).content.decode()
        assert "may be an excluded player" in office.get(reverse("players")).content.decode()

        supervisor, form = Client(), {"player": player, "other": token(house, "Mueller")}
        supervisor.force_login(house.supervisor)
        page = supervisor.get(reverse("exclusions")).content.decode()
        assert "Mueller is somebody else" in page
        assert all(f'value="{each}"' in page for each in form.values())
        supervisor.post(
            reverse("exclusions"), {**form, "do": "apart", "reason": "A cousin.",
                                    "command_id": str(uuid.uuid4())},
        )  # fmt: skip
        bars, rows, warnings = said()
        assert (bars, rows, warnings["Mueller"]) == ([], [], "")
