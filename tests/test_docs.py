"""Every page has its kind, its line in the index and an end; what a page leads to is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from bench import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.once

ROOT: Final = Path(__file__).resolve().parent.parent
DOCS: Final = ROOT / "docs"
DECISIONS: Final = DOCS / "decisions"
ARCHITECTURE: Final = DOCS / "explanation" / "architecture.md"
KINDS: Final = {"tutorial", "how-to", "reference", "explanation", "scale"}
BESIDE: Final = {"games", "decisions", "pictures"}
"""The rules, reference that lies where the house reads it; and what is no page of a kind."""
LINES_MAX: Final = 300
FOLDERS: Final = ("bench", "casino", "docs", "games", "ledger", "templates", "tests")
FILES: Final = ("*.md", "*.py", "*.toml", "*.yaml", "Dockerfile", ".dockerignore")
SOURCES: Final = {".py", ".md", ".html"}
NEVER: Final = {*range(7, 10), *range(14, 20), 35, 66}  # numbers that no decision has
MERGED: Final = re.compile(r"^- \[\d{4}\]\(.* \((\d{4}(?:, \d{4})*)\)$", re.MULTILINE)

FENCED: Final = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
ELSEWHERE: Final = re.compile(r"[a-z]+:")
HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)
NAMED: Final = re.compile(r"(?<![\w/.])docs/[\w/-]+\.md|(?<![\w/.])docs/decisions/\d{4}")
STATUS: Final = re.compile(
    r"# (\d{4})[:.]? (.+)\n\nStatus: "
    r"(Accepted|(?:Amended|Superseded) by \[\d{4}\]\(\S+\)(?: and \[\d{4}\]\(\S+\))*)\n\n"
)
USES: Final = re.compile(r"\bUses\b(.*?)\.(?:\s|$)", re.DOTALL)
LATER: Final = re.compile(r"\[(\d{4})\]")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _files() -> Iterator[Path]:
    """What people wrote: nothing installed, nothing that a run left."""
    for pattern in FILES:
        yield from ROOT.glob(pattern)
    for folder in FOLDERS:
        yield from (path for path in ROOT.joinpath(folder).rglob("*") if path.suffix in SOURCES)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _links(page: Path) -> Iterator[tuple[Path, str]]:
    """Where it leads within the project: the file, and the heading there or ""."""
    for target in LINK.findall(FENCED.sub("", _read(page))):
        if not ELSEWHERE.match(target):
            path, _, heading = target.partition("#")
            yield (page.parent / path if path else page).resolve(), heading


@cache
def _headings(page: Path) -> frozenset[str]:
    """As a forge makes addresses of them."""
    said = (each.lower() for each in HEADING.findall(_read(page)))
    return frozenset(re.sub(r"[^\w\- ]", "", each).replace(" ", "-") for each in said)


MISTAKES: Final = "mistakes.md"  # beside the kinds, where an attendant is sent
SCALE: Final = DOCS / "scale"  # whose own index has its pages: who never grows never meets them
PAGES: Final = sorted(path for path in _files() if path.suffix == ".md")
OF_DOCS: Final = [path for path in PAGES if path.is_relative_to(DOCS)]
RECORDS: Final = [path for path in OF_DOCS if path.parent == DECISIONS and path.name != "README.md"]


def test_every_page_has_its_kind() -> None:
    assert {path.name for path in DOCS.iterdir() if path.is_dir()} == KINDS | BESIDE
    assert {path.name for path in DOCS.glob("*.md")} == {"README.md", MISTAKES}


def test_every_page_is_in_the_index_once_under_its_kind() -> None:
    index = _read(DOCS / "README.md")
    headings: list[str] = re.findall(r"^## ([\w-]+)", index, re.MULTILINE)
    assert headings == ["Tutorials", "How-to", "Reference", "Explanation", "Scale"]
    sections = dict(zip(headings, re.split(r"^## .*$", index, flags=re.MULTILINE)[1:], strict=True))
    for page in OF_DOCS:
        if page.parent != DECISIONS and page != DOCS / "README.md" and not _of_scale(page):
            where = page.relative_to(DOCS).as_posix()
            kind = where.partition("/")[0]
            others = {"games": "Reference", MISTAKES: "How-to"}
            under = others.get(kind, kind.capitalize())
            under = "Tutorials" if under == "Tutorial" else under
            assert index.count(f"]({where})") == 1, f"{where}: once in docs/README.md"
            assert f"]({where})" in sections[under], f"{where}: under {under}"


def _of_scale(page: Path) -> bool:
    return page.parent == SCALE and page.name != "README.md"


def test_every_page_of_scale_is_in_its_index_once() -> None:
    index = _read(SCALE / "README.md")
    pages = [page for page in OF_DOCS if _of_scale(page)]
    assert pages
    for page in pages:
        assert index.count(f"]({page.name})") == 1, f"{page.name}: once in docs/scale/README.md"


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_a_page_leads_somewhere(page: Path) -> None:
    for there, heading in _links(page):
        assert there.exists(), f"{there} is gone"
        assert not heading or heading in _headings(there), f"{there.name} has no #{heading}"


def test_architecture_draws_the_districts_as_they_are() -> None:
    page = _read(ARCHITECTURE)
    assert tree.with_drawing(page) == page, "python -m bench.tree --write"


def test_architecture_names_every_district_in_the_order_of_the_storeys_and_its_rooms() -> None:
    page = _read(ARCHITECTURE)
    before, _, _ = page.partition("\n## What is in a room")
    _, *parts = re.split(r"^### `(\w+)`", before, flags=re.MULTILINE)
    said = dict(zip(parts[::2], map(_rooms_named, parts[1::2]), strict=True))
    assert [*said] == re.findall(r'^    (\w+)\["\d+ ', page, re.MULTILINE)

    there: dict[str, set[str]] = {district: set() for district in said}
    for name in tree.rooms_of(tree.modules("casino")):
        _, district, *room = name.split(".")
        there.setdefault(district, set()).update(room)
    assert said == there


def _rooms_named(part: str) -> set[str]:
    return set(re.findall(r"^- `(\w+)`: ", part, re.MULTILINE))


def test_the_page_of_a_package_names_what_the_package_imports() -> None:
    known = tree.modules("casino", "games", "ledger")
    imported: dict[str, set[str]] = {}
    for importer, there in tree.imports(known):
        for package in accumulate(importer.split("."), "{}.{}".format):
            imported.setdefault(package, set()).update(there.split("."))
    for name, path in known.items():
        if path.name == "__init__.py" and (says := USES.search(_docstring(path))):
            gone = set(re.findall(r"`(\w+)`", says[1])) - imported.get(name, set())
            assert not gone, f"{name}: {gone}"


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(_read(path))) or ""


def test_what_sources_name_is_there() -> None:
    """Also where it is no link: in docstrings, comments, templates and settings of tools."""
    for path in _files():
        if path == ROOT / "tests" / "faults" / "test_around.py":  # names one that it makes itself
            continue
        for named in NAMED.findall(_read(path)):
            found = ROOT.joinpath(named).is_file() or [*DOCS.parent.glob(f"{named}-*.md")]
            assert found, f"{_name(path)}: {named} is gone"


def test_no_page_is_longer_than_a_reader_s_patience() -> None:
    for page in [*OF_DOCS, *ROOT.glob("*.md")]:
        assert len(_read(page).splitlines()) <= LINES_MAX, f"{_name(page)}: split it by its subject"


def test_decisions_are_numbered_and_the_index_has_each_with_its_status() -> None:
    index = _read(DECISIONS / "README.md")
    rows = []
    for record in sorted(RECORDS):
        head = STATUS.match(_read(record))
        assert head, f"{record.name}: a title with its number, and a status under it"
        number, title, status = head.groups()
        assert record.name.startswith(f"{number}-")
        assert all(later > number for later in LATER.findall(status)), record.name
        said = "" if status == "Accepted" else f": {status}"
        rows.append(f"- [{number}]({record.name}): {title}{said}")
    assert re.findall(r"^(- \[\d{4}\].*?)(?: \([\d, ]+\))?$", index, re.MULTILINE) == rows
    numbers = {int(record.name[:4]) for record in RECORDS}
    merged = [int(each) for old in MERGED.findall(index) for each in old.split(", ")]
    every = sorted([*numbers, *merged, *NEVER])
    assert every == [*range(1, max(numbers) + 1)], "a number is a record, merged, or never used"
