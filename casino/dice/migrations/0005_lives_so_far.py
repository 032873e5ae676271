import json
from uuid import UUID

from django.db import migrations

IN_GAMES = ("dice.placed", "dice.lifted")


def listed(apps, schema_editor):
    """What was followed before lives were listed; what comes later, the follower lists."""
    here = schema_editor.connection.alias  # the owner's, not the one that runs the house
    rows = apps.get_model("dice", "DiceStep").objects.using(here)
    followed = apps.get_model("ledger", "Subscription").objects.using(here)
    events = apps.get_model("ledger", "Event").objects.using(here)
    for house, position in followed.filter(name="house").values_list("establishment", "position"):
        before = events.filter(establishment=house, position__lte=position).order_by("position")
        for event in before.filter(stream="record/dice_set").iterator():
            data = json.loads(bytes(event.body))["data"]
            if what := recorded(data):
                keep(rows, event, data, UUID(data["id"]), what, said=data.get("reason") or "")
        lives = before.filter(stream__startswith="dice/").exclude(event_type__in=IN_GAMES)
        for event in lives.iterator():
            data = json.loads(bytes(event.body))["data"]
            what = event.event_type.partition(".")[2]
            keep(
                rows, event, data, UUID(event.stream[len("dice/"):]), what,
                table=an_id(data.get("table")) if what == "issued" else None,
                game=an_id(data.get("game")), in_order=data.get("in_order"),
                supplier=data.get("supplier", ""), reference=data.get("reference", ""),
                said=data.get("finding") or data.get("reason") or "",
            )


def recorded(data):
    """None: that the set was received stands in its own stream."""
    if data.get("before") is None:
        return None if data["after"].get("state") == "received" else "added"
    if data["before"]["withdrawn"] == data["after"]["withdrawn"]:
        return "changed"
    return "withdrawn" if data["after"]["withdrawn"] else "reinstated"


def an_id(told):
    return UUID(told) if told else None


def keep(rows, event, data, dice_set, what, **more):
    rows.get_or_create(
        establishment_id=event.establishment,
        position=event.position,
        defaults={
            "dice_set": dice_set, "what": what, "at": event.recorded_at,
            "gaming_day": event.gaming_day, "actor": event.actor,
            "asked_by": data.get("asked_by") or "", **more,
        },
    )


class Migration(migrations.Migration):
    dependencies = [
        ("dice", "0004_life"),
        ("ledger", "0003_lines_of_an_account_in_order"),
    ]

    operations = [migrations.RunPython(listed, migrations.RunPython.noop)]
