"""What a roll-out takes: every column of rules, and values of their columns' types."""

from __future__ import annotations

import inspect
import uuid

import pytest
from django.utils import timezone

from casino.chain import roll_outs
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.requests import DoesNotFit
from tests.support.chained import chained, proven


def test_each_column_of_rules_is_rolled_out_and_compared() -> None:
    columns = {field.name for field in HouseRules._meta.concrete_fields}
    drafted = set(inspect.signature(house_rules.draft_rules).parameters)
    rules = columns - set(roll_outs.OF_A_VERSION)

    assert drafted - {"establishment", "effective_from", "by", "now", "text"} == rules
    for name in rules:
        one, other = HouseRules(game="river"), HouseRules(**{"game": "river", name: "another"})
        assert roll_outs.have_the_same_rules(one, HouseRules(game="river"))
        assert not roll_outs.have_the_same_rules(one, other), name


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("idle_after", 1.5), ("idle_after", True), ("idle_after", "20"), ("large_prize", []),
        ("large_prize", {}), ("tips_allowed", 1),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused_before_it_is_proposed(
    column: str, value: object
) -> None:
    here = chained(1)

    with pytest.raises(DoesNotFit, match=column):
        roll_outs.propose(
            proven(here.manager), values={column: value}, houses=[here.house.id],
            reason="Everywhere.", command_id=uuid.uuid4(), now=timezone.now(),
        )  # fmt: skip


OF_A_HOUSE = {
    "name", "currency_code", "currency", "currency_symbol", "coin_digits", "time_zone", "language",
    "locale", "day_cutoff",
}  # fmt: skip
"""A house's own: no chain decides them for it."""


def test_a_chain_decides_every_setting_that_is_not_the_house_s_own() -> None:
    """A new setting of the house belongs in `SETTINGS`, or here."""
    assert set(HouseForm.Meta.fields) - OF_A_HOUSE == set(roll_outs.SETTINGS)
