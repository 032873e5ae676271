"""A roll-out of rules takes every column of the rules with it, also one that comes later."""

from __future__ import annotations

import inspect

from casino.chain import roll_outs
from casino.establishments.models import HouseRules
from casino.house_rules import operations as house_rules


def test_each_column_of_rules_is_rolled_out_and_compared() -> None:
    columns = {field.name for field in HouseRules._meta.concrete_fields}
    drafted = set(inspect.signature(house_rules.drafted).parameters)
    rules = columns - set(roll_outs.OF_A_VERSION)

    assert drafted - {"establishment", "effective_from", "by", "now", "text"} == rules
    for name in rules:
        one, other = HouseRules(game="river"), HouseRules(**{"game": "river", name: "another"})
        assert roll_outs.have_the_same_rules(one, HouseRules(game="river"))
        assert not roll_outs.have_the_same_rules(one, other), name
