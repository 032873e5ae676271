"""Requests every page of the office, with ids of the house in the addresses."""

from __future__ import annotations

import time
from http import HTTPStatus
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from django.utils import timezone

from bench.work import reported
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment, Table
from casino.play.dice.models import DiceSet
from casino.play.dice.surveillance.models import Alarm
from casino.play.settlement.models import Payout
from casino.proof.disputes.models import DisputeRow
from casino.reports.registers import params
from casino.reports.what_if.models import WhatIf
from casino.settings.staff import invitations, tablets
from ledger.models import Event
from tests.support import access, addressed_house, watching
from tests.support.builders import House
from tests.support.playing import NOW, settled
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ELSEWHERE: Final = (
    "api/", "admin/", "floor/", "wall/", "healthz", "ledger/", "receipts/", "sign-", "set-up/",
    "invitation/", "house/", "me/",
)  # fmt: skip
"""Addresses that are not of the office, or not about a house's events."""

FAULT: Final = HTTPStatus.INTERNAL_SERVER_ERROR


def measured(*, house: str | None, times: int, only: str) -> dict[str, Any]:
    """Milliseconds and queries of each page, by its address in the URL table."""
    settings.ALLOWED_HOSTS = ["*"]
    there = furnished(house)
    client = Client(raise_request_exception=False)
    client.force_login(there.manager)
    known = samples(there)
    pages = {
        route: _page(client, route, known, times)
        for route in addresses()
        if route.startswith(only) and not route.startswith(ELSEWHERE) and looked_at(route)
    }
    for name, address in reported.addresses(there.establishment):
        if name.startswith(only):
            pages[name] = _page(client, address, known, times)
    pages |= reported.of_a_year(there.establishment, only=only)
    events = Event.objects.filter(establishment=there.id).count()
    return {"events": events, "pages": pages}


def addresses() -> Iterator[str]:
    def walk(resolver: URLResolver, before: str) -> Iterator[str]:
        for each in resolver.url_patterns:
            route = before + str(each.pattern)
            if isinstance(each, URLPattern):
                yield route
            else:
                yield from walk(each, route)

    return walk(get_resolver(), "")


def looked_at(route: str) -> bool:
    """Whether a manager may open the address; an unclassified address is measured, too."""
    decided = access.DECISIONS.get(route)
    return decided is None or decided.get is None or Role.MANAGER in decided.get


def _page(client: Client, route: str, known: Mapping[str, Any], times: int) -> dict[str, Any]:
    try:
        address = "/" + filled(route, known)
    except NoReverseMatch as missing:
        return {"ms": 0.0, "queries": 0, "wrong": str(missing)}
    client.get(address)  # to fill caches and load templates
    with CaptureQueriesContext(connection) as captured:
        status = client.get(address).status_code
    queries = len(captured)  # read now: the next request resets them
    wrong = f"{address} answers {status}" if _is_wrong(status) else ""
    took = []
    for _ in range(0 if wrong else times):
        began = time.perf_counter()
        client.get(address)
        took.append(1000 * (time.perf_counter() - began))
    return {"ms": median(took or [0.0]), "queries": queries, "wrong": wrong}


def _is_wrong(status: int) -> bool:
    return status >= FAULT or status == HTTPStatus.NOT_FOUND


def filled(route: str, known: Mapping[str, Any]) -> str:
    """
    An address with a sample for each of its arguments.

    :raises NoReverseMatch: if an argument has no sample.
    """
    parts = route.split("<")
    made = parts[0]
    for part in parts[1:]:
        converter, _, rest = part.partition(">")
        name = converter.partition(":")[2] or converter
        special = {"game": known["disputed"]} if route.startswith("disputes/<") else {}
        value = {**known, **special, **access.SPECIAL.get(route, {})}.get(name)
        if value in {None, ""}:
            raise NoReverseMatch(f"no sample for <{converter}>")
        made += f"{value}{rest}"
    return made


def furnished(name: str | None) -> House:
    """
    A filled house as tests use it, with additions that play alone does not make.

    :raises Establishment.DoesNotExist: if there is none.
    """
    rows = Event.objects.values_list("establishment").annotate(many=Count("pk")).order_by("-many")
    found = Establishment.objects.filter(name=name).first() if name else None
    if found is None:
        found = Establishment.objects.get(pk=rows[0][0])
    people = {
        role: Attendant.objects.filter(employments__establishment=found, employments__role=role)[0]
        for role in Role
    }
    return House(
        establishment=found,
        tables=list(Table.objects.filter(establishment=found)),
        dice_sets=list(DiceSet.objects.filter(establishment=found)),
        people=people,
    )


def samples(house: House) -> dict[str, Any]:
    """A sample for each argument of an address, from the house."""
    chance = Random(1)  # noqa: S311 - of a measurement
    staff = Staff(house, chance, RandomPlayer(house, chance))
    if not house.establishment.prizerule_set.exists():
        staff.opens_the_house()
    disputed = DisputeRow.objects.filter(establishment=house.establishment).order_by("-number")
    dispute = disputed.first()
    paid = Payout.objects.filter(establishment=house.establishment, payee__startswith="p-")
    payout = (dispute and paid.filter(game=dispute.game).first()) or paid.order_by("-position")[0]
    known = {
        "establishment": house.id,
        "table": house.table.pk,
        "dice_set": house.dice.pk,
        "attendant": house.attendant.pk,
        "game": payout.game,
        "cause": payout.cause,
        "seq": payout.seq,
        "token": payout.payee,
        "player": payout.payee,
        "dispute": dispute.number if dispute else None,
        "disputed": dispute.game if dispute else None,
        "position": payout.position,
        "day": params.last_closed(house.establishment)
        or gaming_day.current(house.establishment, NOW),
        "number": 1, "round_no": 1, "old": 1,
        "kind": "cage", "name": "main", "purpose": "check", "what": "tables",
        "prize_rule": house.establishment.prizerule_set.get_or_create(
            kind="points", at=999, defaults={"prize": "A bottle"}
        )[0].pk,
        "verification": addressed_house.verified(house),
        "alarm": _alarm(house),
        "report": "fees", "form": "json", "preparation": addressed_house.prepared(house),
        "what_if": _what_if(house),
        **addressed_house.asked_for(house, staff),
        **_keys_of_sign_in(house),
    }  # fmt: skip
    settled(house)
    return known


def _alarm(house: House) -> Any:
    rows = Alarm.objects.filter(establishment=house.establishment)
    if not rows.exists():
        watching.loaded_dice(house, table=house.tables[-1])
        settled(house)
    return rows[0].id


def _keys_of_sign_in(house: House) -> dict[str, Any]:
    """Visitors as in the tests, with names that no earlier measurement has used."""
    name = f"Measured {uuid4().hex[:8]}"
    tablet, _ = tablets.enrol(house=house.establishment, name=name, by=house.manager)
    invitation, _ = invitations.invite(
        house=house.establishment, name=name, role=Role.ATTENDANT, by=house.manager,
        now=timezone.now(),
    )  # fmt: skip
    employment = Employment.objects.get(
        establishment=house.establishment, attendant=house.attendant
    )
    return {"tablet": tablet.pk, "invitation": invitation.pk, "employment": employment.pk}


def _what_if(house: House) -> Any:
    row = WhatIf.objects.create(
        establishment=house.establishment, asked_by=house.manager, asked_at=NOW, worked_at=NOW,
        state="done", start=0, stop=0, reached=0, parameters={"change": {
            "game": "", "options": {}, "fee": {}, "home_throw": None, "player_homes": {},
        }},
    )  # fmt: skip
    return row.id
