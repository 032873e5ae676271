"""
The tree in figures: ``python -m bench.tree``. What a reader has to hold in their head.
``--write`` draws the districts of casino/ in docs/explanation/architecture.md instead.

Imports within functions and for types count. A storey is the longest way down, over districts and
over rooms; a room is a package in a district, or a district without packages of that kind.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ROOT: Final = Path(__file__).resolve().parents[1]
PROGRAM: Final = ("casino", "games", "ledger")
NOT_OURS: Final = {"bundled", "static", "__pycache__"}
SMALL: Final = 100  # lines below which a module with one importer beside it is a crumb
NO_ROOMS: Final = {"management", "migrations", "templatetags", "listings"}
PAGE: Final = ROOT / "docs" / "explanation" / "architecture.md"
DRAWN: Final = "<!-- drawn by python -m bench.tree --write -->\n"
END: Final = "<!-- end of the drawing -->\n"
VERBS: Final = {"embed", "exceed", "feed", "need", "proceed", "seed", "shed", "succeed"}


def modules(*folders: str) -> dict[str, Path]:
    """The modules below folders of the repository, by dotted name."""
    found = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not NOT_OURS.intersection(parts):
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(known: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """Who imports whom, once each: the names of two modules."""
    seen: set[tuple[str, str]] = set()
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [f"{node.module}.{each.name}" for each in node.names]
            else:
                continue
            found = {module_of(each, known) for each in names}
            seen.update((name, each) for each in found - {name, ""})
    yield from seen


def module_of(dotted: str, known: Mapping[str, Path]) -> str:
    """The module that a dotted name lies in; "" if it is none of `known`."""
    while dotted and dotted not in known:
        dotted = dotted.rpartition(".")[0]
    return dotted


def room(name: str) -> str:
    """The room of a module of casino: a package of its district, else the district."""
    parts = name.split(".")
    inside = ROOT.joinpath(*parts[:3])
    deep = len(parts) > 2 and inside.is_dir() and parts[2] not in NO_ROOMS
    return ".".join(parts[: 3 if deep else 2])


def rooms_of(known: Iterable[str]) -> set[str]:
    """The rooms, and the districts that have rooms, as dotted names."""
    return {room(name) for name in known if name.startswith("casino.")} - {"casino.__main__"}


def between_districts(arrows: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which district imports which, by their dotted names."""
    ours = (pair for pair in arrows if all(each.startswith("casino.") for each in pair))
    found = {(".".join(a.split(".")[:2]), ".".join(b.split(".")[:2])) for a, b in ours}
    return {(a, b) for a, b in found if a != b}


def heights(arrows: set[tuple[str, str]]) -> dict[str, int]:
    """
    The storey of each name: the longest way down from it.

    :raises RecursionError: if there is a circle.
    """
    below = defaultdict(set)
    for above, under in arrows:
        below[above].add(under)

    @cache
    def height(name: str) -> int:
        return 1 + max(map(height, below[name]), default=0)

    return {name: height(name) for pair in arrows for name in pair}


def draw_districts(arrows: set[tuple[str, str]]) -> str:
    """A Mermaid chart of arrows between districts, without those to which a longer way leads."""
    below = defaultdict(set)
    for above, under in arrows:
        below[above].add(under)

    @cache
    def reached(name: str) -> frozenset[str]:
        return frozenset(below[name]).union(*map(reached, below[name]))

    lines = ["```mermaid", "flowchart TD"]
    for name, storey in sorted(heights(arrows).items(), key=lambda each: (-each[1], each[0])):
        word = name.removeprefix("casino.")
        direct = sorted(below[name].difference(*map(reached, below[name])))
        ends = " & ".join(each.removeprefix("casino.") for each in direct)
        lines.append(f'    {word}["{storey} {word}"]' + (f" --> {ends}" if ends else ""))
    return "\n".join([*lines, "```", ""])


def with_drawing(page: str) -> str:
    """The text of a page, with the drawing of today's districts between its two marks."""
    before, _, rest = page.partition(DRAWN)
    arrows = between_districts(imports(modules("casino")))
    return before + DRAWN + draw_districts(arrows) + END + rest.partition(END)[2]


def lines_of_code(text: str) -> int:
    """Lines without blanks, comments and docstrings."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT,
                              tokenize.DEDENT, tokenize.ENDMARKER}:  # fmt: skip
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def participles(known: Mapping[str, Path]) -> tuple[int, int]:
    """Functions whose name begins or ends with a word in -ed, or with `kept`, `told` …; and all."""
    words = re.compile(
        r"^(kept|told|made|found|held|left|put|set|taken|given|shown|drawn|written|known|seen|said"
        r"|borne|stood|begun|done|paid|sent|lost|won|thrown|read)$"
    )
    count = among = 0
    for path in known.values():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                among += 1
                first = node.name.strip("_").partition("_")[0]
                ends = first.endswith("ed") and first not in VERBS
                count += bool(ends or (words.match(first) and first not in {"read", "put", "set"}))
    return count, among


def crumbs(known: Mapping[str, Path], arrows: set[tuple[str, str]]) -> list[str]:
    """Small modules with one importer, which stands in the same room."""
    by = defaultdict(set)
    for above, under in arrows:
        by[under].add(above)
    return sorted(
        name
        for name, path in known.items()
        if name.startswith("casino.")
        and path.name != "__init__.py"
        and len(by[name]) == 1
        and {room(each) for each in by[name]} == {room(name)}
        and len(path.read_text().splitlines()) < SMALL
    )


def words_in(folder: str) -> int:
    return sum(len(path.read_text().split()) for path in (ROOT / folder).rglob("*.md"))


def main() -> None:
    known = modules(*PROGRAM)
    arrows = set(imports(known))
    ours = {pair for pair in arrows if all(each.startswith("casino.") for each in pair)}
    rooms = rooms_of(known)
    districts = {".".join(name.split(".")[:2]) for name in rooms}
    whole = {name for name in rooms if not any(each.startswith(f"{name}.") for each in rooms)}
    between = {(a, b) for a, b in ((room(a), room(b)) for a, b in ours) if a != b}
    functions, among = participles(known)
    tests = modules("tests")
    figures = {
        "names in casino/": len(districts),
        "rooms": len(whole),
        "storeys of districts": max(heights(between_districts(arrows)).values()),
        "storeys of rooms": max(heights(between).values()),
        "modules in casino, games, ledger": len(known),
        "small modules with one importer in their room": len(crumbs(known, arrows)),
        "lines of code of casino": sum(
            lines_of_code(path.read_text()) for name, path in known.items() if name[:6] == "casino"
        ),
        "lines of tests": sum(len(path.read_text().splitlines()) for path in tests.values()),
        "functions named by a participle, %": round(100 * functions / among, 1),
        "words in docs/": words_in("docs"),
        "decision records": len(list((ROOT / "docs/decisions").glob("[0-9]*.md"))),
    }
    for name, value in figures.items():
        print(f"{name:48} {value:>10}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(with_drawing(PAGE.read_text()))
    else:
        main()
