"""Houses that leave as files and come back, on a machine where there is nothing."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from random import Random
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from casino.house.acts import changes
from casino.house.acts.game_streams import loading
from casino.house.attendants import signins
from casino.house.establishments import gaming_day
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.play.exclusions import operations as exclusions
from casino.play.settlement.models import PrizeRule, Scoreboard
from casino.proof.signing import keys, signing
from casino.proof.verification.export_tables import HOUSE, STAFF, TABLES
from tests.conftest import unguarded
from tests.support import builders, late_tablet
from tests.support.addressed_house import keys_of_sign_in
from tests.support.on_citus import keys_checked
from tests.support.playing import settled
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from django.db.models import Model

    from ledger.models import Checkpoint
    from tests.support.builders import House

KEPT = ("django_migrations", "django_content_type", "auth_permission")
STEPS = 150
HERE = signins.Where("192.0.2.7", "bar")
KEPT_BACK = {each.model: set(each.kept_back) for each in (HOUSE, STAFF, *TABLES)}


def a_house(seed: int = 3, steps: int = STEPS) -> House:
    """Days by chance at a house that has one of everything; signed now and then, and settled."""
    house, chance = builders.house(tables=3, dice_sets=0, counts_floats=True), Random(seed)  # noqa: S311
    builders.dice_for_every_game(house.establishment, sets=3)
    keys.make_file(house.id, keys.origin(house.id))
    builders.on_record(house.establishment)
    configured(house)
    croupier = RandomPlayer(house, chance)
    croupier.now = timezone.now()
    staff = Staff(house, chance, croupier)
    staff.opens_the_house()
    late_tablet.game_with_late_entries(house, table=house.tables[0], now=croupier.now)
    for _ in range(steps):
        if chance.random() < 1 / 3:
            staff.does_something()
        croupier.does_something()
        croupier.now += timedelta(seconds=chance.choice((1, 20, 400)))
        if chance.random() < 1 / 8:
            settled(house)
            signed(house)
    settled(house)
    return house


def configured(house: House) -> None:
    """What is beside the play: rules, prizes, people who come, and a line in the sign-in log."""
    now = timezone.now()
    keys_of_sign_in(house)
    signins.note(signins.What.SIGNED_IN, at=now, place=HERE, person=house.manager)
    prize = PrizeRule(
        establishment=house.establishment, kind="points", at=1, prize="A bottle", amount=5
    )
    board = Scoreboard(establishment=house.establishment, season="day")
    for thing in (prize, board):
        changes.create(thing, establishment=house.establishment, by=house.manager)
    home_throws.set_home_throw(
        establishment=house.establishment, faces=(1, 3, 6), effective_from=now, by=house.manager,
        story="Thrown by Ada's grandmother.",
    )  # fmt: skip
    house_rules.publish(
        establishment=house.establishment, game="river", effective_from=now, now=now,
        by=house.manager, text="No shouting.",
    )  # fmt: skip


def signed(house: House) -> Checkpoint | None:
    return signing.sign(house.establishment, timezone.now())


def exported(house: House, to: Path, *options: str) -> str:
    """What the command says."""
    return output_of("export_ledger", f"--establishment={house.id}", f"--to={to}", *options)


def output_of(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out, stderr=StringIO())
    return out.getvalue()


def another_machine() -> None:
    """Every table as an installation has it that was never played in."""
    tables = set(connection.introspection.django_table_names(only_existing=True)) - {*KEPT}
    keys_checked()
    with unguarded(connection) as cursor:
        for table in tables:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608
        keys_checked()
    started_anew()


def started_anew() -> None:
    """Processes do not outlive their database: what they remember goes with it."""
    gaming_day.MEMORY.forget_all()
    exclusions.MEMORY.forget()
    loading.MEMORY.forget()


def rows(establishment: UUID) -> dict[str, list[tuple[Any, ...]]]:
    """
    Whatever the database has of a house, by table; without keys that a database counts itself, and
    what an export keeps back.
    """
    return {
        model._meta.label: sorted(_rows(model, establishment), key=repr)
        for model in apps.get_models()
        if model._meta.app_label in {"ledger", *CASINO} and _is_of_a_house(model)
    }


CASINO = {each.label for each in apps.get_app_configs() if each.name.startswith("casino")}


def _is_of_a_house(model: type[Model]) -> bool:
    return any(each.name == "establishment" for each in model._meta.concrete_fields)


def _rows(model: type[Model], establishment: UUID) -> list[tuple[Any, ...]]:
    fields = [
        each.attname
        for each in model._meta.concrete_fields
        if each.attname not in KEPT_BACK.get(model, ())
    ]
    found = model._default_manager.filter(establishment=establishment).values_list(*fields)
    return [
        tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
        for row in found
    ]
