"""G4: an entry is changed in place: one act, with its money, its approval and its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.play.core import queries
from casino.play.settlement import rollovers
from tests.support import builders, two_people
from tests.support.playing import (
    LATER,
    PAIR_1,
    PAIR_4,
    PAIR_7,
    balances,
    booked_events,
    done,
    float_of,
    game_of,
    new_id,
    nothing_parked,
    opened,
    pot_of,
    refused,
    round_played,
    settled,
    stake_of,
    state,
    thrown,
    token,
)
from tests.support.regrading import differences

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
SETS = "instead.dice"


@pytest.fixture
def house() -> House:
    return builders.house()


def throw(player: str, *dice: int) -> dict[str, Any]:
    return {"do": "throw", "player": player, "dice": list(dice)}


def kinds(events: Any) -> list[str]:
    return [event.event_type for event in events]


class TestAlone:
    @pytest.mark.long("postgresql")
    def test_the_last_throw_is_another_in_one_act(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)

        events = done(
            house, game, "void", back_to=2, reason="wrong face", instead=throw("Ada", *PAIR_1)
        )

        assert kinds(events) == ["game.voided", "stone_hand.dice_thrown"]
        assert len({event.provenance.command_id for event in events}) == 1
        assert events[0].data["corrected"]
        assert events[1].data["player"] == token(house, game, "Ada")
        assert [each["void"] for each in state(house, game)["throws"] if "void" in each] == [True]

    def test_money_that_was_booked_moves_as_if_it_had_been_so(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)  # Ada loses 7
        settled(house)

        done(house, game, "void", back_to=3, reason="wrong face", instead=throw("Bo", 2, 2, 8))
        settled(house)

        assert balances(house)[stake_of(house, game, "Ada")] == 20
        assert balances(house)[stake_of(house, game, "Bo")] == 20 - 8
        assert balances(house)[pot_of(game)] == 8
        assert kinds(booked_events(house, game)) == [
            "settlement.booked", "settlement.reversed", "settlement.booked",
        ]  # fmt: skip
        assert differences(house) == []
        assert nothing_parked(house)


@pytest.mark.long("postgresql")
class TestAskedFor:
    def asked(self, house: House) -> uuid.UUID:
        """Ada's 2-2-7 was a 2-2-1; Bo has thrown since."""
        game = opened(house)
        round_played(house, game, now=LATER)
        settled(house)
        [event] = done(
            house, game, "void", back_to=2, reason="wrong face", instead=throw("Ada", *PAIR_1)
        )
        assert event.event_type == "game.void_requested"
        assert event.data["instead"]["player"] == token(house, game, "Ada")
        settled(house)
        return game

    @pytest.mark.parametrize("who", ["supervisor", "manager"])
    def test_c3_neither_who_asked_nor_who_approved_decides_a_dispute(
        self, house: House, who: str
    ) -> None:
        """Also the one who asked: the events that came again have the approver's name alone."""
        game = opened(house)
        round_played(house, game, now=LATER)
        [asked] = done(
            house, game, "void", by=house.manager, back_to=2, reason="wrong face",
            instead=throw("Ada", *PAIR_1),
        )  # fmt: skip
        request = asked.data["request"]
        done(house, game, "approve", by=house.supervisor, request=request, through=request)
        [disputed] = done(house, game, "dispute", round=1, reason="Who knows.")

        code = refused(
            house, game, "resolve", by=getattr(house, who), dispute=disputed.data["dispute"],
            outcome="stands", reason="Looked at.",
        )  # fmt: skip

        assert code == "own_record"

    def test_one_approval_changes_it_and_enters_what_came_after_again(self, house: House) -> None:
        game = self.asked(house)

        events = done(house, game, "approve", by=house.supervisor, request=5, through=5)
        settled(house)

        assert kinds(events) == [
            "game.voided", "stone_hand.dice_thrown", "stone_hand.dice_thrown",
            "stone_hand.round_lost",
        ]  # fmt: skip
        assert balances(house)[stake_of(house, game, "Bo")] == 20 - 4
        assert balances(house)[stake_of(house, game, "Ada")] == 20
        assert differences(house) == []

    def test_whoever_decides_sees_both_courses(self, house: House) -> None:
        self.asked(house)
        client = builders.signed_in(house.supervisor)

        page = client.get(reverse("approvals")).text

        assert "Instead:" in page
        assert "after the change" in page
        [details] = [
            each["details"] for each in client.get(house.url("approvals/")).json()["results"]
        ]
        assert [entry["line"]["dice"] for entry in details["instead"]] == [[2, 2, 1], [2, 2, 4]]
        assert details["stakes"] == [
            {"player": "Ada", "now": 13, "then": 20}, {"player": "Bo", "now": 20, "then": 16},
        ]  # fmt: skip

    def test_what_no_longer_fits_is_refused_and_can_be_rejected(self, house: House) -> None:
        game = self.asked(house)
        thrown(house, game, "Ada", PAIR_4)  # who lost throws first: with the change, Bo did

        code = refused(house, game, "approve", by=house.supervisor, request=5, through=6)

        assert code == "correction_unfit"
        done(house, game, "reject", by=house.supervisor, request=5, reason="Too late.")


@pytest.mark.long("postgresql")
def test_a_wrong_buy_in_has_its_way_back(house: House) -> None:
    """50 was entered for 5: the rest is handed back, and the throw since stands."""
    game = opened(house, game="cinnabar-gate", stake=20)
    [brought] = done(house, game, "buy_in", player="Ada", amount=50)
    thrown(house, game, "Ada", PAIR_7)
    settled(house)
    instead = {"do": "buy_in", "player": "Ada", "amount": 5}

    [asked] = done(
        house, game, "void", back_to=brought.stream_version, reason="wrong amount", instead=instead
    )
    done(
        house, game, "approve", by=house.supervisor, request=asked.stream_version,
        through=asked.stream_version,
    )  # fmt: skip
    settled(house)

    assert balances(house)[stake_of(house, game, "Ada")] == 25
    assert balances(house)[float_of(house.table)] == 45
    assert [each["dice"] for each in state(house, game)["throws"][-1:]] == [list(PAIR_7)]
    assert differences(house) == []


class TestAfterTheEnd:
    """A game that was closed is opened by the void, and closed again by what is entered anew."""

    def changed(self, house: House, game: uuid.UUID, back_to: int, **instead: Any) -> None:
        settled(house)
        [asked] = done(
            house, game, "void", back_to=back_to, reason="wrong face", instead=instead, now=LATER
        )
        number = asked.stream_version
        done(house, game, "approve", by=house.supervisor, request=number, through=number)
        settled(house)
        assert game_of(house, game).closed
        assert queries.running_game(house.table) is None
        assert differences(house) == []
        assert nothing_parked(house)

    def test_its_pool_is_shared_as_it_would_have_been(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)  # Ada loses 7, which are shared at the end: 4 and 3
        done(house, game, "close")

        self.changed(house, game, 3, **throw("Bo", 2, 2, 8))

        held = balances(house)
        assert held[stake_of(house, game, "Ada")] + held[stake_of(house, game, "Bo")] == 40
        assert held[stake_of(house, game, "Bo")] == 20 - 8 + 4

    @pytest.mark.long("postgresql")
    def test_what_it_left_to_the_rollover_is_left_once(self, house: House) -> None:
        builders.dice_for_every_game(house.establishment, sets=1)
        game = opened(house, game="threes-away", stake=20)
        dice = (1, 3, 3, 3, 3)
        first = thrown(house, game, "Ada", dice, keep=[*dice])[0].stream_version
        thrown(house, game, "Bo", dice, keep=[*dice])  # both have 1: the antes are carried on
        done(house, game, "close")
        settled(house)
        before, lots = balances(house), rollovers.read(house.id, "threes-away").lots

        again = {"dice": [3, 1, 3, 3, 3], "keep": [3, 1, 3, 3, 3]}
        self.changed(house, game, first, do="throw", player="Ada", **again)

        assert balances(house) == before
        after = rollovers.read(house.id, "threes-away").lots
        assert [lot.amount for lot in after] == [lot.amount for lot in lots]
        assert lots


@pytest.mark.long("postgresql")
class TestTheSheet:
    def sheet(self, house: House, game: uuid.UUID, event: int, **form: Any) -> str:
        query = {"event": event, **form}
        page = builders.signed_in(house.attendant).get(reverse("floor-change", args=[game]), query)
        assert page.status_code == 200
        return str(page.text)

    def test_it_shows_what_was_recorded_and_asks_for_nothing_yet(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)

        page = self.sheet(house, game, 2)

        assert 'value="7" id="change-2-3-7" checked' in page
        assert "before anything is sent" in page
        assert 'name="back_to"' not in page

    def test_it_shows_what_comes_of_the_change_and_sends_that(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        form = {"do": "void", "instead.do": "throw", "instead.player": "Ada"}
        faces = {f"{SETS}:{place}": face for place, face in enumerate((2, 2, 8))}

        page = self.sheet(house, game, 2, **form, **faces)

        assert "Instead:" in page
        assert "Change it, because" in page
        assert '<input type="hidden" name="instead.dice" value="8">' in page
        sent = {**form, SETS: [2, 2, 8], "back_to": 2, "reason": "wrong face"}
        answer = two_people.office(house.attendant).post(
            reverse("floor-command", args=[game]), {**sent, "command_id": new_id()}
        )
        assert answer.status_code == 302
        assert state(house, game)["throws"][-1]["dice"] == [2, 2, 8]

    def test_what_cannot_be_is_said_in_the_rules_own_sentence(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        form = {"do": "void", "instead.do": "throw", "instead.player": "Bo", SETS: [2, 2, 1]}

        page = self.sheet(house, game, 2, **form)

        assert "Ada throws, not Bo" in page
        assert 'name="back_to"' not in page

    def test_what_came_after_may_go_back_instead(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        form = {"do": "void", "instead.do": "throw", "instead.player": "Ada", SETS: [1, 3, 8]}

        page = self.sheet(house, game, 2, **form)  # empty: Ada throws again

        assert "Change it, and take back the entry after it" in page
        page = self.sheet(house, game, 2, **form, only="true")
        assert "Instead:" in page
        assert '<input type="hidden" name="only" value="true">' in page

    def test_the_opening_is_not_changed_in_place(self, house: House) -> None:
        page = self.sheet(house, opened(house), 1)

        assert "Not done" in page
