"""Compiles `match`: each pattern becomes a condition that also binds what the pattern captures."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from casino.floor.offline.compiling import expressions
from casino.floor.offline.compiling.modules import Def, NotCompiled, Runtime
from casino.floor.offline.compiling.scopes import js_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from casino.floor.offline.compiling.scopes import Scope

ITSELF = frozenset({"str", "int", "bool", "list", "tuple", "dict", "frozenset", "set"})


def match(node: ast.Match, scope: Scope, block: Callable[[Any, Scope], str]) -> str:
    subject = scope.fresh()
    arms = []
    for case in node.cases:
        tests = [condition(case.pattern, subject, scope)]
        if case.guard:
            tests.append(expressions.condition(case.guard, scope))
        tested = " && ".join(each for each in tests if each != "true") or "true"
        arms.append(f"if ({tested}) {block(case.body, scope)}")
    return f"{{ const {subject} = {expressions.js(node.subject, scope)};\n{' else '.join(arms)} }}"


def condition(pattern: ast.pattern, of: str, scope: Scope) -> str:  # noqa: PLR0911 - a case each
    match pattern:
        case ast.MatchValue(value=value):
            return f"$.eq({of}, {expressions.js(value, scope)})"
        case ast.MatchSingleton(value=value):
            return f"({of} == null)" if value is None else f"({of} === {str(value).lower()})"
        case ast.MatchAs(pattern=None, name=None):
            return "true"
        case ast.MatchAs(pattern=None, name=str(name)):
            return _bound(name, of)
        case ast.MatchAs(pattern=ast.pattern() as inner, name=str(name)):
            return f"{condition(inner, of, scope)} && {_bound(name, of)}"
        case ast.MatchOr(patterns=patterns):
            return f"({' || '.join(f'({condition(each, of, scope)})' for each in patterns)})"
        case ast.MatchSequence(patterns=patterns):
            return _sequence(patterns, of, scope)
        case ast.MatchClass():
            return _class(pattern, of, scope)
        case _:
            raise NotCompiled(scope.module, pattern, f"{type(pattern).__name__} is not compiled")


def _bound(name: str, of: str) -> str:
    return f"($.bound({js_name(name)} = {of}))"


def _sequence(patterns: list[ast.pattern], of: str, scope: Scope) -> str:
    stars = [n for n, each in enumerate(patterns) if isinstance(each, ast.MatchStar)]
    if not stars:
        parts = [f"$.isseq({of}, {len(patterns)})"]
        parts += [condition(each, f"{of}[{n}]", scope) for n, each in enumerate(patterns)]
        return " && ".join(each for each in parts if each != "true")
    star, after = stars[0], len(patterns) - stars[0] - 1
    parts = [f"$.isseq({of}, {len(patterns) - 1}, true)"]
    for n, each in enumerate(patterns):
        if n < star:
            parts.append(condition(each, f"{of}[{n}]", scope))
        elif n > star:
            parts.append(condition(each, f"{of}[{of}.length - {len(patterns) - n}]", scope))
        elif isinstance(each, ast.MatchStar) and each.name:
            parts.append(_bound(each.name, f"{of}.slice({star}, {of}.length - {after})"))
    return " && ".join(each for each in parts if each != "true")


def _class(pattern: ast.MatchClass, of: str, scope: Scope) -> str:
    found = scope.symbol(pattern.cls)
    parts = [f"$.isinstance({of}, {expressions.js(pattern.cls, scope)})"]
    if pattern.patterns:
        if isinstance(found, Runtime) and found.name in ITSELF:
            parts.append(condition(pattern.patterns[0], of, scope))
        elif isinstance(found, Def):
            parts += [
                condition(each, f"$.at({of}, {n})", scope)
                for n, each in enumerate(pattern.patterns)
            ]
        else:
            raise NotCompiled(scope.module, pattern, "places of a class that is not compiled")
    parts += [
        condition(each, f"{of}.{name}", scope)
        for name, each in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
    ]
    return " && ".join(each for each in parts if each != "true")
