"""The demo's chain: small houses with an evening behind them, made once."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from casino.chain import proof
from casino.chain.models import Chain, ChainHouse, ChainMember, HouseSummary
from casino.demo import chain as demo

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_it_has_the_demo_house_and_more_with_figures_and_is_made_once() -> None:
    for _ in range(2):
        call_command("demo", "--houses", "3", "--exposed", stdout=StringIO())
    chain = Chain.objects.get()
    houses = ChainHouse.objects.filter(chain=chain).order_by("establishment__name")
    names = [each.establishment.name for each in houses]
    assert names == ["The Landing", "The Six Lamps", "The Two Herons"]
    assert ChainMember.objects.filter(chain=chain).count() == len(demo.PEOPLE)
    assert HouseSummary.objects.filter(throws__gt=0).count() == 2
    assert proof.verify(chain).findings == []


def test_what_it_plays_takes_one_attendant() -> None:
    for number in range(len(demo.HOUSES)):
        for file in demo._transcripts(number):
            assert not demo._takes_two(file)
