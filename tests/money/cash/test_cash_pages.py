"""The cash pages: one next action each, nothing shown to whoever counts (B1, B2, B3)."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.house.attendants import assurance, pins, signins
from casino.house.attendants.models import Role
from casino.kit.approvals.models import RequestRow
from casino.money.cash import slips
from casino.settings.staff import tablets
from ledger import journal
from tests.support import builders, cashing
from tests.support.playing import opened, thrown

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

OVERVIEW = "/cash/"


@pytest.fixture
def house() -> House:
    return cashing.house()


def browser(at: House, role: Role = Role.ATTENDANT) -> Client:
    client = Client()
    client.force_login(at.people[role])
    return client


def page(at: House, rest: str = "", role: Role = Role.ATTENDANT) -> str:
    answer = browser(at, role).get(f"/cash/tables/{at.table.pk}/{rest}")
    assert answer.status_code == 200, answer
    return answer.content.decode()


def sent(at: House, rest: str, role: Role = Role.ATTENDANT, **fields: Any) -> str:
    """The page that follows what was sent from a table's cash page."""
    body = {"command_id": uuid.uuid4(), **fields}
    answer = browser(at, role).post(f"/cash/tables/{at.table.pk}/{rest}", body, follow=True)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def counts(at: House, role: Role, purpose: str, **pieces: int) -> str:
    return sent(at, f"count/{purpose}/", role, **{f"pieces_{k[1:]}": v for k, v in pieces.items()})


def seen(html: str) -> str:
    found = re.search(r'name="seen" value="(\d+)"', html)
    assert found, html
    return found[1]


def test_b1_a_table_is_opened_by_two_people_on_their_own_pages(house: House) -> None:
    assert "Open a shift: count the float" in page(house)

    first = counts(house, Role.ATTENDANT, "open", p25=2)
    assert "stays sealed until a second person has counted" in first
    assert "Enter your count" not in first

    assert "Enter your count" in page(house, role=Role.SUPERVISOR)
    open_now = counts(house, Role.SUPERVISOR, "open", p25=2)
    assert f"the table is open, and {house.attendant} has it" in open_now
    assert cashing.float_held(house) == 50


def test_b1_who_began_and_counts_last_is_told_that_the_table_is_theirs(house: House) -> None:
    counts(house, Role.ATTENDANT, "open", p25=2)
    counts(house, Role.SUPERVISOR, "open", p25=3)
    counts(house, Role.SUPERVISOR, "open", p25=2)

    assert "yours to play" in counts(house, Role.ATTENDANT, "open", p25=2)


def test_b1_a_second_count_by_the_same_person_is_refused_in_words(house: House) -> None:
    counts(house, Role.ATTENDANT, "open", p25=2)

    answer = counts(house, Role.ATTENDANT, "open", p25=2)

    assert "the second count is another person" in answer
    assert "Not done" in answer


def test_b1_counts_that_differ_say_so_and_not_by_how_much(house: House) -> None:
    counts(house, Role.ATTENDANT, "open", p25=2)

    answer = counts(house, Role.SUPERVISOR, "open", p25=3)

    assert "The two counts differ. Both count again" in answer
    assert "75\N{NO-BREAK SPACE}r" not in answer


OPENER = f">50{chr(0xA0)}"
EXPECTED = '<td class="num money" data-head="Expected">90'
WHO_SEES = [
    (Role.ATTENDANT, False, False),
    (Role.SUPERVISOR, True, False),
    (Role.MANAGER, True, False),
    (Role.AUDITOR, True, True),
]


@pytest.mark.rows(2)
@pytest.mark.parametrize(("role", "before", "while_counting"), WHO_SEES)
def test_b1_what_a_float_should_hold_is_hidden_from_whoever_may_count_it(
    house: House, role: Role, *, before: bool, while_counting: bool
) -> None:
    cashing.opened(house)
    opened(house)
    assert (EXPECTED in browser(house, role).get(OVERVIEW).content.decode()) == before
    assert ("Expected now" in page(house, role=role)) == before

    cashing.counted(house, builders.employed(house.establishment, Role.ATTENDANT), {})

    assert (EXPECTED in browser(house, role).get(OVERVIEW).content.decode()) == while_counting
    assert ("Expected now" in page(house, role=role)) == while_counting
    inventory = browser(house, role).get("/cash/inventory/?day=2026-11-20").content.decode()
    assert "Table inventory" in inventory
    for html in (page(house, role=role), browser(house, role).get(OVERVIEW).content.decode()):
        assert (OPENER in html) == while_counting


def test_b1_a_count_is_booked_as_it_is_and_listed(house: House) -> None:
    cashing.opened(house)
    counts(house, Role.ATTENDANT, "check", p25=1, p5=4)

    answer = counts(house, Role.SUPERVISOR, "check", p25=1, p5=4)

    assert "Both counts agree." in answer
    assert "5\N{NO-BREAK SPACE}r short" in answer
    assert cashing.over_short(house) == -5


def test_b3_a_table_is_handed_over_with_two_signatures_under_the_round(house: House) -> None:
    cashing.opened(house)
    game = opened(house)
    thrown(house, game, "Ada", (2, 2, 7))
    cashing.both_count(house, {"25": 3, "5": 3}, "change")

    mine = page(house)
    assert "I hand this table over, in round 1" in mine
    assert "I take this table over" not in page(house, role=Role.AUDITOR)
    assert "Now whoever takes over signs" in sent(house, "sign/", seen=seen(mine))

    theirs = page(house, role=Role.SUPERVISOR)
    assert "I take this table over, in round 1" in theirs
    assert "The table is yours." in sent(house, "take/", Role.SUPERVISOR, seen=seen(theirs))
    shift = cashing.state(house).shift
    assert shift is not None
    assert shift.holder == str(house.supervisor.pk)


def test_b3_play_that_goes_on_between_the_signatures_asks_for_new_ones(house: House) -> None:
    cashing.opened(house)
    game = opened(house)
    cashing.both_count(house, {"25": 3, "5": 3}, "change")
    sent(house, "sign/", seen=seen(page(house)))
    thrown(house, game, "Ada", (2, 2, 7))

    assert "it is to be signed again" in page(house, role=Role.SUPERVISOR)
    assert "I hand this table over" in page(house)


def test_b2_a_fill_is_asked_for_approved_and_signed_for(house: House) -> None:
    cashing.opened(house)
    answer = sent(house, "ask/fill/", pieces_25=3, reason="Low on 25s.")
    assert "Somebody else approves it" in answer
    waiting = browser(house).get("/cash/slips/").content.decode()
    assert "waits for an approval" in browser(house).get(OVERVIEW).content.decode()
    assert "Low on 25s." in waiting

    cashing.approved(house, RequestRow.objects.get(establishment=house.id).id)
    assert "Fill 1: 75\N{NO-BREAK SPACE}r on the way here" in page(house)
    assert "Slip 1 is signed for." in sent(house, "slips/1/")
    assert cashing.float_held(house) == 125


@pytest.mark.parametrize(("paper", "sheet"), [("", "slip-a4"), ("?paper=80", "css/slip_80")])
def test_b2_a_slip_is_printed_with_its_number_and_who_signed(
    house: House, paper: str, sheet: str
) -> None:
    cashing.opened(house)
    cashing.slipped(house, "fill", {"25": 3, "5": 1})
    cashing.shown(house)

    html = browser(house).get(f"/cash/slips/1/{paper}").content.decode()

    assert sheet in html
    assert "No. 1" in html
    assert "From the cage to Table 1" in html
    assert "Low on 25s." in html
    assert html.count("manager-") == 1
    assert "80\N{NO-BREAK SPACE}r" in html
    [slip] = journal.stream(establishment=house.id, stream=slips.STREAM)
    assert slip.leaf_hash.hex() in html


def test_a_slip_says_how_many_and_why(house: House) -> None:
    cashing.opened(house)
    address = f"/cash/tables/{house.table.pk}/ask/fill/"

    answer = browser(house).post(address, {"command_id": uuid.uuid4(), "reason": ""})
    assert answer.status_code == 422
    answer = browser(house).post(address, {"command_id": uuid.uuid4(), "reason": "So."})
    assert "Say how many of each coin" in answer.content.decode()


def test_a_count_with_a_letter_is_given_back(house: House) -> None:
    address = f"/cash/tables/{house.table.pk}/count/open/"

    answer = browser(house).post(address, {"command_id": uuid.uuid4(), "pieces_25": "two"})

    assert answer.status_code == 422
    assert cashing.state(house).stands == "closed"


def test_b1_a_count_is_called_off_with_a_reason(house: House) -> None:
    counts(house, Role.ATTENDANT, "open", p25=2)

    assert "nothing is booked" in page(house, "call-off/")
    assert "Called off." in sent(house, "call-off/", reason="Wrong table.")
    assert cashing.state(house).stands == "closed"


def test_b1_the_days_inventory_adds_up_on_its_page(house: House) -> None:
    cashing.opened(house)
    opened(house)
    cashing.slipped(house, "fill", {"25": 1})
    cashing.shown(house)

    html = browser(house, Role.AUDITOR).get("/cash/inventory/?day=2026-11-20").content.decode()

    figures = re.findall(r'<td class="num money" data-head="([\w ]+)">([\d,]+)', html)
    assert figures[:4] == [
        ("Opener", "50"), ("Fills", "25"), ("Bought in", "40"), ("Cashed out", "0"),
    ]  # fmt: skip


ADDRESSES = ["", "slips/", "inventory/"]


@pytest.mark.rows(4)
@pytest.mark.parametrize("rest", ADDRESSES)
@pytest.mark.parametrize("role", list(Role))
def test_everybody_of_the_house_may_look(house: House, role: Role, rest: str) -> None:
    assert browser(house, role).get(f"{OVERVIEW}{rest}").status_code == 200


@pytest.mark.parametrize("rest", ["count/open/", "ask/fill/", "call-off/"])
def test_d1_who_may_not_record_is_kept_out(house: House, rest: str) -> None:
    answer = browser(house, Role.AUDITOR).get(f"/cash/tables/{house.table.pk}/{rest}")

    assert answer.status_code == 403


def test_another_houses_table_or_slip_is_not_there(house: House) -> None:
    other = cashing.house()
    cashing.opened(other)
    cashing.slipped(other, "fill", {"25": 1})
    cashing.shown(other)

    answers = [
        browser(house).get(f"/cash/tables/{other.table.pk}/"),
        browser(house).get("/cash/slips/1/"),
        browser(house).get(f"/cash/tables/{house.table.pk}/count/sideways/"),
        browser(house).get(f"/cash/tables/{house.table.pk}/sign/"),
    ]
    assert [answer.status_code for answer in answers] == [404] * 4


def test_a_double_tap_on_a_count_is_one_count(house: House) -> None:
    body = {"command_id": uuid.uuid4(), "pieces_25": 2}
    for _ in range(2):
        browser(house).post(f"/cash/tables/{house.table.pk}/count/open/", body)

    now = cashing.state(house)
    assert now.version == 1


def test_b1_the_floor_says_where_a_float_is_missing_and_leads_there(house: House) -> None:
    address = f"/floor/tables/{house.table.pk}/"
    blank = browser(house).get(address).content.decode()
    assert "Table 1 has no counted float: open a shift first. B1" in blank
    assert f'href="/cash/tables/{house.table.pk}/"' in blank
    italian = browser(house)
    italian.cookies["django_language"] = "it"
    assert "Table 1 non ha un fondo contato" in italian.get(address).content.decode()

    cashing.opened(house)

    assert "no counted float" not in browser(house).get(address).content.decode()
    game = opened(house)
    assert f"/cash/tables/{house.table.pk}/" in (
        browser(house).get(f"/floor/games/{game}/").content.decode()
    )


def test_b1_d3_two_people_count_on_one_tablet_each_by_their_own_pin(house: House) -> None:
    people = [house.attendant, house.supervisor]
    for who in people:
        pins.set_pin(person=who, pin="4711", place=signins.Where(), now=timezone.now())
    _, cookie = tablets.enrol(
        house=house.establishment, name="Tablet 1", by=assurance.at_console(house.manager)
    )
    device = Client()
    device.cookies[tablets.COOKIE] = cookie

    for who in people:
        device.post("/floor/attendant/", {"person": str(who.pk), "pin": "4711"})
        answer = device.post(
            f"/cash/tables/{house.table.pk}/count/open/",
            {"command_id": uuid.uuid4(), "pieces_25": 2},
            follow=True,
        )
        assert answer.status_code == 200
    shift = cashing.state(house).shift
    assert shift is not None
    assert shift.holder == str(house.attendant.pk)
    # By PIN a supervisor is an attendant: what the float should hold is not shown.
    assert "Expected now" not in answer.content.decode()
    assert device.get(OVERVIEW).status_code == 403
