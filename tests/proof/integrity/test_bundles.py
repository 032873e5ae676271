# ruff: noqa: E501 - one line for each change
"""
A bundle that was changed on its way is refused, or is said to be unsigned (E1).

Whoever changes one renews the hashes in its manifest, which is easy; the note that signs the
manifest cannot be made without the house's key, but it can be left out.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from uuid import uuid4

import pytest
from django.core.management import CommandError
from django.db import transaction

from casino.house.attendants.models import Attendant, Employment
from casino.house.attendants.pseudonyms.models import Player, Text
from casino.house.establishments.models import Establishment, Table
from casino.proof.signing import keys
from casino.proof.verification.export_tables import HOUSE, STAFF, TABLES
from ledger import notes, verify
from ledger.models import Event, Subscription
from tests.support import builders
from tests.support.exported import a_house, another_machine, exported, output_of, signed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

BESIDE: Final = {
    "players.jsonl": "names, which can be put right and erased",
    "attendants.jsonl": "how people are called",
    "sign_ins.jsonl": "the log of doors",
    "device_entries.jsonl": "how devices numbered what they sent",
}
"""What no event says: of it nobody but the house's key can say whether it was changed."""
FILES: Final = (HOUSE, STAFF, *TABLES)
COLUMNS: Final = [(each.file, column.attname) for each in FILES for column in each.columns]


@dataclass
class Bundle:
    """A true bundle, and a changed copy of it; what another house has that is here already."""

    true: Path
    copy: Path
    key: str
    other: House

    def fresh(self) -> Bundle:
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.true, self.copy)
        return self

    def rows(self, file: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.copy / file).read_bytes().splitlines()]

    def write(self, file: str, rows: list[dict[str, Any]]) -> None:
        """Write a file, and renew its hash in the manifest."""
        lines = [json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
                 for row in rows]  # fmt: skip
        data = "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")
        self.put_bytes(file, data)

    def put_bytes(self, file: str, data: bytes) -> None:
        (self.copy / file).write_bytes(data)
        listed = {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
        self.says(files={**self.manifest["files"], file: listed})

    @property
    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.copy / "manifest.json").read_bytes())
        return found

    def says(self, **changes: Any) -> None:
        (self.copy / "manifest.json").write_text(json.dumps({**self.manifest, **changes}))

    def unsigned(self) -> None:
        (self.copy / verify.MANIFEST_NOTE).unlink()

    def leave_out(self, file: str) -> None:
        (self.copy / file).unlink()
        self.says(files={name: of for name, of in self.manifest["files"].items() if name != file})


Change: TypeAlias = Callable[[Bundle, str], object]


@pytest.fixture
def bundle(settings: Any, tmp_path: Path) -> Bundle:
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    house = a_house(seed=5, steps=25)
    signed(house)
    exported(house, tmp_path / "true")
    key = f"--key={keys.public_keys(house.id)[0]}"
    another_machine()
    return Bundle(tmp_path / "true", tmp_path / "copy", key, builders.house(name="Another house"))


def put(column: str, value: Any) -> Change:
    """Another value in the first row; a function makes it of the bundle."""

    def change(of: Bundle, file: str) -> None:
        rows = of.rows(file)
        rows[0][column] = value(of) if callable(value) else value
        of.write(file, rows)

    return change


def more(**changes: Any) -> Change:
    """A row more."""

    def change(of: Bundle, file: str) -> None:
        row = {**of.rows(file)[0], **changes}
        of.write(file, [*of.rows(file), {**row, "id": str(uuid4())} if "id" in row else row])

    return change


def elsewhere(of: Bundle, file: str) -> None:
    """A row more, of a house that is here."""
    more(establishment_id=str(of.other.id))(of, file)


def less(of: Bundle, file: str) -> None:
    of.write(file, of.rows(file)[1:])


def twice(of: Bundle, file: str) -> None:
    of.write(file, [*of.rows(file), of.rows(file)[0]])


def manager_elsewhere(of: Bundle, file: str) -> None:
    """One line more, by which somebody is a manager of another house."""
    more(establishment_id=str(of.other.id), role="manager")(of, file)


def all_managers(of: Bundle, file: str) -> None:
    of.write(file, [{**row, "role": "manager"} for row in of.rows(file)])


def parked(of: Bundle) -> list[dict[str, Any]]:
    with (of.copy / "events.jsonl").open("rb") as events:
        stream = json.loads(events.readline())["stream"]
    return [{"position": 0, "stream": f"{stream}x", "error": "", "attempts": 1}]


def broken(**changes: Any) -> dict[str, Any]:
    return {"position": 0, "stream": "x", "error": "", "attempts": 1, **changes}


def without(column: str) -> Change:
    """A column less in the first row."""

    def change(of: Bundle, file: str) -> None:
        first, *others = of.rows(file)
        del first[column]
        of.write(file, [first, *others])

    return change


def added(of: Bundle, file: str) -> None:
    (of.copy / file).write_bytes(b"")


def gone(of: Bundle, file: str) -> None:
    (of.copy / file).unlink()


def says(name: str, value: Any) -> Change:
    return lambda of, _file: of.says(**{name: value})


OTHER: Final = "of another house"
NOTHING: Final = "nothing in this export"
EARLY: Final = "2026-01-01T00:00:00.000000Z"
TRUE: Final = True

# fmt: off
CHANGES: Final[list[tuple[str, Change, str]]] = [
    # Rows of another house, or about people and things that are not in the bundle.
    ("employments.jsonl",    manager_elsewhere,                                   OTHER),
    ("employments.jsonl",    elsewhere,                                           OTHER),
    ("tables.jsonl",         elsewhere,                                           OTHER),
    ("players.jsonl",        elsewhere,                                           OTHER),
    ("texts.jsonl",          elsewhere,                                           OTHER),
    ("sign_ins.jsonl",       elsewhere,                                           OTHER),
    ("sealed_counts.jsonl",  elsewhere,                                           OTHER),
    ("device_entries.jsonl", elsewhere,                                           OTHER),
    ("home_throws.jsonl",    elsewhere,                                           OTHER),
    ("tables.jsonl",         put("id", lambda of: str(of.other.table.pk)),        "another house here has the id"),
    ("dice_sets.jsonl",      put("issued_to_id", lambda of: str(of.other.table.pk)), NOTHING),
    ("employments.jsonl",    put("attendant_id", lambda of: str(of.other.manager.pk)), NOTHING),
    ("attendants.jsonl",     more(username="a-stranger"),                         "no row of the house is about"),
    # What events say.
    ("employments.jsonl",    all_managers,                                        "The role of row"),
    ("home_throws.jsonl",    less,                                                "is missing"),
    ("establishment.jsonl",  put("two_configure", TRUE),                          "The two_configure of row"),
    ("establishment.jsonl",  put("large_prize", 9_999_999),                       "The large_prize of row"),
    ("establishment.jsonl",  put("setting_up", "x"),                              "The setting_up of row"),
    ("tables.jsonl",         more(name="A table that nobody made"),               "was written by no event"),
    ("tables.jsonl",         put("stake_max", 9_999),                             "The stake_max of row"),
    ("home_throws.jsonl",    put("low", 2),                                       "The low of row"),
    ("house_rules.jsonl",    put("deviations", "anybody"),                        "The deviations of row"),
    ("prize_rules.jsonl",    put("amount", 5_000),                                "The amount of row"),
    ("dice_sets.jsonl",      put("colour", "ivory"),                              "The colour of row"),
    ("invitations.jsonl",    put("role", "manager"),                              "The role of row"),
    ("tablets.jsonl",        put("name", "Theirs"),                               "The name of row"),
    ("texts.jsonl",          put("text", "He won it."),                           "is not what its token"),
    ("sealed_counts.jsonl",  put("sheet", {"5": 9}),                              "The sealed count"),
    ("sealed_counts.jsonl",  less,                                                "is missing"),
    ("followers.jsonl",      put("position", -1),                                 "The cursor of settlement"),
    ("followers.jsonl",      put("position", 10**6),                              "settlement"),
    ("followers.jsonl",      put("position", "0"),                                "no cursor of a subscriber"),
    ("followers.jsonl",      put("parked", parked),                               "What settlement has parked"),
    ("followers.jsonl",      put("name", "house"),                                "house is no subscriber"),
    ("followers.jsonl",      put("position", 10**30),                             "no cursor of a subscriber"),
    ("followers.jsonl",      put("position", TRUE),                               "no cursor of a subscriber"),
    ("followers.jsonl",      put("parked", lambda _: [broken(error="\ud800")]),   "no cursor of a subscriber"),
    ("followers.jsonl",      put("parked", lambda _: [broken(error="\0")]),       "no cursor of a subscriber"),
    ("followers.jsonl",      put("parked", lambda _: [broken(position=10**30)]),  "no cursor of a subscriber"),
    ("checkpoints.jsonl",    without("epoch"),                                    "line 1: not readable"),
    ("checkpoints.jsonl",    put("epoch", 2),                                     "line 1: its epoch"),
    ("checkpoints.jsonl",    put("signed_at", EARLY),                             "line 1: signed at another time"),
    # What the models refuse.
    ("tables.jsonl",         put("name", 7),                                      "line 1: name: 7 is not as"),
    ("tables.jsonl",         put("in_use", 1),                                    "line 1: in_use: 1 is not as"),
    ("tables.jsonl",         put("name", "x" * 41),                               "line 1: name: "),
    ("tables.jsonl",         put("name", "Ta\u200bble"),                          "line 1: name: "),
    ("players.jsonl",        put("name", "A\0da"),                                "line 1: name: "),
    ("players.jsonl",        put("name", "half \ud800"),                          "line 1: name: "),
    ("sealed_counts.jsonl",  put("sheet", {"\0": 1}),                             "line 1: sheet: "),
    ("sealed_counts.jsonl",  put("sheet", {"\ud800": 1}),                         "line 1: sheet: "),
    ("employments.jsonl",    put("role", "owner"),                                "line 1: role: "),
    ("device_entries.jsonl", put("seq", -1),                                      "line 1: seq: "),
    ("attendants.jsonl",     put("is_superuser", TRUE),                           "line 1: is_superuser: another version"),
    ("players.jsonl",        twice,                                               ", line "),
    ("establishment.jsonl",  put("time_zone", "Mars"),                            "line 1: time_zone: "),
    ("establishment.jsonl",  twice,                                               "has to have one line"),
    # Files and the manifest.
    ("sealed_counts.jsonl",  Bundle.leave_out,                                    "not one of the files"),
    ("sealed_counts.jsonl",  gone,                                                "not there"),
    ("more.jsonl",           added,                                               "not in the manifest"),
    ("more.jsonl",           lambda of, file: of.write(file, []),                 "not one of the files"),
    ("",                     says("events", 1),                                   "events; the manifest says 1"),
    ("",                     says("receipts", 1),                                 "receipts; the manifest says 1"),
    ("",                     says("checkpoints", 0),                              "checkpoints; the manifest says 0"),
    ("manifest.json",        says("events", "many"),                              "events: no number"),
]
# fmt: on


def test_what_was_changed_is_refused_and_leaves_nothing(bundle: Bundle) -> None:
    here = everything_here()
    for file, change, why in CHANGES:
        change(bundle.fresh(), file)
        bundle.unsigned()

        said = refusal(bundle)

        assert said is not None, f"{file} was taken: {why}"
        assert file in said, f"{file}: {said}"
        assert why in said, f"{file}: {said}"
        assert everything_here() == here, file


def test_a_key_that_stands_twice_is_named_with_its_file(bundle: Bundle) -> None:
    listed = bundle.fresh().manifest["files"].keys()
    for file in sorted(listed - {"events.jsonl", "receipts.jsonl"}):
        data = bundle.fresh().copy / file
        name = next(iter(bundle.rows(file)[0]))
        bundle.put_bytes(file, b'{"%s":0,' % name.encode() + data.read_bytes()[1:])
        bundle.unsigned()
        said = refusal(bundle) or ""
        assert f"{file}, line 1: '{name}' stands twice in one object" in said
        assert verify.main(["export", str(bundle.copy), bundle.key, "--contents"]) == 2


def refusal(bundle: Bundle) -> str | None:
    """Why a bundle is not imported; None: it was."""
    try:
        output_of("import_ledger", str(bundle.copy), bundle.key)
    except CommandError as reason:
        return str(reason)
    return None


def everything_here() -> list[Any]:
    models = (Establishment, Attendant, Employment, Table, Player, Text, Event, Subscription)
    return [sorted(map(str, model._default_manager.values_list("pk"))) for model in models]


def test_with_the_note_of_the_manifest_nothing_can_be_changed(
    bundle: Bundle, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in BESIDE:
        rows = bundle.fresh().rows(file)
        bundle.write(file, list(reversed(rows)))

        assert "manifest.json: not the one that manifest.note signs" in (refusal(bundle) or "")
        assert verify.main(["export", str(bundle.copy), bundle.key]) == 1
    capsys.readouterr()
    bundle.fresh()
    assert verify.main(["export", str(bundle.copy), "--contents", bundle.key]) == 0
    said = capsys.readouterr().out
    assert "every file signed with the key that was given" in said
    assert "unsigned" not in said
    assert "every file signed" in output_of("import_ledger", str(bundle.copy), bundle.key)


def test_a_note_of_another_key_signs_nothing(
    bundle: Bundle, capsys: pytest.CaptureFixture[str]
) -> None:
    note = bundle.fresh().copy / verify.MANIFEST_NOTE
    text = note.read_text()
    origin = text.splitlines()[1]
    note.write_text(text.replace(origin, origin + "/7"))

    assert verify.main(["export", str(bundle.copy), bundle.key]) == 0
    assert "players.jsonl: unsigned" in capsys.readouterr().out
    note.write_text(text.replace(text[-12:-4], "AAAAAAAA"))
    assert verify.main(["export", str(bundle.copy), bundle.key]) == 1


def test_a_note_of_another_house_whose_key_is_trusted_signs_nothing(bundle: Bundle) -> None:
    """Whoever gives the keys of two houses trusts each for its own."""
    other, manifest = bundle.other.id, bundle.fresh().copy / "manifest.json"
    bundle.write("players.jsonl", list(reversed(bundle.rows("players.jsonl"))))
    theirs = keys.make_file(other, keys.origin(other))
    text = verify.manifest_text(theirs.name, manifest.read_bytes())
    (bundle.copy / verify.MANIFEST_NOTE).write_text(notes.sign(text, [theirs]))

    with pytest.raises(CommandError, match="which is another house"):
        output_of("import_ledger", str(bundle.copy), bundle.key, f"--key={theirs.public}")


@pytest.mark.long
@pytest.mark.parametrize(("file", "column"), COLUMNS)
def test_no_value_can_be_changed_and_be_called_signed(
    bundle: Bundle, file: str, column: str
) -> None:
    """Whatever columns there will be: of each, the value of one row."""
    refused_or_unsigned(bundle, file, column)


def test_no_value_of_a_name_or_a_role_can_be_changed_and_be_called_signed(bundle: Bundle) -> None:
    for file, column in (("players.jsonl", "name"), ("employments.jsonl", "role")):
        refused_or_unsigned(bundle, file, column)


def refused_or_unsigned(bundle: Bundle, file: str, column: str) -> None:
    rows = bundle.fresh().rows(file)
    assert rows, f"there is nothing in {file}"
    rows[0][column] = another(rows[0][column])
    bundle.write(file, rows)
    bundle.unsigned()

    with transaction.atomic():
        try:
            said = output_of("import_ledger", str(bundle.copy), bundle.key)
        except CommandError:
            return
        finally:
            transaction.set_rollback(True)
    assert file in BESIDE, f"{column} of {file} was changed and taken"
    assert f"{file}: unsigned" in said
    assert "every file signed" not in said


def another(value: Any) -> Any:  # noqa: PLR0911  one for each kind
    """Another value of the same kind, as near as can be."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value):
            return str(uuid4())
        case str() if re.match(r"\d{4}-\d\d-\d\dT", value):
            return value.replace(value[:4], str(int(value[:4]) - 1), 1)
        case str():
            return f"{value}x"
        case list():
            return value[1:]
        case dict():
            return {**value, "1": 1}
    return "x"
