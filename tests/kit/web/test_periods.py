"""Lists, reports and searches for days: typed in the house's spelling, kept in plain addresses."""

from __future__ import annotations

from datetime import date, datetime, time
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.house.establishments.gaming_day import current, previous
from casino.kit.web import periods
from tests.support import builders
from tests.support.playing import opened

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
PAGES = ["exceptions", "games", "ledger-events", "what-if"]
FROM_TO = (
    "Today", "Yesterday", "This week", "Last week", "This month", "Last month",
    "Last gaming day",
)  # fmt: skip


@pytest.fixture
def house() -> House:
    return builders.house(time_zone="Europe/Rome", day_cutoff=time(6), tables=3, dice_sets=3)


@pytest.fixture
def auditor(house: House) -> Client:
    client = Client()
    client.force_login(house.auditor)
    return client


def address(of: str) -> dict[str, str]:
    return {name: value for name, [value] in parse_qs(urlsplit(of).query).items()}


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("name", "typed", "plain"),
    [
        ("exceptions", {"since": "22/11/2026"}, {"since": "2026-11-22"}),
        ("exceptions", {"since": "22 - 24/11/2026", "kind": "void"},
         {"since": "2026-11-22", "until": "2026-11-24", "kind": "void"}),
        ("exceptions", {"until": "22/11/2026 - 24/11/2026"},
         {"since": "2026-11-22", "until": "2026-11-24"}),
        ("payouts", {"day": "22.11.26"}, {"day": "2026-11-22"}),
        ("games", {"since": "22/11/2026 8:14 pm"}, {"since": "2026-11-22T20:14"}),
        ("games", {"since": "25/10/2026 02:30 CET"}, {"since": "2026-10-25T02:30+01:00"}),
        ("games", {"since": "22/11/2026", "until": "24/11/2026"},
         {"since": "2026-11-22T00:00", "until": "2026-11-25T00:00"}),
        ("ledger-events", {"since": "22 - 24/11/2026"},
         {"since": "2026-11-22T00:00", "until": "2026-11-25T00:00"}),
    ],
)  # fmt: skip
def test_what_is_typed_becomes_iso_in_the_address(
    auditor: Client, name: str, typed: dict[str, str], plain: dict[str, str]
) -> None:
    answer = auditor.get(reverse(name), typed)

    assert answer.status_code == 302
    assert address(answer["Location"]) == plain
    assert auditor.get(answer["Location"]).status_code == 200


def test_a_report_reads_its_days_as_the_house_writes_them(house: House, auditor: Client) -> None:
    opened(house)
    page = reverse("report", args=["summary"])

    answer = auditor.get(page, {"from": "22 - 24/11/2026"})

    assert address(answer["Location"]) == {"from": "2026-11-22", "to": "2026-11-24"}
    shown = auditor.get(answer["Location"]).content.decode()
    assert 'value="22/11/2026"' in shown
    assert 'value="24/11/2026"' in shown


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("name", "field"), [("exceptions", "since"), ("payouts", "day"), ("report", "from")]
)
def test_a_day_that_cannot_be_read_is_told_beside_its_field(
    auditor: Client, name: str, field: str
) -> None:
    page = reverse(name, args=["summary"] if name == "report" else [])

    shown = unescape(auditor.get(page, {field: "31/11/2026"}).content.decode())

    assert "“31/11/2026”: that month has no day 31. Write the date as in 22/11/2026." in shown
    assert f'id="id_{field}_error"' in shown
    assert f'aria-describedby="id_{field}_error"' in shown
    assert 'value="31/11/2026"' in shown


def test_the_api_reads_iso_alone(house: House) -> None:
    api = house.client(Role.AUDITOR)

    assert api.get(house.url("payouts/"), {"day": "2026-11-22"}).status_code == 200
    refused = api.get(house.url("payouts/"), {"day": "22/11/2026"})

    assert refused.status_code == 400
    assert "2026-11-21" in refused.json()["detail"]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("name", PAGES)
def test_whoever_is_asked_for_from_and_to_is_offered_periods(auditor: Client, name: str) -> None:
    shown = auditor.get(reverse(name)).content.decode()

    assert [title for title in FROM_TO if f">{title}</a>" not in shown] == []


def test_a_preset_keeps_the_other_filters_and_is_marked(house: House, auditor: Client) -> None:
    today = current(house.establishment, timezone.now())
    page = reverse("exceptions")
    day = {"since": str(today), "until": str(today)}

    answer = auditor.get(page, {"kind": "void", "cursor": "x"})
    links = answer.context["presets"].links
    chosen = auditor.get(page, day).context["presets"].links

    assert address(links[0].url) == {"kind": "void", **day}
    assert [each.title for each in links if each.chosen] == []
    assert "Today" in [each.title for each in chosen if each.chosen]


def test_a_gaming_day_of_moments_goes_from_cut_off_to_cut_off(
    house: House, auditor: Client
) -> None:
    day = current(house.establishment, timezone.now())

    links = {each.title: each for each in auditor.get(reverse("games")).context["presets"].links}

    assert address(links["Today"].url) == {
        "since": f"{day}T06:00", "until": f"{day + periods.A_DAY}T06:00",
    }  # fmt: skip


def test_after_midnight_today_is_the_open_gaming_day_on_every_page(
    house: House,
) -> None:
    """Whatever days before it were never closed: links, words, calendars, pages and the API."""
    zone = ZoneInfo("Europe/Rome")
    for evening in (19, 20, 21):
        with time_machine.travel(datetime(2026, 11, evening, 22, tzinfo=zone), tick=False):
            opened(house, table=house.tables[evening - 19], now=timezone.now())
    today, cut_off = "2026-11-21", ("2026-11-21T06:00", "2026-11-22T06:00")
    with time_machine.travel(datetime(2026, 11, 22, 1, 30, tzinfo=zone), tick=False):
        client = Client()
        client.force_login(house.manager)
        for name in PAGES:
            shown = client.get(reverse(name))
            links = {each.title: address(each.url) for each in shown.context["presets"].links}
            assert tuple(links["Today"].values()) in {(today, today), cut_off}, name
            assert f'data-today="{today}"' in shown.content.decode()
            if name != "what-if":  # its form is sent, and not an address
                typed = address(client.get(reverse(name), {"since": "Today"})["Location"])
                assert typed == links["Today"]
        report = client.get(reverse("report", args=["summary"]))
        links = {each.title: address(each.url) for each in report.context["presets"].links}
        assert links["Today"] == {"from": today, "to": today}
        assert client.get(reverse("payouts")).context["presets"].links[0].title == "Today"
        shown = house.client(Role.MANAGER).get(house.url("")).json()
        assert shown["gaming_day"] == today


def test_the_last_gaming_day_is_the_last_one_that_was(house: House) -> None:
    zone = ZoneInfo("Europe/Rome")
    opened(house, now=datetime(2026, 11, 14, 22, tzinfo=zone))
    opened(house, table=house.tables[1], now=datetime(2026, 11, 21, 22, tzinfo=zone))

    assert previous(house.establishment, date(2026, 11, 21)) == date(2026, 11, 14)
    assert previous(house.establishment, date(2026, 11, 14)) == date(2026, 11, 13)


def test_the_week_begins_as_in_the_house_locale(house: House, auditor: Client) -> None:
    type(house.establishment).objects.update(locale="en-US")

    links = {
        each.title: each for each in auditor.get(reverse("exceptions")).context["presets"].links
    }

    since = date.fromisoformat(address(links["This week"].url)["since"])
    assert since.isoweekday() == 7
    assert periods.A_DAY * 6 + since == date.fromisoformat(address(links["This week"].url)["until"])


def test_a_what_if_reads_a_period_in_one_field(auditor: Client) -> None:
    answer = auditor.post(reverse("what-if"), {"since": "22 - 24/11/2026"})

    form = answer.context["form"]
    assert (form.cleaned_data["since"], form.cleaned_data["until"]) == (
        date(2026, 11, 22), date(2026, 11, 24),
    )  # fmt: skip
