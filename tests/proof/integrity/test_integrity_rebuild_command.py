"""The command that compares rows with a replay, and makes them anew."""

from __future__ import annotations

import json
import uuid
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from casino.house.acts.game_streams import loading
from casino.play.core.models import GameCard
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from tests.play.settlement.test_settlement_trouble import by_hand
from tests.support.playing import settled
from tests.support.rebuilt import with_a_round_lost

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _before_all_else(own_file: object) -> None:
    del own_file


@pytest.fixture
def house() -> House:
    return with_a_round_lost()


class TestTheCommand:
    def run(self, house: House, *options: str) -> tuple[int, str]:
        """Its exit status, and its output."""
        out, code = StringIO(), 0
        arguments = ("--establishment", str(house.id), *options)
        try:
            call_command("rebuild", *arguments, stdout=out, stderr=StringIO())
        except SystemExit as ended:
            code = int(str(ended.code))
        return code, out.getvalue()

    @pytest.mark.long("postgresql")
    def test_it_says_that_nothing_differs(self, house: House) -> None:
        code, output = self.run(house, "--check")

        assert code == 0
        assert output.splitlines() == [
            f"{house.establishment.name}, {subscriber.name}: nothing differs."
            for subscriber in SUBSCRIBERS
        ]

    @pytest.mark.long("postgresql")
    def test_checked_only_it_names_row_and_column_and_leaves_them(self, house: House) -> None:
        GameCard.objects.filter(establishment=house.id).update(pot=99)
        game = GameCard.objects.get(establishment=house.id).game

        code, output = self.run(house, "--check", "--follower", "projections")

        assert code == 1
        assert output.splitlines() == [
            f"{house.establishment.name}, projections: play_gamecard: 1 differ.",
            f"  altered game={game}: pot is 99, should be 7",
        ]
        assert GameCard.objects.get(establishment=house.id).pot == 99

    def test_it_makes_anew_what_differs(self, house: House) -> None:
        GameCard.objects.filter(establishment=house.id).update(pot=99)

        assert self.run(house)[0] == 1
        assert GameCard.objects.get(establishment=house.id).pot == 7
        assert self.run(house)[0] == 0

    @pytest.mark.long("postgresql")
    def test_it_says_so_in_json(self, house: House) -> None:
        GameCard.objects.filter(establishment=house.id).delete()

        _, output = self.run(house, "--check", "--json", "--follower", "projections")

        row, last = map(json.loads, output.splitlines())
        assert row["difference"]["what"] == "missing"
        assert row["difference"]["expected"]["establishment_id"] == str(house.id)
        assert last["differing"] == {"play_gamecard": 1}

    @pytest.mark.long("postgresql")
    def test_what_is_parked_alone_begins_nothing_anew(self, house: House) -> None:
        """What is not understood would not be now: a rebuild would lose what was read before it."""
        game = GameCard.objects.get(establishment=house.id).game
        by_hand(house, f"game/{game}", "stone_hand.unheard_of", {})
        loading.MEMORY.forget()
        settled(house)

        assert self.run(house)[0] == 0
        assert GameCard.objects.filter(establishment=house.id).exists()

    def test_a_house_that_is_not_there(self) -> None:
        with pytest.raises(CommandError, match="there is no house") as refused:
            call_command("rebuild", "--establishment", str(uuid.uuid4()))
        assert refused.value.returncode == 2
