"""Every refusal that cites a rule is said in Italian, with all its clauses."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils import translation

from casino.words.languages.catalogues import sentences
from casino.words.languages.catalogues.kept import FOR_PROGRAMS, ROOT, files
from casino.words.languages.messages import translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

RULE: Final = re.compile(r"\b(?:SH|CG|RV|TA|DB|[A-H]|P)\d+b?\b|\{rules?\b")
HOLE: Final = re.compile(r"\{(\w+)(?::words)?\}")
ENGLISH: Final = re.compile(
    r"\b(?:the|and|or|is|of|not|to|with|are|was|has|have|for|this|that|who|it|by|from|as|be|at|its"
    r"|nobody|everybody|already|only|before|after|does|were|their|which|what|more|first)\b"
)
A_NAME, A_RULE, A_FIGURE = "Zoe", "G1", "7"
FILLINGS_MOST: Final = 12


class Refusal(NamedTuple):
    """
    What is said where something is refused.

    :param clauses: what may fill its holes, as far as the module says so: other patterns.
    """

    where: str
    pattern: str
    clauses: dict[str, tuple[str, ...]]


@cache
def refusals() -> tuple[Refusal, ...]:
    return tuple(
        refusal
        for folder in ("games", "casino")
        for path in files(folder, ".py")
        if not FOR_PROGRAMS.match(where := path.relative_to(ROOT).as_posix())
        for refusal in refusals_of(ast.parse(path.read_text(encoding="utf-8")), where)
    )


def refusals_of(tree: ast.Module, where: str) -> Iterator[Refusal]:
    known = Known(tree)
    raised = {id(each) for each in sentences._exceptions_in(tree)}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for call in ast.walk(function):
                if id(call) in raised and isinstance(call, ast.Call):
                    for text in known.texts(call.args, function):
                        pattern = sentences._pattern(text)
                        if RULE.search(pattern) and sentences._has_words(pattern):
                            yield Refusal(where, pattern, known.clauses(text, function))


class Known:
    """What a module says: by its functions, those that it imports, and its tables of texts."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions = functions_of(tree)
        for each in tree.body:
            if isinstance(each, ast.ImportFrom) and (path := path_of(each.module or "")):
                theirs = functions_of(ast.parse(path.read_text(encoding="utf-8")))
                names = {alias.name: alias.asname or alias.name for alias in each.names}
                self.functions |= {
                    names[name]: theirs[name] for name in names.keys() & theirs.keys()
                }
        self.tables = {
            getattr(each.target, "id", ""): each.value.values
            for each in tree.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.value, ast.Dict)
        }

    def clauses(self, text: ast.AST, function: ast.FunctionDef) -> dict[str, tuple[str, ...]]:
        """What may fill the holes of a text."""
        parts = [each.value for each in getattr(text, "values", [])
                 if isinstance(each, ast.FormattedValue)]  # fmt: skip
        return {
            hole: tuple(dict.fromkeys(map(sentences._pattern, self.texts([part], function))))
            for hole, part in zip(HOLE.findall(sentences._pattern(text)), parts, strict=True)
        }

    def texts(self, values: Iterable[ast.AST], function: ast.FunctionDef) -> Iterator[ast.AST]:
        """The texts that expressions of a function may be: of each branch, name, call and table."""
        for value in values:
            match value:
                case ast.Constant(value=str()) | ast.JoinedStr():
                    yield value
                case ast.IfExp(body=one, orelse=other):
                    yield from self.texts([one, other], function)
                case ast.BoolOp(values=several):
                    yield from self.texts(several, function)
                case ast.Subscript(value=ast.Name(id=name)):
                    yield from self.texts(self.tables.get(name, ()), function)
                case ast.Name(id=name):
                    yield from texts_in(
                        each.value
                        for each in ast.walk(function)
                        if isinstance(each, ast.Assign)
                        and name in {getattr(to, "id", "") for to in each.targets}
                    )
                case ast.Call(func=ast.Name(id=name)) if name in self.functions:
                    yield from texts_in(returns(self.functions[name]))
                case _:
                    pass


def functions_of(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}


def path_of(module: str) -> Path | None:
    path = ROOT / (module.replace(".", "/") + ".py")
    return path if module.startswith(("games.", "casino.")) and path.exists() else None


def returns(function: ast.FunctionDef) -> list[ast.expr]:
    return [each.value for each in ast.walk(function)
            if isinstance(each, ast.Return) and each.value]  # fmt: skip


def texts_in(values: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The texts that expressions are, by themselves or in one of their branches."""
    for value in values:
        match value:
            case ast.Constant(value=str()) | ast.JoinedStr():
                yield value
            case ast.IfExp(body=one, orelse=other):
                yield from texts_in([one, other])
            case ast.BoolOp(values=several):
                yield from texts_in(several)
            case _:
                pass


def said(pattern: str, clauses: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """A refusal with something in its holes: each of its clauses, a name, a figure."""
    holes = list(dict.fromkeys(HOLE.findall(pattern)))
    several = [clauses.get(hole) or (usual(hole),) for hole in holes]
    for chosen in islice(product(*several), FILLINGS_MOST):
        by = {hole: filled(text, {}) for hole, text in zip(holes, chosen, strict=True)}
        yield filled(pattern, by)


def filled(pattern: str, by: Mapping[str, str]) -> str:
    pieces = HOLE.split(pattern)  # text, name of a hole, text, ...
    pieces[1::2] = [by.get(hole, usual(hole)) for hole in pieces[1::2]]
    return "".join(pieces)


def usual(hole: str) -> str:
    if hole.startswith("rule"):
        return A_RULE
    return A_NAME if hole.rstrip("0123456789") in sentences.NAMES - {"amount"} else A_FIGURE


def test_every_clause_of_a_refusal_is_said_in_italian() -> None:
    english = []
    with translation.override("it"):
        for refusal in refusals():
            for sentence in said(refusal.pattern, refusal.clauses):
                italian = translate(sentence)
                if italian == sentence or ENGLISH.search(italian):
                    english.append((refusal.where, sentence, italian))
    assert english == []
    assert len(refusals()) > 300
    assert sum(any(each.clauses.values()) for each in refusals()) > 5
