"""What generators of clients take the API's description for: names, types, one of several."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.once, pytest.mark.django_db]

Schema = dict[str, Any]
SCHEMAS: Final = "#/components/schemas/"
TYPES: Final = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}


@pytest.fixture(scope="module")
def document() -> Schema:
    whole: Schema = builders.client().get("/api/schema/").json()
    return whole


def parts(node: Any, at: str = "#") -> Iterator[tuple[str, Schema]]:
    """Every object of the description by its place; examples are what is sent, no description."""
    if isinstance(node, dict):
        yield at, node
        for name, each in node.items():
            if name not in {"example", "examples"}:
                yield from parts(each, f"{at}/{name}")
    elif isinstance(node, list):
        for place, each in enumerate(node):
            yield from parts(each, f"{at}/{place}")


def unions(document: Schema) -> Iterator[tuple[str, Schema, list[Schema]]]:
    for at, node in parts(document):
        for word in ("oneOf", "anyOf"):
            if isinstance(node.get(word), list):
                yield at, node, node[word]


def named(document: Schema, reference: str) -> Schema:
    schema: Schema = document["components"]["schemas"][reference.removeprefix(SCHEMAS)]
    return schema


def forms(document: Schema, reference: str) -> list[Schema]:
    """What may stand where it is referred to: a schema, or each of those that it is one of."""
    schema = named(document, reference)
    several = schema.get("oneOf", schema.get("anyOf"))
    if several is None:
        return [schema]
    return [form for each in several for form in forms(document, each["$ref"])]


def test_an_operation_has_a_name_of_its_own(document: Schema) -> None:
    names = Counter(
        each["operationId"] for methods in document["paths"].values() for each in methods.values()
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_names_of_schemas_differ_in_more_than_capitals(document: Schema) -> None:
    """A generator makes classes and files of them, each in its own spelling."""
    names = Counter(name.lower().replace("_", "") for name in document["components"]["schemas"])
    assert [name for name, count in names.items() if count > 1] == []


def test_an_enumeration_says_its_one_type(document: Schema) -> None:
    for at, node in parts(document):
        if isinstance(values := node.get("enum"), list):
            assert isinstance(node.get("type"), str), at
            assert {type(value) for value in values} == {TYPES[node["type"]]}, at
            assert len(values) == len(set(values)), at


def test_what_may_be_null_says_so_by_its_type(document: Schema) -> None:
    """`nullable` is a word of OpenAPI 3.0: in 3.1 it says nothing."""
    assert [at for at, node in parts(document) if node.get("nullable") is True] == []


def test_an_object_that_is_one_of_several_has_a_name(document: Schema) -> None:
    """Without one a generator makes one up; two that come out alike become one."""
    for at, _union, variants in unions(document):
        for each in variants:
            assert not ({"properties", "oneOf", "anyOf", "allOf"} & each.keys()), at
        references = [each["$ref"] for each in variants if "$ref" in each]
        assert len(references) == len(set(references)), at


def test_of_what_is_one_of_several_at_most_one_is_a_list(document: Schema) -> None:
    """By what stands in it no client tells a list of one kind from a list of another."""
    for at, _union, variants in unions(document):
        assert sum(each.get("type") == "array" for each in variants) <= 1, at


def test_no_schema_is_named_like_a_field_of_its_own_that_is_an_object_in_code(
    document: Schema,
) -> None:
    """A date, an id, a word of a list, another schema: two things of one name in a client."""
    for name, schema in document["components"]["schemas"].items():
        spelled = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        field = schema.get("properties", {}).get(spelled, {})
        assert field.keys() <= {"type", "description"}, name


def test_a_field_that_tells_variants_apart_has_one_value_in_each(document: Schema) -> None:
    found = 0
    for at, union, variants in unions(document):
        if (told := union.get("discriminator")) is None:
            continue
        found += 1
        assert {each["$ref"] for each in variants} == set(told["mapping"].values()), at
        for value, reference in told["mapping"].items():
            for form in forms(document, reference):
                assert told["propertyName"] in form["required"], (at, value)
                assert form["properties"][told["propertyName"]] == {
                    "type": "string", "enum": [value],
                }, (at, value)  # fmt: skip
    assert found == 4  # commands, what a void enters, acts of dice, acts of a table's custody


def test_variants_that_one_field_tells_apart_say_so(document: Schema) -> None:
    """Where each has a value of its own for `do`."""
    for at, union, variants in unions(document):
        if not all("$ref" in each for each in variants):
            continue
        dos = [
            {str(form.get("properties", {}).get("do")) for form in forms(document, each["$ref"])}
            for each in variants
        ]
        apart = len(set.union(*dos)) == sum(map(len, dos)) and "None" not in set.union(*dos)
        assert not apart or len(dos) == 1 or "discriminator" in union, at


def test_forms_of_one_command_differ_in_a_field_that_they_need(document: Schema) -> None:
    for name in ("ThrowCommand", "ThrowInstead", "DisputeCommand"):
        first, second = forms(document, SCHEMAS + name)
        assert set(first["required"]) - set(second["properties"]), name
        assert set(second["required"]) - set(first["properties"]), name


def test_what_is_referred_to_is_there(document: Schema) -> None:
    for _at, node in parts(document):
        if isinstance(reference := node.get("$ref"), str):
            assert named(document, reference)


def test_parameters_of_an_operation_have_names_of_their_own(document: Schema) -> None:
    """In any spelling, and beside those of another place."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            names = [each["name"].lower() for each in operation.get("parameters", [])]
            assert len(names) == len(set(names)), path
