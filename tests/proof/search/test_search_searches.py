"""Each kind of search through its page: what is there, what is not, and what cannot be meant."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.house.acts.game_streams.loading import GameKey, load
from casino.play.settlement.models import Payout
from casino.words.languages import locales
from casino.words.languages.fields import WholeField
from ledger import journal
from ledger.canonical import INTEGER_MAX
from tests.forms import every
from tests.proof.search.test_search_rounds import read, rounds_of
from tests.support import builders, module_data
from tests.support.playing import NOW, PAIR_1, PAIR_4, PAIR_7, done, opened, round_played, thrown

if TYPE_CHECKING:
    from django.test import Client

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
MOST_QUERIES = 45


def two_games() -> module_data.Played:
    """Ada and Bo at the first table, 7 coins; Cy and Dea at the second, 1 coin, an hour later."""
    house = builders.house(tables=2)
    first = opened(house)
    round_played(house, first, ("Ada", PAIR_7), ("Bo", PAIR_4))
    later = NOW + timedelta(hours=1)
    second = opened(house, table=house.tables[1], players=["Cy", "Dea"], now=later)
    for name, dice in (("Cy", PAIR_4), ("Dea", PAIR_1)):
        thrown(house, second, name, dice, by=house.supervisor, now=later)
    read(house)
    return module_data.Played(house, (first, second))


played = module_data.shared(two_games)
house = module_data.house_where("two", lambda: builders.house(tables=2))
two = module_data.what_was_played


@pytest.fixture
def client(house: House) -> Client:
    return builders.signed_in(house.auditor)


def searched(client: Client, **asked: Any) -> Any:
    page = client.get(reverse("games"), asked)
    assert page.status_code == 200, asked
    return page


def games_on(page: Any) -> set[uuid.UUID]:
    return {each["game"] for each in page.context["games"]}


# --- Good and empty --------------------------------------------------------------------------


class TestBy:
    def test_table(self, house: House, two: Any, client: Client) -> None:
        first, second = (str(table.pk) for table in house.tables)
        assert games_on(searched(client, table=first)) == {two[0]}
        assert games_on(searched(client, table=second)) == {two[1]}
        assert games_on(searched(client, q="TABLE 2")) == {two[1]}
        assert games_on(searched(client, table=first, player="Cy")) == set()

    def test_time(self, house: House, two: Any, client: Client) -> None:
        early, late = "2020-01-01T00:00", "2099-01-01T00:00"
        assert games_on(searched(client, since=early, until=late)) == set(two)
        assert games_on(searched(client, since=late)) == set()
        assert games_on(searched(client, until=early)) == set()
        day = load(GameKey(house.id, two[0])).opening.provenance.gaming_day
        assert games_on(searched(client, day=day.isoformat())) == set(two)
        assert games_on(searched(client, day="2020-01-01")) == set()

    def test_player(self, two: Any, client: Client) -> None:
        for asked in ({"player": "Bo"}, {"q": "Bo"}, {"q": " Bo "}):
            assert games_on(searched(client, **asked)) == {two[0]}
        assert games_on(searched(client, player="Zoe")) == set()

    def test_attendant(self, house: House, two: Any, client: Client) -> None:
        who = house.supervisor
        assert games_on(searched(client, attendant=str(who.pk))) == {two[1]}
        assert games_on(searched(client, q=who.username.upper())) == {two[1]}
        assert games_on(searched(client, attendant=str(house.auditor.pk))) == set()

    def test_amount(self, two: Any, client: Client) -> None:
        assert games_on(searched(client, amount="7")) == {two[0]}
        assert games_on(searched(client, least="5", most="7")) == {two[0]}
        assert games_on(searched(client, amount="1000")) == set()
        assert games_on(searched(client, least=str(INTEGER_MAX))) == set()

    @pytest.mark.long("postgresql")
    def test_receipt(self, two: Any, client: Client) -> None:
        paid = Payout.objects.get(game=two[0], amount=7)
        printed = reverse("receipt", args=[paid.game, paid.cause, paid.seq])
        for name in ("q", "event"):
            for receipt in (
                f"#{paid.position}", f"# {paid.position}", f"0{paid.position}", printed,
                f"https://dice.example{printed}", printed.upper().replace("RECEIPT", "receipt"),
            ):  # fmt: skip
                assert games_on(searched(client, **{name: receipt})) == {two[0]}, receipt

    @pytest.mark.long("postgresql")
    def test_event(self, house: House, two: Any, client: Client) -> None:
        event = load(GameKey(house.id, two[0])).events[1]
        for name in ("q", "event"):
            for named in (
                str(event.event_id), event.event_id.hex, f"{{{event.event_id}}}",
                str(event.event_id).upper(), str(event.provenance.command_id),
            ):  # fmt: skip
                page = searched(client, **{name: named})
                assert games_on(page) == {two[0]}, named
                assert page.context["event"]["number"] == 2


@pytest.mark.rows(2)
@pytest.mark.long("postgresql")
@pytest.mark.parametrize("written", ["1234", "1,234", "1.234", "1 234", "1'234", "1\u202f234"])
@pytest.mark.usefixtures("two")
def test_a_position_is_read_however_its_thousands_are_apart(client: Client, written: str) -> None:
    for name in ("q", "event"):
        for sign in ("", "#", "# "):
            assert searched(client, **{name: sign + written}).context["no_game"] == 1234


# --- What cannot be meant --------------------------------------------------------------------

# fmt: off
BAD = [
    ("table", "x"), ("table", str(uuid.UUID(int=7))), ("game", "chess"),
    ("day", "2026-13-45"), ("day", "20/11/26x"), ("since", "noon"), ("until", "99999-01-01T00:00"),
    ("player", "a" * 81), ("amount", "0"), ("amount", "-7"), ("amount", "7.5"),
    ("amount", "seven"), ("amount", "7e3"), ("amount", "1.00"), ("amount", "²"),
    ("amount", "9" * 17), ("amount", "9" * 190), ("least", str(INTEGER_MAX + 1)), ("most", "0x7"),
    ("q", "q" * 201), ("event", "e" * 201),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.rows(8)
@pytest.mark.parametrize(("name", "value"), BAD)
@pytest.mark.usefixtures("two")
def test_what_cannot_be_meant_is_said_at_its_field(client: Client, name: str, value: str) -> None:
    page = searched(client, **{name: value})

    assert list(page.context["form"].errors) == [name]
    assert page.context["games"] == []
    assert 'class="wrong"' in page.content.decode() or name == "q"


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({"least": "9", "most": "8"}, "most"),
        ({"since": "2026-11-20T20:00", "until": "2026-11-20T19:00"}, "until"),
    ],
)
@pytest.mark.usefixtures("two")
def test_what_nothing_can_fit_is_said(client: Client, asked: dict[str, str], name: str) -> None:
    assert list(searched(client, **asked).context["form"].errors) == [name]


@pytest.mark.rows(4)
@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    "named",
    [
        "a/b",
        "x/1",
        "-1",
        "#",
        "1.2.3",
        "9" * 16,
        "9" * 32,
        "12.34",
        "event 12",
        "/",
        "//1.1",
        "%00",
    ],
)
@pytest.mark.usefixtures("two")
def test_what_names_no_event_finds_nothing(client: Client, named: str) -> None:
    for name in ("q", "event"):
        page = searched(client, **{name: named})
        assert page.context["games"] == []
        assert 'class="nothing"' in page.content.decode()


def test_another_house_s_ids_find_nothing_and_say_nothing(two: Any) -> None:
    stranger = builders.house(name="Elsewhere")
    other = opened(stranger, players=["Nobody", "Noone"])
    read(stranger)
    client = builders.signed_in(stranger.auditor)
    paid = Payout.objects.get(game=two[0], amount=7)
    event = load(GameKey(paid.establishment_id, two[0])).events[1]
    for named in (
        reverse("receipt", args=[paid.game, paid.cause, paid.seq]), str(two[0]), "Ada",
        str(event.event_id), str(event.provenance.command_id), f"{two[0]}/1.1",
    ):  # fmt: skip
        for name in ("q", "event"):
            assert games_on(searched(client, **{name: named})) == set(), named
    assert games_on(searched(client, player="Ada")) == set()
    assert games_on(searched(client)) == {other}
    page = searched(client, table=str(paid.table_id))
    assert list(page.context["form"].errors) == ["table"]


# --- Amounts as a house writes them ----------------------------------------------------------

# fmt: off
WRITTEN = [
    ("en-GB", "1,234", 1234), ("en-GB", "1234", 1234), ("en-GB", " 7 ", 7),
    ("it-IT", "1.234", 1234), ("it-IT", "1.000", 1000), ("it-IT", "12.345.678", 12345678),
    ("de-DE", "1.234", 1234), ("fr-FR", "1 234", 1234), ("fr-FR", "1\u202f234", 1234),
    ("it-IT", "-1.234", -1234), ("it-IT", "\N{MINUS SIGN}5", -5), ("it-IT", "", None),
    # What would be another amount elsewhere is refused, never guessed.
    ("en-GB", "1.000", "invalid"), ("it-IT", "1,000", "invalid"), ("it-IT", "1.00", "invalid"),
    ("it-IT", "1.0000", "invalid"), ("it-IT", "1.234,5", "invalid"), ("en-GB", "12,34", "invalid"),
    ("en-GB", "1,234.0", "invalid"), ("en-GB", "1e3", "invalid"), ("en-GB", "\u0667", "invalid"),
]
# fmt: on


@pytest.mark.parametrize(("locale", "written", "amount"), WRITTEN)
def test_a_whole_number_is_read_as_the_house_writes_it(
    locale: str, written: str, amount: int | str | None
) -> None:
    field = WholeField(required=False)
    locales.use(locale)
    try:
        if amount == "invalid":
            with pytest.raises(Exception, match="whole number"):
                field.clean(written)
        else:
            assert field.clean(written) == amount
    finally:
        locales.use(locales.USUAL)


@pytest.mark.once
@pytest.mark.parametrize("locale", locales.LOCALES)
@pytest.mark.parametrize("amount", [0, 7, 999, 1000, 1234567, INTEGER_MAX])
def test_what_a_page_writes_is_read_again(locale: str, amount: int) -> None:
    locales.use(locale)
    try:
        assert WholeField().clean(locales.number(amount)) == amount
    finally:
        locales.use(locales.USUAL)


@pytest.mark.long("postgresql")
def test_an_italian_house_is_asked_in_its_own_figures_or_the_reader_s(house: House) -> None:
    house.establishment.locale = "it-IT"
    house.establishment.save()
    game = opened(house, stake=4000)
    read(house)
    client = builders.signed_in(house.auditor)

    assert games_on(searched(client, amount="4.000")) in ({game}, set())
    assert searched(client, amount="4.000").context["form"].cleaned_data["amount"] == 4000
    assert searched(client, amount="4,000").context["form"].cleaned_data["amount"] == 4000
    assert list(searched(client, amount="40,00").context["form"].errors) == ["amount"]


# --- What a page costs, little or much -------------------------------------------------------


def asks(client: Client, address: str, asked: dict[str, str]) -> int:
    """The fewer of two times: now and then a request notes when somebody was last seen."""
    counted = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address, asked)
        assert answer.status_code == 200, address
        counted.append(len(queries))
    return min(counted)


def addresses(house: House, game: uuid.UUID) -> list[tuple[str, dict[str, str]]]:
    """Every page of finding, and every way to narrow it."""
    head = str(journal.head(establishment=house.id))
    event = load(GameKey(house.id, game)).events[1]
    find, ledger = reverse("games"), reverse("ledger-events")
    searches = [
        {}, {"table": str(house.table.pk)}, {"game": "stone-hand"}, {"day": "2026-11-20"},
        {"since": "2020-01-01T00:00"}, {"until": "2099-01-01T00:00"}, {"player": "Bo"},
        {"attendant": str(house.attendant.pk)}, {"amount": "4"}, {"least": "2"}, {"q": "Bo"},
        {"q": "Table 1"}, {"q": house.attendant.username}, {"q": f"#{event.position}"},
        {"event": str(event.event_id)}, {"q": str(game)}, {"event": "nothing"},
    ]  # fmt: skip
    filters = [
        {}, {"kind": "game"}, {"stream": event.stream}, {"event_type": event.event_type},
        {"actor": event.provenance.actor}, {"actor": house.attendant.username},
        {"device": event.provenance.device}, {"day": "2026-11-20"},
        {"since": "2020-01-01T00:00"}, {"until": "2099-01-01T00:00"},
        {"correlation": str(event.provenance.correlation_id)}, {"stream": "no/such"},
    ]  # fmt: skip
    return [
        *((find, each) for each in searches),
        *((ledger, each) for each in filters),
        (reverse("ledger-event", args=[event.position]), {}),
        (reverse("game-at", args=[game, 2]), {}),
        (reverse("table-at", args=[house.table.pk]), {"position": head}),
        (reverse("pot-at", args=[game]), {"position": head}),
        (reverse("pot-lineage", args=[game]), {}),
        (reverse("house-at"), {"position": head}),
    ]


def play_on(house: House, game: uuid.UUID, count: int) -> None:
    """Rounds of one game, and others at the second table, of which the last one goes on."""
    rounds_of(house, game, count)
    for _ in range(count // 4):
        other = opened(house, table=house.tables[1], players=["Cy", "Bo", "Dea"])
        round_played(house, other, ("Cy", PAIR_7), ("Bo", PAIR_4), ("Dea", PAIR_1))
        done(house, other, "close")
    read(house)


@pytest.mark.long("postgresql")
def test_every_page_asks_as_much_of_many_rows_as_of_few(house: House, client: Client) -> None:
    game = opened(house, stake=400)
    play_on(house, game, 20)  # fills a page of events and no page of rounds, then and later
    client.get(reverse("games"))
    few = {str(each): asks(client, *each) for each in addresses(house, game)[:: every(4)]}

    play_on(house, game, 8)

    at = str(journal.head(establishment=house.id))
    for each, before in zip(addresses(house, game)[:: every(4)], few.items(), strict=True):
        assert asks(client, *each) == before[1], (each, before, at)
    assert max(few.values()) <= MOST_QUERIES
