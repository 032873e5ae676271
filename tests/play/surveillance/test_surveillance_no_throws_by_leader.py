"""No-throws by who led: counted from events, compared at any time, shown on pages (F3)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.play.dice.surveillance import leader_comparisons
from casino.play.dice.surveillance.e_values import (
    EventCounts,
    detectable_rate_ratio,
    fisher_exact_p,
    log10_e_of_rates,
)
from casino.play.dice.surveillance.leader_comparisons import (
    ALL,
    BEHIND,
    NOBODY,
    SEVERAL,
    THEMSELVES,
)
from casino.play.dice.surveillance.models import Kind, LeadRow
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from ledger import subscriptions
from ledger.models import ParkedEvent
from tests.forms import LONG_FORM
from tests.support import builders
from tests.support.playing import PAIR_4, PAIR_7, done, opened, thrown
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    from uuid import UUID

    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

db = pytest.mark.django_db
LETTERS = "abcdefghjkmnpqrstuvw"  # of players' tokens


@pytest.fixture
def house() -> House:
    return builders.house()


def watched(house: House) -> None:
    builders.followed(SURVEILLANCE, house.id)
    assert not ParkedEvent.objects.filter(establishment=house.id).exists()


def counted(
    house: House, kind: Kind = Kind.ATTENDANT, name: str = ""
) -> dict[str, tuple[int, int]]:
    """By who led, as people are called: throws and no-throws, and of these no-throws."""
    rows = LeadRow.objects.filter(establishment=house.id, kind=kind)
    if name:
        rows = rows.filter(name=token(house, name))
    called = {token(house, player): player for player in ("Ada", "Bo", "Cy")}
    return {called.get(row.leader, row.leader): (row.chances, row.no_throws) for row in rows}


def token(house: House, player: str) -> str:
    return pseudonyms.player_tokens(house.id, [player], new=False).get(player, "")


def no_throw(house: House, game: UUID, player: str) -> None:
    done(house, game, "no_throw", player=player, reason="cocked")


@db
class TestCounted:
    def test_f3_each_throw_by_who_stood_to_pay_before_it(self, house: House) -> None:
        game = opened(house, players=["Ada", "Bo", "Cy"], stake=100)
        no_throw(house, game, "Ada")  # nobody yet
        thrown(house, game, "Ada", PAIR_7)
        no_throw(house, game, "Bo")  # Ada
        no_throw(house, game, "Bo")
        thrown(house, game, "Bo", PAIR_7)
        no_throw(house, game, "Cy")  # both
        thrown(house, game, "Cy", PAIR_4)
        thrown(house, game, "Ada", PAIR_4)  # the tie is thrown out: nobody yet
        no_throw(house, game, "Bo")  # Ada again

        watched(house)

        assert counted(house) == {
            ALL: (9, 5), NOBODY: (3, 1), BEHIND: (6, 4), SEVERAL: (2, 1), "Ada": (4, 3),
        }  # fmt: skip
        assert counted(house, Kind.PLAYER, "Bo") == {ALL: (4, 3), BEHIND: (4, 3), "Ada": (4, 3)}
        assert counted(house, Kind.PLAYER, "Ada") == {ALL: (3, 1), NOBODY: (3, 1)}
        assert all(LeadRow.objects.values_list("pays", flat=True))

    def test_who_leads_and_throws_again_is_behind_nobody(self, house: House) -> None:
        game = opened(house, options={"rethrow": 1}, stake=100)
        thrown(house, game, "Ada", PAIR_7)
        no_throw(house, game, "Ada")

        watched(house)

        assert counted(house)[THEMSELVES] == (1, 1)
        assert BEHIND not in counted(house)

    def test_what_a_void_cancels_was_thrown_all_the_same(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        no_throw(house, game, "Bo")
        [bad] = thrown(house, game, "Bo", (1, 3, 8))
        done(house, game, "void", back_to=bad.stream_version, reason="misread")
        no_throw(house, game, "Bo")
        watched(house)

        assert counted(house, Kind.PLAYER, "Bo")["Ada"] == (3, 2)

    @pytest.mark.long("postgresql")
    def test_however_it_is_cut_into_batches_it_comes_to_the_same(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """All games, played by chance, read at once, one by one, and built anew."""
        builders.dice_for_every_game(house.establishment, sets=2)
        croupier = RandomPlayer(house, Random(11))  # noqa: S311 - play of a test
        for number in range(200 if LONG_FORM else 80):
            croupier.does_something()
            if number % 20 == 0:
                watched(house)
        watched(house)
        before = rows(house)
        with monkeypatch.context() as patched:
            patched.setattr(subscriptions, "BATCH_MAX", 3)
            subscriptions.rebuild(SURVEILLANCE, establishment=house.id)
            watched(house)

        assert rows(house) == before
        assert len({each["game"] for each in before}) >= 3
        for each in LeadRow.objects.filter(establishment=house.id, leader=ALL):
            same = LeadRow.objects.filter(
                establishment=house.id, kind=each.kind, name=each.name, game=each.game,
                pays=each.pays,
            )  # fmt: skip
            parts = {row.leader: row for row in same}
            single = [parts[word] for word in (NOBODY, THEMSELVES, BEHIND) if word in parts]
            assert sum(row.chances for row in single) == each.chances
            assert sum(row.no_throws for row in single) == each.no_throws


def rows(house: House) -> list[dict[str, Any]]:
    found = LeadRow.objects.filter(establishment=house.id).order_by("pk")
    return [dict(row) for row in found.values()]


class TestEvidence:
    def test_without_trials_to_compare_there_is_no_evidence(self) -> None:
        assert log10_e_of_rates(EventCounts(0, 0), EventCounts(9, 1)) == 0
        assert log10_e_of_rates(EventCounts(9, 9), EventCounts(0, 0)) == 0

    @given(st.integers(1, 400), st.integers(1, 400), st.floats(0.01, 0.6))
    def test_as_frequent_here_as_elsewhere_is_no_evidence(
        self, here: int, elsewhere: int, rate: float
    ) -> None:
        seen = log10_e_of_rates(
            EventCounts(here, here * rate), EventCounts(elsewhere, elsewhere * rate)
        )
        assert seen <= 1e-9
        fewer = log10_e_of_rates(EventCounts(here, 0), EventCounts(elsewhere, elsewhere * rate))
        assert fewer <= 1e-9

    @pytest.mark.rows(1)
    @pytest.mark.parametrize("rate", [0.02, 0.08, 0.3])
    def test_where_all_is_chance_it_hardly_ever_passes_twenty(self, rate: float) -> None:
        """Looked at with every no-throw of 200 attendants: 1 in 20 at most, by Ville."""
        chance = Random(5)  # noqa: S311 - no-throws of a test
        assert sum(passed(chance, 800, rate, 1, 20) is not None for _ in range(200)) <= 10

    def test_a_planted_pattern_is_found_as_soon_as_the_page_says(self) -> None:
        """Three times as often while one leads, of 3 in 100: half of them by so many throws."""
        chance = Random(8)  # noqa: S311 - no-throws of a test
        found = [passed(chance, 3000, 0.03, 3, 1000) or 3000 for _ in range(40)]
        median = sorted(found)[20]

        times = detectable_rate_ratio(0.4 * median, 0.6 * median, 0.03, 0.001)

        assert times == pytest.approx(3, rel=0.2)

    def test_the_exact_test_is_fisher_s(self) -> None:
        """The lady tasting tea: of four cups, three right or more by chance in 17 of 70."""
        assert fisher_exact_p(EventCounts(4, 3), EventCounts(4, 1)) == pytest.approx(17 / 70)
        assert fisher_exact_p(EventCounts(4, 4), EventCounts(4, 0)) == pytest.approx(1 / 70)

    @given(st.integers(20, 5000), st.floats(0.01, 0.2))
    def test_more_throws_show_slighter_patterns(self, throws: int, rate: float) -> None:
        few = detectable_rate_ratio(throws / 2, throws / 2, rate, 0.001)
        many = detectable_rate_ratio(2 * throws, 2 * throws, rate, 0.001)
        if few is not None:
            assert many is not None
            assert many <= few + 0.01
        assert detectable_rate_ratio(throws, throws, 0.0, 0.001) is None


def passed(chance: Random, throws: int, rate: float, times: float, mark: int) -> int | None:
    """The throw at which E passed a mark; no-throws are `times` as frequent in 2 of 5 throws."""
    seen = {True: [0, 0], False: [0, 0]}
    for throw in range(1, throws + 1):
        led = chance.random() < 0.4
        no = chance.random() < (rate * times if led else rate)
        seen[led][0] += 1
        seen[led][1] += no
        if (
            no
            and 10 ** log10_e_of_rates(EventCounts(*seen[True]), EventCounts(*seen[False])) >= mark
        ):
            return throw
    return None


def played(house: House, rounds: int, chance: Random, *, helped: str = "") -> None:
    """Two play on and on, the loser begins; no-throws help one of them who stands to pay."""
    game = opened(house, stake=10_000)
    first, second = "Ada", "Bo"
    for _ in range(rounds):
        if chance.random() < 0.05:
            no_throw(house, game, first)
        thrown(house, game, first, PAIR_4)
        if chance.random() < (0.8 if first == helped else 0.05):
            no_throw(house, game, second)
        thrown(house, game, second, PAIR_7)
        first, second = second, first


@db
class TestPages:
    def page(self, house: House, path: str) -> str:
        text: str = builders.signed_in(house.auditor).get(path).content.decode()
        return text

    @pytest.mark.long("postgresql")
    def test_f3_a_planted_pattern_stands_out_on_both_pages(self, house: House) -> None:
        played(house, 70, Random(3), helped="Bo")  # noqa: S311 - play of a test
        watched(house)

        [mine] = leader_comparisons.comparisons_by_game(
            house.establishment, Kind.ATTENDANT, str(house.attendant.pk)
        )
        lines = {line.title: line for line in mine.lines}
        assert lines["of these: Bo stood to pay"].stands_out
        assert not lines["nobody stood to pay yet"].compared
        [foremost, *_] = leader_comparisons.largest_in_house(house.establishment)
        assert foremost.stands_out
        for path in ("/dice/entries/", f"/dice/of/attendant/{house.attendant.pk}/",
                     f"/dice/of/player/{token(house, 'Ada')}/"):  # fmt: skip
            text = self.page(house, path)
            assert "Bo stood to pay" in text
            assert ("look again" in text) is ("player" not in path)  # half as many throws

    @pytest.mark.long("postgresql")
    def test_honest_play_raises_no_eyebrow_and_says_what_it_could_have_shown(
        self, house: House
    ) -> None:
        played(house, 60, Random(4))  # noqa: S311 - play of a test
        watched(house)

        [mine] = leader_comparisons.comparisons_by_game(
            house.establishment, Kind.ATTENDANT, str(house.attendant.pk)
        )

        assert not any(line.stands_out for line in mine.lines)
        assert "times as many then would show" in mine.power_sentence
        assert all(line.p > 0.001 for line in mine.lines if line.compared)
        assert "look again" not in self.page(house, "/dice/entries/")

    @pytest.mark.long("postgresql")
    def test_with_no_no_throw_and_with_no_play_it_says_so(self, house: House) -> None:
        assert "Nobody&#x27;s no-throws depend" in self.page(house, "/dice/entries/").replace(
            "Nobody's", "Nobody&#x27;s"
        )
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        watched(house)
        assert "Nobody else has led before a throw" in self.page(
            house, f"/dice/of/attendant/{house.attendant.pk}/"
        )
        thrown(house, game, "Bo", PAIR_4)
        watched(house)
        assert "Without any no-throw" in self.page(
            house, f"/dice/of/attendant/{house.attendant.pk}/"
        )

    def test_a_count_leads_to_the_last_no_throw_of_it(self, house: House) -> None:
        game = opened(house)
        [event] = done(house, game, "no_throw", player="Ada", reason="cocked")
        watched(house)

        text = self.page(house, f"/dice/of/player/{token(house, 'Ada')}/")

        assert f'href="/events/{event.position}/"' in text

    @pytest.mark.rows(1)
    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("kind", [Kind.ATTENDANT, Kind.PLAYER])
    def test_what_a_page_asks_does_not_grow(
        self, house: House, kind: Kind, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        played(house, 2, Random(4))  # noqa: S311 - play of a test
        watched(house)
        name = str(house.attendant.pk) if kind == Kind.ATTENDANT else token(house, "Ada")
        client = builders.signed_in(house.supervisor)
        paths = (f"/dice/of/{kind}/{name}/", "/dice/entries/")
        for path in 2 * paths:  # what a process keeps, it has by then
            client.get(path)
        query_counts = []
        for many in (range(5, 10), range(10, 70)):
            LeadRow.objects.bulk_create(
                LeadRow(
                    establishment_id=house.id,
                    kind=kind,
                    name=name,
                    game="stone-hand",
                    pays=True,
                    leader=f"p-aaaaaaaaaa{LETTERS[number // 20]}{LETTERS[number % 20]}",
                    chances=9,
                    no_throws=number % 5,
                    highest=number / 10,
                )
                for number in many
            )
            for path in paths:
                with django_assert_max_num_queries(26) as queries:
                    assert client.get(path).status_code == 200
                query_counts.append(len(queries))
        assert query_counts[:2] == query_counts[2:]
