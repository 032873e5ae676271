"""A column about the dice that somebody adds to their model is in every place without more work."""

from __future__ import annotations

import subprocess
import sys

from casino.play.dice.models import OF_THE_HOUSE, USUAL, DiceSet

# A process of its own, in which the model has one more column before anybody reads it.
ADDED = """
import os, uuid
os.environ["DJANGO_SETTINGS_MODULE"] = "casino.config.settings"
from django.db import models
from django.db.models.signals import class_prepared

def add(sender, **_more):
    if sender.__name__ == "DiceSet":
        sender.add_to_class("edge", models.CharField("edge", max_length=20, blank=True, default=""))

class_prepared.connect(add)
import django
django.setup()
from casino.play.dice import api, life, listings, pages, transfers
from casino.play.dice.models import DiceSet
from casino.house.acts import changes
from casino.reports.registers import dice

sharp = DiceSet(number="1", sides=6, count=2, edge="sharp")
assert "edge" in [each.name for each in listings.DICE_SETS.columns]
assert "edge" in api.RECEIVE["application/json"]["properties"]
assert "edge" in api.StockShape().get_fields()
form = pages.ReceiveForm({"number": "1", "sides": "6", "count": "2", "edge": "sharp",
    "supplier": "S", "reference": "R", "command_id": str(uuid.uuid4())})
assert form.is_valid(), form.errors
assert form.delivery().further == {"edge": "sharp"}
assert "edge" in [each.name for each in dice.INVENTORY.tables[0].columns]
assert sharp.further == [("edge", "sharp")]
assert changes.state_of(sharp)["edge"] == "sharp"
assert DiceSet(**sharp.traits).edge == "sharp"
"""


def test_one_more_column_is_in_list_api_form_report_export_and_transfer() -> None:
    run = subprocess.run(
        [sys.executable, "-c", ADDED], check=False, capture_output=True, text=True, timeout=120
    )

    assert run.returncode == 0, run.stderr


def test_a_column_is_either_of_the_house_or_goes_with_the_dice() -> None:
    names = {each.name for each in DiceSet._meta.concrete_fields}

    assert names >= OF_THE_HOUSE
    assert set(DiceSet(sides=6, count=1).traits) == names - OF_THE_HOUSE
    assert set(USUAL) <= names - OF_THE_HOUSE
