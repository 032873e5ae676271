"""The description of the API: whole, true, and kept by the API itself."""

from __future__ import annotations

import re
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote
from uuid import UUID

import pytest
import schemathesis
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, Phase, assume, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import negative_data_rejection

from casino.config.incoming import texts_of
from casino.config.wsgi import application
from casino.house.establishments.gaming_day import current
from casino.kit.approvals.models import RequestRow
from casino.kit.web.api import answers
from casino.kit.web.api import schema as described
from casino.kit.web.jobs import running
from casino.play.settlement.models import Payout, Season
from casino.proof.disputes.regrade import runs
from casino.proof.disputes.regrade.reading import Period
from games import kinds, vocabulary
from games.characters import CONTROL
from ledger import checkpoints
from ledger.notes import SigningKey
from tests.forms import every, how_often
from tests.support import access, addressed_house, builders, cashing, chained, late_tablet
from tests.support.builders import House, opened, put, settled, throw
from tests.support.playing import state
from tests.support.random_player import GAMES, RandomPlayer

if TYPE_CHECKING:
    from pathlib import Path

    from drf_spectacular.utils import OpenApiExample

pytestmark = pytest.mark.django_db

EXAMPLES: Final = how_often(5, short=1)  # of each operation, sound and unsound
ANSWERED: Final = ["2xx", "304", "401", "403", "404", "409", "422", "429"]
CONFIG: Final = SchemathesisConfig.from_dict(
    {
        "checks": {
            "ignored_auth": {"enabled": False},  # it takes the token given to `call` for made up
            "positive_data_acceptance": {"expected-statuses": ANSWERED},
            "negative_data_rejection": {"expected-statuses": ["400", *ANSWERED[2:]]},
        },
        "generation": {"allow-x00": False},
    }
)
CONVERTED: Final = re.compile(r"<(?:\w+:)?(\w+)>")


def operations() -> dict[str, set[str]]:
    """Path to methods of the whole API, as it was decided who may do them."""
    found: dict[str, set[str]] = {"/api/v1/tokens/current/": {"delete"}}
    for address, opens in access.DECISIONS.items():
        path = "/" + CONVERTED.sub(r"{\1}", address)
        if address.startswith("api/v1/") and path not in found:
            allowed = {"get": opens.get, "post": opens.post}
            found[path] = {method for method, roles in allowed.items() if roles != frozenset()}
            found[path] |= access.OF_CHAINS.get(address, frozenset())
    return found


OPERATIONS: Final = operations()
KEY: Final = SigningKey.generate("dice.example")
COMMANDS: Final = [do for do in vocabulary.VOCABULARY if do != "open"]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    whole: dict[str, Any] = builders.client().get("/api/schema/").json()
    return whole


@pytest.mark.once
def test_the_description_that_was_made_is_valid_and_without_a_warning(
    document: dict[str, Any],
) -> None:
    validate_schema(document)  # type: ignore[no-untyped-call]  # it comes without types
    assert not GENERATOR_STATS  # what was warned of while it was made


@pytest.mark.long
@pytest.mark.once
def test_the_command_writes_the_description_without_a_warning(tmp_path: Path) -> None:
    call_command("spectacular", "--fail-on-warn", file=str(tmp_path / "schema.yaml"))


@pytest.mark.once
@pytest.mark.usefixtures("document")
def test_the_description_is_made_once_for_a_process() -> None:
    made = described._make_schema.cache_info().misses
    builders.client().get("/api/schema/")

    assert described._make_schema.cache_info().misses == made


@pytest.mark.long("postgresql")
def test_every_operation_is_described(document: dict[str, Any]) -> None:
    assert {path: set(methods) for path, methods in document["paths"].items()} == OPERATIONS


@pytest.mark.long("postgresql")
def test_every_failure_is_a_problem_with_an_example(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            failures = {code: each for code, each in operation["responses"].items() if code >= "4"}
            assert {"401"} <= set(failures), path
            assert method != "post" or {"400", "401"} <= set(failures), path
            for failure in failures.values():
                [(media_type, content)] = failure["content"].items()
                assert media_type == "application/problem+json"
                assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
                assert content["examples"]


@pytest.mark.once
def test_what_commands_may_run_into_is_all_described(document: dict[str, Any]) -> None:
    for path in ("/api/v1/games/", "/api/v1/games/{game}/commands/"):
        codes = set(document["paths"][path]["post"]["responses"])
        assert {"400", "401", "403", "404", "409", "422"} <= codes
    assert "429" in document["paths"]["/api/v1/tokens/"]["post"]["responses"]


@pytest.mark.once
@pytest.mark.parametrize("do", COMMANDS)
def test_a_command_is_described_as_the_vocabulary_has_it(document: dict[str, Any], do: str) -> None:
    schemas = document["components"]["schemas"]
    one = {"$ref": f"{described.SCHEMAS}{described.component(do)}"}
    forms = schemas[described.component(do)].get("anyOf", [one])
    for record, form in zip(records(vocabulary.VOCABULARY[do]), forms, strict=True):
        shape = schemas[form["$ref"].removeprefix(described.SCHEMAS)]
        fields = {*record.required, *record.optional} - described.IN_TRANSCRIPTS_ONLY
        assert set(shape["properties"]) == fields
        assert set(shape["required"]) == {*record.required, "command_id"}
        assert shape["properties"]["do"]["enum"] == [do]


def records(kind: kinds.Kind) -> list[kinds.Record]:
    match kind:
        case kinds.Either(first=first, second=second):
            return [*records(first), *records(second)]
        case kinds.Record():
            return [kind]
        case _:
            raise TypeError(kind)


@pytest.mark.once
def test_the_examples_are_commands() -> None:
    for example in (*answers.COMMANDS, *answers.OPENING):
        value = example.value
        for body in value if isinstance(value, list) else [value]:
            vocabulary.shape({"do": "open", **{k: v for k, v in body.items() if k != "table"}})


@pytest.mark.once
def test_there_is_an_example_of_every_game_and_of_every_command() -> None:
    assert {each.value["game"] for each in answers.OPENING} == set(GAMES)
    said = [each.value for each in answers.COMMANDS]
    bodies = [body for value in said for body in (value if isinstance(value, list) else [value])]
    assert {body["do"] for body in bodies} == set(vocabulary.VOCABULARY) - {"open"}


@pytest.mark.parametrize("example", answers.OPENING, ids=lambda example: str(example.name))
def test_the_examples_of_openings_open_games(house: House, example: OpenApiExample) -> None:
    builders.dice_for_every_game(house.establishment, sets=1)

    answer = house.client().post("/api/v1/games/", {**example.value, "table": str(house.table.pk)})

    assert answer.status_code == 201, answer.content


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> House:
    """A house that is reached by WSGI, as by a server, but through the test's own connection."""
    cache.clear()  # nobody is throttled
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
    return builders.house()


@pytest.mark.parametrize(
    "mode",
    [
        GenerationMode.POSITIVE,
        pytest.param(GenerationMode.NEGATIVE, marks=pytest.mark.long("postgresql")),
    ],
)
def test_the_api_keeps_its_description_whatever_it_is_sent(
    house: House, mode: GenerationMode
) -> None:
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 3), throw("Bruno", 3, 3, 4), throw("Cleo", 1, 1, 5))
    approval = void_asked_for(house, game)
    real = {
        "game": game, "establishment": str(house.id), "table": str(house.tables[1].pk),
        "approval": approval, "dispute": a_dispute(house, game),
        "day": str(current(house.establishment, timezone.now())),
    }  # fmt: skip
    schema = schemathesis.openapi.from_wsgi("/api/schema/", application, config=CONFIG)
    # To each fifth in the short form: what a body has to be is decided before a database is asked.
    step = every(5)
    for path, methods in islice(OPERATIONS.items(), 0, None, step):
        for method in sorted(methods):
            tried(schema[path][method.upper()], mode, real, house)


def void_asked_for(house: House, game: str) -> str:
    """The id of a request that waits for approval; what was played is settled."""
    put(house, game, builders.command("void", back_to=2, reason="Misread."))
    settled(house)
    return str(RequestRow.objects.get(establishment=house.id).id)


def a_dispute(house: House, game: str) -> int:
    """The number of a dispute about the round that was played."""
    body = builders.command("dispute", round=1, reason="Misread.")
    [raised] = put(house, game, body)
    settled(house)
    number: int = raised["events"][0]["number"]
    return number


def a_slip(house: House) -> int:
    """The number of a slip, at a table whose float was counted."""
    cashing.founded(house, 500)
    cashing.opened(house)
    return cashing.slipped(house, "fill", {"25": 1})


def in_order(query: dict[str, Any]) -> None:
    """No description can say that the size a proof is from is at most the one it is to."""
    old, new = query.get("from"), query.get("to")
    if isinstance(old, int) and isinstance(new, int) and old > new:
        query["from"], query["to"] = new, old


def tried(operation: Any, mode: GenerationMode, real: dict[str, Any], house: House) -> None:
    """Send an operation what is made up from its description, at real places and anywhere."""
    token = builders.token(house.manager)  # of its own: it may be revoked
    cases = operation.as_strategy(generation_mode=mode)

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, at_home=st.booleans())
    def sent(case: Any, at_home: bool) -> None:  # noqa: FBT001 - hypothesis hands it over
        if at_home:
            placed(case, real)
        if mode is GenerationMode.POSITIVE and isinstance(case.query, dict):
            case.query.pop("cursor", None)  # a cursor is signed: none that is made up is sound
            in_order(case.query)
        if mode is GenerationMode.POSITIVE:  # no description can say what no text may have in it
            made_up = map(unquote, texts_of([case.path_parameters, case.query, case.body]))
            assume(not any(map(CONTROL.search, made_up)))
        answer = case.call(headers={"Authorization": f"Bearer {token}"})
        # What is put right by a real place is not wrong any more.
        case.validate_response(answer, excluded_checks=[negative_data_rejection] if at_home else [])

    sent()


def placed(case: Any, real: dict[str, Any]) -> None:
    """Put ids that exist where there are made-up ones. What names a kind of game is no id."""
    for where in (case.path_parameters, case.body):
        if isinstance(where, dict):
            ids = {name for name, value in where.items() if value not in GAMES}
            where.update({name: value for name, value in real.items() if name in ids})


@pytest.mark.long("postgresql")
def test_what_a_game_answers_is_as_described(house: House) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/schema/", application, config=CONFIG)
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 3), throw("Bruno", 3, 3, 4), throw("Cleo", 1, 1, 5))
    approval = void_asked_for(house, game)
    Payout.objects.update(amount=3)
    run = runs.begin(house=house.establishment, period=Period(), now=timezone.now())
    running.advance(runs.REGRADE, house.id, run.id, seconds=60)
    settled(house)
    booked = Payout.objects.filter(establishment=house.establishment)[0]
    ids = {
        "game": game, "establishment": str(house.id), "round_no": 1, "regrade": str(run.id),
        "cause": booked.cause, "seq": booked.seq, "kind": "float", "name": str(house.table.pk),
        "day": str(booked.gaming_day),
        "approval": approval, "table": str(house.table.pk), "number": a_slip(house),
        "dispute": a_dispute(house, game), "dice_set": str(house.dice_sets[0].pk),
        "report": "rounds", "preparation": str(addressed_house.prepared(house)), "form": "json",
        "house": str(house.id),
    }  # fmt: skip
    ids["position"] = 0
    of_all = {"kind": "house", "name": "all", "sides": 8}
    late = {"number": late_tablet.lists_one(house, UUID(game), now=timezone.now())}
    head = checkpoints.grow(establishment=house.id, keys=[KEY], name=KEY.name, now=timezone.now())
    assert head is not None
    token = builders.token(house.manager)
    chained.over(house)
    Season.objects.create(establishment=house.establishment, ruleset="stone-hand", number=1)

    for path in (each for each, methods in OPERATIONS.items() if "get" in methods):
        given = ids | of_all if "/surveillance/" in path else ids
        given = given | (late if "/late-entries/" in path else {})
        given = given | ({"game": "stone-hand"} if "/scoreboards/" in path else {})
        inside = {name: value for name, value in given.items() if f"{{{name}}}" in path}
        body = {"from": head.size} if path.endswith("/consistency/") else {}
        case = schema[path]["GET"].Case(path_parameters=inside, query=body)
        answer = case.call_and_validate(headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200, path


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("game", GAMES)
def test_what_any_game_answers_is_as_described(house: House, game: str) -> None:
    """Wherever it stands: its state, its events and the reasons of its rounds."""
    builders.dice_for_every_game(house.establishment, sets=2)
    schema = schemathesis.openapi.from_wsgi("/api/schema/", application, config=CONFIG)
    bearer = {"Authorization": f"Bearer {builders.token(house.manager)}"}
    croupier = RandomPlayer(house, Random(7), (game,))  # noqa: S311 - a test's chance
    looked = 0
    for step in range(60):
        croupier.does_something()
        if step % 6 == 0 and croupier.games:
            looked += 1
            for path in ("/api/v1/games/{game}/", "/api/v1/games/{game}/events/"):
                ids = {"game": str(croupier.games[-1])}
                schema[path]["GET"].Case(path_parameters=ids).call_and_validate(headers=bearer)
    assert looked

    reasons = "/api/v1/games/{game}/explain/{round_no}/"
    for each in croupier.games:
        for ended in state(house, each)["rounds"]:
            ids = {"game": str(each), "round_no": ended["round"]}
            schema[reasons]["GET"].Case(path_parameters=ids).call_and_validate(headers=bearer)
