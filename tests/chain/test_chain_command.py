"""The command ``chain``: what whoever looks after the machine does to a chain."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from casino.chain.models import Chain, ChainHouse, ChainMember, HouseSummary
from tests.support import builders

pytestmark = pytest.mark.django_db


def said(*words: str) -> str:
    out = StringIO()
    call_command("chain", *words, stdout=out)
    return out.getvalue()


def test_from_the_founding_to_the_end() -> None:
    house, person, other = builders.house(), builders.person("vera"), builders.person("nils")
    name = house.establishment.name
    said("found", "Lamps", "--time-zone", "Europe/Rome")
    assert Chain.objects.get().time_zone == "Europe/Rome"
    said("appoint", "Lamps", "vera", "manager")
    said("appoint", "Lamps", "nils", "auditor")
    said("join", "Lamps", name, "--reason", "Ours.")
    assert HouseSummary.objects.get().summed_at is not None
    assert said("show").split("  ")[0] == "Lamps"
    assert name in said("show")
    assert "1 summary" in said("summaries", "Lamps")
    assert "events" in said("verify", "Lamps")

    said("dismiss", "Lamps", "nils")
    said("leave", "Lamps", str(house.id))
    assert not ChainHouse.objects.exists()
    members = ChainMember.objects.filter(until__isnull=True)
    assert [each.attendant for each in members] == [person] != [other]


REFUSED = [
    (("appoint", "Nowhere", "vera", "manager"), "no chain called Nowhere"),
    (("appoint", "Lamps", "nobody", "manager"), "nobody signs in"),
    (("join", "Lamps", "No house"), "no house No house"),
    (("dismiss", "Lamps", "vera"), "has no role"),
    (("found", "Lamps"), "already exists"),
    (("checkpoint", "Lamps"), "Nothing is signed yet"),
    (("found", "Sea", "--time-zone", "Mars/North"), "Mars/North"),
]


@pytest.mark.parametrize(("words", "why"), REFUSED)
def test_what_cannot_be_done_is_said_in_a_sentence(words: tuple[str, ...], why: str) -> None:
    builders.person("vera")
    said("found", "Lamps")
    with pytest.raises(CommandError, match=why):
        said(*words)


def test_a_row_that_was_written_by_hand_fails_the_verification() -> None:
    said("found", "Lamps")
    ChainMember.objects.create(
        chain=Chain.objects.get(), attendant=builders.person(), role="manager"
    )
    with pytest.raises(CommandError, match="Not as it was recorded"):
        said("verify", "Lamps")
