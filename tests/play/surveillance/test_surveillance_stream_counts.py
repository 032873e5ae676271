"""What is counted of throws: every raw one, each once, however it is read (control F2)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from casino.play.dice.surveillance.models import CurvePoint, DiceStream, EntryRow, Kind, SealedHand
from casino.play.dice.surveillance.stream_monitor import CURVE_POINTS_MAX
from casino.play.dice.surveillance.subscriber import ROWS, SURVEILLANCE
from ledger import subscriptions
from ledger.models import Event, ParkedEvent
from tests.support import builders
from tests.support.playing import EMPTY, PAIR_4, PAIR_7, done, opened, thrown
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    from uuid import UUID

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    made = builders.house(tables=2)
    builders.dice_for_every_game(made.establishment, sets=2)
    return made


def watched(house: House) -> None:
    builders.followed(SURVEILLANCE, house.id)
    assert not ParkedEvent.objects.filter(establishment=house.id).exists()
    assert not subscriptions.lag(SURVEILLANCE.name, establishment=house.id)


def row(house: House, sides: int, kind: Kind = Kind.HOUSE, name: str = "") -> DiceStream:
    return DiceStream.objects.get(establishment=house.id, kind=kind, name=name, sides=sides)


def counts(house: House, sides: int = 8, **whose: Any) -> dict[int, int]:
    """Faces that were seen, by face."""
    return {
        face: many
        for face, many in enumerate(row(house, sides, **whose).total_counts, start=1)
        if many
    }


def contents(house: House) -> list[Any]:
    return [
        sorted(
            (
                {name: bytes(value) if isinstance(value, memoryview) else value
                 for name, value in each.items()}
                for each in model._default_manager.filter(establishment=house.id).values()
            ),
            key=lambda each: str([each[name] for name in sorted(each)]),
        )
        for model in ROWS
    ]  # fmt: skip


class TestStoneHand:
    def test_every_throw_counts_in_the_streams_of_all_it_concerns(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        thrown(house, game, "Bo", PAIR_4)

        watched(house)

        assert counts(house) == {2: 4, 4: 1, 7: 1}
        assert row(house, 8).throws == 6
        by_kind = {
            kind: DiceStream.objects.filter(establishment=house.id, kind=kind) for kind in Kind
        }
        assert {
            kind: sum(each.throws for each in rows) for kind, rows in by_kind.items()
        } == dict.fromkeys(Kind, 6)
        assert by_kind[Kind.PLAYER].count() == 2
        [attendant] = by_kind[Kind.ATTENDANT]
        assert attendant.name == str(house.attendant.pk)

    def test_what_is_voided_or_thrown_again_stays_counted(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", EMPTY)  # thrown again (SH2)
        [event] = thrown(house, game, "Ada", PAIR_7)
        done(house, game, "void", back_to=event.stream_version, reason="It was a one.")
        thrown(house, game, "Ada", PAIR_4)

        watched(house)

        assert counts(house) == {1: 1, 2: 4, 3: 1, 4: 1, 7: 1, 8: 1}

    def test_a_no_throw_is_none(self, house: House) -> None:
        game = opened(house)
        done(house, game, "no_throw", player="Ada", reason="cocked", dice=[2, 2, 7])

        watched(house)

        assert not DiceStream.objects.filter(establishment=house.id).exists()
        entries = EntryRow.objects.get(establishment=house.id, kind=Kind.TABLE)
        assert (entries.cocked, entries.entries) == (1, 0)

    def test_other_dice_have_a_stream_of_their_own(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        thrown(house, game, "Bo", PAIR_4)
        before = DiceStream.objects.filter(establishment=house.id, kind=Kind.SET)
        watched(house)
        [first] = [each.name for each in before]
        other = next(each for each in house.dice_sets if str(each.pk) != first)
        done(house, game, "change_dice", dice_set=str(other.pk), reason="Chipped.")
        thrown(house, game, "Ada", PAIR_7)

        watched(house)

        assert counts(house, kind=Kind.SET, name=first) == {2: 4, 4: 1, 7: 1}
        assert counts(house, kind=Kind.SET, name=str(other.pk)) == {2: 2, 7: 1}


class TestRiver:
    HAND = {"d4": 1, "d6": 2, "d8": 3, "d10": 4, "d12": 5}

    def test_sealed_dice_are_missing_until_they_are_shown(self, house: House) -> None:
        game = river(house)

        watched(house)
        assert {sides: row(house, sides).missing for sides in (4, 6, 8, 10, 12)} == dict.fromkeys(
            (4, 6, 8, 10, 12), 2
        )
        assert counts(house, 12) == {}

        to_the_reveal(house, game)
        done(house, game, "reveal", player="Ada", dice=self.HAND)
        watched(house)

        assert row(house, 12).missing == 1
        assert counts(house, 12) == {1: 1, 5: 1}  # the banker's, and Ada's
        assert SealedHand.objects.filter(establishment=house.id).count() == 1

    def test_what_is_never_shown_stays_missing(self, house: House) -> None:
        game = river(house)
        to_the_reveal(house, game)
        done(house, game, "leave", player="Bo")
        done(house, game, "close")

        watched(house)

        assert row(house, 8).missing == 2
        assert counts(house, 8) == {1: 1}

    def test_a_hand_that_was_recorded_twice_was_sealed_once(self, house: House) -> None:
        game = river(house)
        to_the_reveal(house, game)
        [shown, *_] = done(house, game, "reveal", player="Ada", dice=self.HAND)
        done(house, game, "void", back_to=shown.stream_version, reason="Misread.")
        done(house, game, "reveal", player="Ada", dice={**self.HAND, "d12": 6})

        watched(house)

        assert row(house, 12).missing == 1
        assert counts(house, 12) == {1: 1, 5: 1, 6: 1}


def river(house: House) -> UUID:
    """Two players have thrown their hole dice, hidden."""
    game = opened(house, game="river", price=5)
    done(house, game, "start_round")
    done(house, game, "seal", player="Ada")
    done(house, game, "seal", player="Bo")
    return game


def to_the_reveal(house: House, game: UUID) -> None:
    done(house, game, "offer", dice=dict.fromkeys(("d4", "d6", "d8", "d10", "d12"), 1))
    for die in ("d4", "d6", "d8", "d10", "d12"):
        done(house, game, "withdraw", die=die)


class TestThreesAwayAndDiceBreaker:
    def test_all_dice_count_before_any_is_kept(self, house: House) -> None:
        game = opened(house, game="threes-away")
        thrown(house, game, "Ada", (3, 3, 5, 6, 6))
        done(house, game, "keep", player="Ada", dice=[3, 3])

        watched(house)

        assert counts(house, 6) == {3: 2, 5: 1, 6: 2}

    def test_broken_dice_are_left_out_and_the_thrown_one_counts(self, house: House) -> None:
        game = opened(house, game="dice-breaker", stake=0)
        done(house, game, "break_start", player="Ada", value=1)
        done(house, game, "break_start", player="Bo", value=4)
        done(house, game, "throw", player="Ada", die="Ada1", value=6)
        done(
            house, game, "throw", player="Ada", die="Ada2", value=5,
            breaks=[{"die": "Ada1", "value": 2}],
        )  # fmt: skip
        done(house, game, "throw", player="Ada", die="Ada3", value=1, out=["Ada3"])

        watched(house)

        assert counts(house, 6) == {5: 1, 6: 1}
        assert row(house, 6).missing == 1  # it left the arena: nobody wrote down its face

    def test_a_die_caught_in_mid_air_counts_when_its_catcher_throws_it(self, house: House) -> None:
        game = opened(house, game="dice-breaker", stake=0)
        done(house, game, "break_start", player="Ada", value=1)
        done(house, game, "break_start", player="Bo", value=4)
        caught = [{"die": "Ada1", "by": "Ada"}]
        done(house, game, "throw", player="Ada", die="Ada1", value=5, caught=caught)
        done(house, game, "throw", player="Ada", die="Ada1", value=6)

        watched(house)

        assert counts(house, 6) == {6: 1}
        assert row(house, 6).missing == 0


class TestOnceAndAgain:
    @pytest.mark.rows(1)
    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_read_in_any_batches_and_anew_the_rows_are_the_same(
        self, house: House, seed: int
    ) -> None:
        chance = Random(seed)  # noqa: S311 - of a test
        croupier = RandomPlayer(house, chance)
        for _ in range(60):
            croupier.does_something()
            if chance.random() < 0.2:
                subscriptions.advance(
                    SURVEILLANCE, establishment=house.id, batch=chance.randint(1, 50)
                )
        watched(house)
        before = contents(house)

        subscriptions.rebuild(SURVEILLANCE, establishment=house.id)

        assert contents(house) == before
        assert EntryRow.objects.filter(establishment=house.id).exists()

    def test_one_that_cannot_be_read_parks_its_game_and_leaves_nothing(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bad, good = opened(house), opened(house, table=house.tables[1])
        thrown(house, bad, "Ada", PAIR_7)
        thrown(house, good, "Ada", PAIR_4)
        first = Event.objects.get(
            establishment=house.id, stream=f"game/{bad}", event_type="stone_hand.dice_thrown"
        ).position
        with monkeypatch.context() as patched:
            patched.setattr(
                "casino.play.dice.surveillance.stream_monitor.read_throws", refusing(first)
            )
            builders.followed(SURVEILLANCE, house.id)

        assert counts(house) == {2: 2, 4: 1}
        parked = subscriptions.parked_events(SURVEILLANCE.name, establishment=house.id)
        assert [each.position for each in parked] == [first]

        subscriptions.retry(SURVEILLANCE, establishment=house.id, stream=f"game/{bad}")
        watched(house)

        assert counts(house) == {2: 4, 4: 1, 7: 1}


def refusing(position: int) -> Any:
    """The reader of throws, but that it does not understand one of them."""
    from casino.play.dice.surveillance import stream_monitor  # noqa: PLC0415 - before it is replaced

    honest = stream_monitor.read_throws

    def read(event: Any) -> Any:
        if event.position == position:
            raise ValueError("Nobody can read this.")
        return honest(event)

    return read


def test_a_curve_has_few_points_however_many_throws(house: House) -> None:
    from casino.play.dice.surveillance.stream_monitor import StreamKey, StreamMonitor  # noqa: PLC0415

    monitor = StreamMonitor.new(house.id, StreamKey("house", "", 8))
    chance = Random(4)  # noqa: S311 - of a test
    kept: dict[int, int] = {}
    for position in range(3000):
        monitor.update([chance.randint(1, 8) for _ in range(3)], position)
        kept = {each.mark: each.throws for each in monitor.new_points}
    assert CURVE_POINTS_MAX / 2 <= len(kept) <= CURVE_POINTS_MAX
    gaps = [b - a for a, b in zip(sorted(kept.values()), sorted(kept.values())[1:], strict=False)]
    assert max(gaps) <= 3 * min(gaps)
    assert not CurvePoint.objects.exists()
