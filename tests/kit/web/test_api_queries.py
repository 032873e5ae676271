"""A GET takes the parameters that its description has, and refuses others by name."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pytest

from casino.house.attendants.models import Role
from tests.forms import every
from tests.support import builders, chained

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

PLACE: Final = re.compile(r"{(\w+)}")
NO_SUCH: Final = "has no such filter"
SAMPLES: Final = {"date": "2026-11-20", "uuid": str(uuid4()), "date-time": "2026-11-20T20:15:00Z"}
TEXTS: Final = {  # of parameters whose pattern is their only description
    "arcade_points": "1", "dice": "1,1", "game": "stone-hand", "home_throw": "1,3,6",
    "month": "2026-11", "newer": "1.0", "older": "1.0", "player": "p-aaaaaaaaaaaa",
    "kind": "void", "through": "head",
}  # fmt: skip
OF_THE_HOUSES: Final = "currency"
"""A parameter whose values are only those that houses of the chain have."""
ONES: Final = ("round_no", "cause", "seq", "dispute", "position", "number", "sides")


@pytest.fixture(scope="module")
def gets() -> dict[str, dict[str, Any]]:
    """The parameters of each GET by name, by its path."""
    paths = builders.client().get("/api/schema/").json()["paths"]
    return {
        path: {
            each["name"]: each
            for each in methods["get"].get("parameters", [])
            if each["in"] == "query"
        }
        for path, methods in paths.items()
        if "get" in methods
    }


@pytest.fixture
def house() -> House:
    made = builders.house()
    chained.over(made)
    return made


def addressed(path: str, house: House) -> str:
    """The path at the house; what else it names need not be there."""
    real = {"establishment": str(house.id), "house": str(house.id), "kind": "float"}
    some = {"day": "2026-11-20", "report": "rounds", "form": "json", "name": str(house.table.pk)}
    given = {**dict.fromkeys(ONES, 1), **some, **real}
    return PLACE.sub(lambda found: str(given.get(found[1], uuid4())), path)


def refused(house: House, address: str, query: str) -> dict[str, Any]:
    answer = house.client(Role.MANAGER).get(f"{address}?{query}")
    assert answer.status_code == 400, (address, query, answer.status_code)
    problem: dict[str, Any] = answer.json()
    assert problem["code"] == "malformed"
    return problem


@pytest.mark.once
def test_every_get_refuses_a_parameter_that_it_does_not_know(
    house: House, gets: dict[str, dict[str, Any]]
) -> None:
    assert len(gets) > 60
    for path, known in gets.items():
        problem = refused(house, addressed(path, house), "nonsense=1")

        assert problem["field"] == "nonsense", path
        assert re.match(r"nonsense: [a-z_-]+ has no such", problem["detail"]), path
        assert all(name in problem["detail"] for name in known if name != "format"), path


@pytest.mark.once
def test_every_get_takes_the_parameters_of_its_description(
    house: House, gets: dict[str, dict[str, Any]]
) -> None:
    """A list at the house has them answered with its rows."""
    client = house.client(Role.MANAGER)
    for path, known in gets.items():
        address = addressed(path, house)
        of_house = set(PLACE.findall(path)) <= {"establishment", "house"}
        for name, parameter in known.items():
            # The short form tries the first of each.
            for text in islice(samples(parameter), 0, None, every(20)):
                answer = client.get(address, {name: text})
                if answer.status_code == 400:
                    assert NO_SUCH not in answer.json()["detail"], (path, name)
                if of_house and "cursor" in known and name not in {"cursor", OF_THE_HOUSES}:
                    assert answer.status_code == 200, (path, name, text, answer.content)


def samples(parameter: dict[str, Any]) -> Iterator[str]:
    """Values that the description allows; where it has a pattern, one that stands above."""
    schema = parameter["schema"]
    for kind in schema.get("anyOf", [schema.get("items", schema)]):
        if "enum" in kind:
            yield from (str(each) for each in kind["enum"])
        elif kind["type"] == "integer":
            yield str(kind.get("minimum", 1))
        elif kind["type"] == "boolean":
            yield "true"
        else:
            yield SAMPLES.get(kind.get("format", ""), TEXTS.get(parameter["name"], "Ada"))


@pytest.mark.once
def test_a_parameter_is_given_once(house: House, gets: dict[str, dict[str, Any]]) -> None:
    """Which of two values counts is nowhere said; odds take several where they say so."""
    for path, known in gets.items():
        for name, parameter in known.items():
            if parameter["schema"].get("type") != "array":
                text = next(samples(parameter))
                problem = refused(house, addressed(path, house), f"{name}={text}&{name}={text}")
                assert problem["field"] == name, path


@pytest.mark.parametrize(
    ("rest", "field"),
    [
        ("payouts/?sate=held", "sate"),
        ("payouts/?state=hold", "state"),
        ("payouts/?state=held&state=paid", "state"),
        ("payouts/?cursor=2", "cursor"),
        ("payouts/?limit=0", "limit"),
        ("payouts/?limit=", "limit"),
        ("payouts/?page=2", "page"),
        ("payouts/?sort=", "sort"),
        ("payouts/?sort=--amount", "sort"),
        ("payouts/?State=held", "State"),
        ("exceptions/?before=-1", "before"),
        ("reports/rounds/?moon=full", "moon"),
        ("reports/rounds/?day=2026-11-20&day=2026-11-21", "day"),
        ("ledger/?since=3", "since"),
        ("?expand=tables", "expand"),
        ("regrades/?state=done", "state"),
    ],
)
def test_what_is_refused_is_named(house: House, rest: str, field: str) -> None:
    path, _, query = rest.partition("?")

    problem = refused(house, house.url(path), query)

    assert problem["field"] == field
    assert field in problem["detail"]


@pytest.mark.once
def test_a_refusal_names_the_parameters_that_there_are(house: House) -> None:
    [listed, alone] = [
        refused(house, address, "sate=held")["detail"]
        for address in ("/api/v1/games/", house.url())
    ]

    assert listed == (
        "sate: games has no such filter; cursor, establishment, gaming_day, limit, status, table"
        " it has."
    )
    assert alone == "sate: establishments has no such filter, nor any other."


@pytest.mark.once
def test_pages_of_a_list_lead_on_with_its_filters(house: House) -> None:
    """What the API's own addresses carry, it takes."""
    builders.dice_for_every_game(house.establishment, sets=2)
    for table in house.tables:
        body = builders.opening(table)
        assert house.client().post("/api/v1/games/", body).status_code == 201
    builders.settled(house)

    first = house.client().get(f"/api/v1/games/?status=open&establishment={house.id}&limit=1")
    second = house.client().get(first.json()["next"])

    assert len(first.json()["results"]) == len(second.json()["results"]) == 1
    assert second.json()["next"] is None
