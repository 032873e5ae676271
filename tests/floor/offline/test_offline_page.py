"""docs/reference/python-on-devices.md says what a device runs, and the compiler does as it says."""

from __future__ import annotations

import ast
import importlib
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import sync_playwright

from casino.engine.processes import paths
from casino.floor.tables.offline.compiling import modules, python
from casino.floor.tables.offline.compiling.expressions import BUILTIN_METHODS
from casino.floor.tables.offline.compiling.modules import RUNTIME, Def, NotCompiled
from tests import chromium
from tests.floor.offline.test_offline_python import CALLED, bare

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.once
PAGE: Final = paths.PACKAGE.parent / "docs" / "reference" / "python-on-devices.md"
RUNNING: Final = "casino/floor/tables/offline/scripts/python.js"
TEXT: Final = PAGE.read_text("utf-8")
WRITTEN: Final = "\n\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))
SHOWN: Final = [part.name for part in ast.parse(WRITTEN).body
                if isinstance(part, ast.FunctionDef) and not part.args.args]  # fmt: skip
BEFORE: Final = """
from __future__ import annotations
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial, total_ordering
"""
# fmt: off
REFUSED: Final = [
    ('with open("x"): pass', "", "With is not compiled"),
    ("async def later(): await each", "", "AsyncFunctionDef is not compiled"),
    ("global seen", "", "Global is not compiled"),
    ("nonlocal seen", "", "Nonlocal is not compiled"),
    ("assert each", "", "Assert is not compiled"),
    ("import math", " in a function", "Import is not compiled"),
    ("from math import gcd", " in a function", "ImportFrom is not compiled"),
    ("class Inner: pass", " in a function", "ClassDef is not compiled"),
    ("for each in numbers: pass", " with `else`", "For is not compiled"),
    ("try: pass", " with `finally`", "Try is not compiled"),
    ("try: pass", " with `except` and `else`", "try with else"),
    ("try: pass", " with `except*`", "TryStar is not compiled"),
    ("each @ each", "", "MatMult is not compiled"),
    ("each ^ each", "", "BitXor is not compiled"),
    ("each >> 1", "", "RShift is not compiled"),
    ("~each", "", "UnaryOp is not compiled"),
    ("+each", "", "UnaryOp is not compiled"),
    ("return 1.5", "", "the constant 1.5"),
    ('f"{each:>5}"', "", "a format in an f-string"),
    ("0 < (seen := each) < 9", "", "in the middle of a comparison"),
    ("numbers[0:1] = []", "", "a slice is assigned to"),
    ("del each.face", "", "this is deleted"),
    ("[each for numbers[0] in numbers]", "", "this is bound by a comprehension"),
    ('match each: case {"face": 1}: pass', "", "MatchMapping is not compiled"),
    ("match each: case Fraction(1): pass", "", "places of a class that is not compiled"),
    ("faces(more=1)", "", "no parameter more"),
    ("numbers.title()", "", "no title on a device"),
    ("math", "", "a whole module is used as a value"),
    ("math.isqrt(each)", "", "math.isqrt is not on a device"),
    ('open("x")', "", "open is not on a device"),
    ("decorated()", " of `@partial`", "a function decorated by partial"),
    ("Ordered()", " of `@total_ordering`", "a class decorator"),
    ("Static()", " with `@staticmethod`", "a method decorated by {'staticmethod'}"),
    ("Branches()", " with `if`", "If in a class"),
    ("later", " of `later: int`", "a definition without a value"),
    ("if", " before or between definitions", "If at the top"),
]
# fmt: on
"""What is written, where or with what, and the words."""
WITH: Final = {
    " in a function": "def it():\n    {}",
    " with `else`": "def it():\n    {}\n    else: pass",
    " with `finally`": "def it():\n    {}\n    finally: pass",
    " with `except` and `else`": "def it():\n    {}\n    except KeyError: pass\n    else: pass",
    " with `except*`": "def it():\n    {}\n    except* KeyError: pass",
    " of `@partial`": "@partial\ndef decorated(): pass\n\ndef it(): return {}",
    " of `@total_ordering`": "@total_ordering\nclass Ordered: pass\n\ndef it(): return {}",
    " with `@staticmethod`":
        "class Static:\n    @staticmethod\n    def one(): pass\n\ndef it(): return {}",
    " with `if`": "class Branches:\n    if math: pass\n\ndef it(): return {}",
    " of `later: int`": "later: int\n\ndef it(): return {}",
    " before or between definitions": "{} math:\n    pass\n\ndef it(): pass",
}  # fmt: skip
USUAL: Final = "def it(each: int, numbers: list[int]):\n    {}"
KINDS: Final = (ast.stmt, ast.expr, ast.pattern, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
NEVER: Final = {"Slice", "AugLoad", "AugStore", "Param", "Suite", "Index", "ExtSlice", "slice",
                "Num", "Str", "Bytes", "NameConstant", "Ellipsis", "AsyncFor", "AsyncWith",
                "Load", "Store", "Del"}  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("written")
    folder.joinpath("written_on_the_page.py").write_text(BEFORE + WRITTEN, "utf-8")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.syspath_prepend(folder)
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        empty = browser.new_page()
        empty.add_script_tag(path=RUNNING)
        empty.evaluate("window.samples = {}")
        roots = {name: Def("written_on_the_page", name) for name in SHOWN}
        empty.add_script_tag(content=python.compile_script(roots, given="window.samples"))
        yield empty
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", SHOWN)
def test_what_it_shows_gives_on_a_device_what_it_gives_here(page: Any, name: str) -> None:
    here = getattr(importlib.import_module("written_on_the_page"), name)

    assert page.evaluate(CALLED, name) == bare(here())


@pytest.mark.parametrize(("written", "where", "words"), REFUSED)
def test_what_it_says_is_refused_is_refused_with_these_words(
    written: str, where: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"refused_{tmp_path.name}"
    tmp_path.joinpath(f"{name}.py").write_text(source(written, where), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(NotCompiled) as refused:
        python.compile_script({"it": Def(name, "it")})

    assert re.fullmatch(rf"{name}:\d+: {re.escape(words)}", str(refused.value))


def source(written: str, where: str) -> str:
    of_page = "" if where.startswith(" before") else WRITTEN
    match = re.fullmatch(r"(match .*?:) (case .*?)", written)
    lines = f"{match[1]}\n        {match[2]}" if match else written
    return BEFORE + of_page + "\n\n" + WITH.get(where, USUAL).format(lines)


def test_every_construct_of_python_is_compiled_or_refused_there() -> None:
    refused = [source(written, where) for written, where, _ in REFUSED]
    trees = [ast.parse(each) for each in (BEFORE + WRITTEN, *refused)]
    kinds = {type(node).__name__ for tree in trees for node in ast.walk(tree)}
    every = {kind.__name__ for of in KINDS for kind in of.__subclasses__()}

    assert every - kinds - NEVER == set()


def test_every_reason_for_which_the_compiler_refuses_is_among_them() -> None:
    reasons = set()
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "NotCompiled":
                reasons.add(tuple(constants(node.args[-1])))

    said = [words for _, _, words in REFUSED]
    assert len(reasons) > 15
    for each in reasons:
        assert any(all(part in words for part in each) for words in said), each


def python_files() -> list[Path]:
    folder = paths.PACKAGE / "floor" / "tables" / "offline" / "compiling"
    return [path for path in folder.glob("*.py") if not path.name.startswith("template")]


def constants(node: ast.expr) -> Iterator[str]:
    """The words of a reason that are the same whatever is refused."""
    for each in ast.walk(node):
        words = each.value if isinstance(each, ast.Constant) else None
        if isinstance(words, str) and words.strip(", "):
            yield words.strip()


def test_it_names_all_that_a_device_has_of_python_s_library() -> None:
    library = TEXT.partition("| of | names |")[2].partition("Methods of")[0]
    rows = re.findall(r"^\| ([\w. ]+?)(?:,[^|]*)? \| (`.+)\|$", library, re.MULTILINE)
    named = {
        f"{'' if of in {'Python itself', 'exceptions'} else of + '.'}{name}"
        for of, names in rows
        for name in re.findall(r"[\w.]+", re.sub(r", and all.*", "", names))
    }
    compiled_itself = {
        "dataclasses.dataclass", "dataclasses.field", "functools.cached_property", "super",
        "typing.Literal", "typing.cast",
    }  # fmt: skip
    written = {name.replace(".", "_") for name in named - compiled_itself}

    assert written <= modules.names_of_runtime()
    assert {f"{of}." for of, _ in rows if of.islower() and of != "exceptions"} <= {
        f"{module}." for module in RUNTIME
    }
    modules_of_python = tuple(of.replace(".", "_") + "_" for of in RUNTIME)
    python_names = set(dir(__import__("builtins")))
    has = {  # `slice` and `pow` stand for a construct each
        name
        for name in modules.names_of_runtime()
        if name in python_names or name.startswith(modules_of_python)
    }
    assert has - {"casino_words_languages_spelling_spelling", "slice", "pow"} - written == set()


def test_it_names_every_method_of_text_lists_dicts_and_sets() -> None:
    listed = re.search(r"Methods of text, lists, dicts and sets: `([^`]+)`", TEXT)
    assert listed is not None
    script = (paths.PACKAGE / "floor/tables/offline/scripts/python.js").read_text("utf-8")

    assert set(listed[1].split()) == BUILTIN_METHODS
    for name in BUILTIN_METHODS:  # in a table there, or of a class
        assert re.search(rf"^    {name}(: \(|\()|name === \"{name}\"", script, re.MULTILINE), name


def test_every_operator_that_is_compiled_is_one_of_the_runtime() -> None:
    from casino.floor.tables.offline.compiling.expressions import COMPARED, OPERATORS  # noqa: PLC0415

    assert {*OPERATORS.values(), *COMPARED.values()} <= modules.names_of_runtime()
