"""
The tree in figures: ``python -m bench.tree``. What a reader has to hold in their head.

Imports within functions and for types count. A storey is the longest way down, over districts and
over rooms; a room is a package in a district, or a district without packages of that kind.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT: Final = Path(__file__).resolve().parents[1]
PROGRAM: Final = ("casino", "games", "ledger")
NOT_OURS: Final = {"bundled", "static", "__pycache__"}
SMALL: Final = 100  # lines below which a module with one importer beside it is a crumb
NO_ROOMS: Final = {"management", "migrations", "templatetags", "listings"}
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


def storeys(arrows: set[tuple[str, str]]) -> int:
    """:raises RecursionError: if there is a circle."""
    below = defaultdict(set)
    for above, under in arrows:
        below[above].add(under)

    @cache
    def height(name: str) -> int:
        return 1 + max(map(height, below[name]), default=0)

    return max(map(height, list(below)), default=0)


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
    rooms = {room(name) for name in known if name.startswith("casino.")} - {"casino.__main__"}
    districts = {".".join(name.split(".")[:2]) for name in rooms}
    whole = {name for name in rooms if not any(each.startswith(f"{name}.") for each in rooms)}
    between = {(a, b) for a, b in ((room(a), room(b)) for a, b in ours) if a != b}
    of_districts = {
        (a, b)
        for a, b in ((".".join(x.split(".")[:2]), ".".join(y.split(".")[:2])) for x, y in between)
        if a != b
    }
    functions, among = participles(known)
    tests = modules("tests")
    figures = {
        "names in casino/": len(districts),
        "rooms": len(whole),
        "storeys of districts": storeys(of_districts),
        "storeys of rooms": storeys(between),
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
    main()
