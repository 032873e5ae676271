"""
Compiles Python to JavaScript: one script with all that some definitions need.

Only a subset is supported, on purpose: functions, dataclasses, `match`, comprehensions, generators.
Anything else raises `NotCompiled` with the line; no construct is compiled to something of another
meaning. What a construct needs at run time is in `casino/floor/tables/offline/scripts/python.js`,
as ``$.name``.

- None is null, int is a number (below 2**53), str a string, list and tuple are both an array. dict,
  set and Fraction are classes of the runtime, compared and hashed by value as in Python.
- A class is a function that makes its objects, so that it is called as in Python.
- Keyword arguments become positional where the callee is known; otherwise ``$.k`` looks up its
  parameters at run time.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from casino.floor.tables.offline.compiling import expressions
from casino.floor.tables.offline.compiling.modules import Def, Modules, NotCompiled, Runtime
from casino.floor.tables.offline.compiling.scopes import Scope, parameters, positional
from casino.floor.tables.offline.compiling.statements import (
    code_of_cache,
    describe_parameters,
    function,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from casino.floor.tables.offline.compiling.modules import Symbol


def compile_script(
    roots: Mapping[str, Def], *, instead: Mapping[Def, Symbol] | None = None, given: str = "window"
) -> str:
    """
    A script that defines ``{given}.<name>`` for each root, with all that the roots need.

    :param instead: replacements for definitions, wherever those are named.
    :raises NotCompiled: for Python outside the subset.
    """
    modules = Modules(instead)
    needed = modules.needed(roots.values())
    modules.methods = methods(modules, needed)
    parts = [definition(modules, each) for each in needed]
    exports = [f"{given}.{name} = {of.js};" for name, of in roots.items()]
    inside = "\n".join([*parts, *exports])
    return f'(($) => {{\n"use strict";\n{inside}\n}})(window.python);\n'


def methods(modules: Modules, those: Iterable[Def]) -> frozenset[str]:
    """The names of all methods: a method that is passed as a value must be bound to its object."""
    classes = (modules.statement(each) for each in those)
    return frozenset(
        part.name
        for each in classes
        if isinstance(each, ast.ClassDef)
        for part in each.body
        if isinstance(part, ast.FunctionDef)
        and not any("property" in ast.unparse(word) for word in part.decorator_list)
    )


def definition(modules: Modules, of: Def) -> str:
    statement = modules.statement(of)
    scope = Scope(modules, of.module)
    match statement:
        case ast.FunctionDef():
            return (
                function(statement, scope, of.js)
                + describe_parameters(statement, of.js)
                + code_of_cache(statement, scope, of.js)
            )
        case ast.ClassDef():
            return class_(statement, scope, of.js)
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return f"const {of.js} = {expressions.js(value, scope)};"
        case _:
            raise NotCompiled(of.module, statement, "a definition without a value")


# Compiles classes to JavaScript: their fields, with readers of their JSON, and their members.


TYPES_ONLY: Final = frozenset({"Protocol", "TypedDict", "Generic", "ABC"})


def class_(node: ast.ClassDef, scope: Scope, name: str) -> str:
    scope = replace(scope, here=name)
    bases = [each for each in map(_plain_base, node.bases) if not _is_type_only(each, scope)]
    members = [each for each in (_member(part, scope) for part in node.body) if each]
    fields = [_field(part, scope) for part in node.body if isinstance(part, ast.AnnAssign)]
    kind = _kind(node, bases, scope)
    parents = ", ".join(expressions.js(each, scope) for each in bases if not _is_tuple(each, scope))
    listed = ", ".join(each for each in fields if each) if kind != "plain" else ""
    inside = ",\n".join(members)
    return (
        f'const {name} = $.cls("{node.name}", [{parents}], "{kind}", [{listed}], {{\n{inside}\n}});'
    )


def _plain_base(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


def _is_type_only(base: ast.expr, scope: Scope) -> bool:
    found = scope.symbol(base)
    return isinstance(found, Runtime) and found.name.rpartition(".")[2] in TYPES_ONLY


def _is_tuple(base: ast.expr, scope: Scope) -> bool:
    return scope.symbol(base) == Runtime("typing.NamedTuple")


def _kind(node: ast.ClassDef, bases: list[ast.expr], scope: Scope) -> str:
    """The kind of a class: `plain`, `data`, `same` (equal only to itself) or `tuple`."""
    if any(_is_tuple(each, scope) for each in bases):
        return "tuple"
    for each in node.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        if scope.symbol(called) == Runtime("dataclasses.dataclass"):
            off = isinstance(each, ast.Call) and any(
                word.arg == "eq" and not ast.literal_eval(word.value) for word in each.keywords
            )
            return "same" if off else "data"
        raise NotCompiled(scope.module, each, "a class decorator")
    return "plain"


def _field(node: ast.AnnAssign, scope: Scope) -> str:
    """A field as `[name, default, reader]`; default and reader (of its JSON form) are functions."""
    if not isinstance(node.target, ast.Name) or _is_class_variable(node):
        return ""
    default, hint = _default(node.value, scope), _reader(node.annotation, scope)
    arguments = [f'"{node.target.id}"', default or "null", hint or "null"]
    while arguments[-1] == "null":
        arguments.pop()
    return f"[{', '.join(arguments)}]"


def _is_class_variable(node: ast.AnnAssign) -> bool:
    return "ClassVar" in ast.unparse(node.annotation)


def _default(value: ast.expr | None, scope: Scope) -> str:
    if value is None:
        return ""
    if isinstance(value, ast.Call) and scope.symbol(value.func) == Runtime("dataclasses.field"):
        for word in value.keywords:
            if word.arg == "default_factory":
                return expressions.js(word.value, scope)
            if word.arg == "default":
                return f"() => {expressions.js(word.value, scope)}"
        return ""
    return f"() => {expressions.js(value, scope)}"


def _reader(hint: ast.expr, scope: Scope) -> str:
    """The function that reads a value of that annotation from JSON; nothing for plain values."""
    match hint:
        case ast.Constant(value=str(written)):
            return _reader(ast.parse(written, mode="eval").body, scope)
        case ast.Name() | ast.Attribute():
            return _reader_name(hint, scope)
        case ast.Subscript(
            value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[item, ast.Constant()])
        ):
            inner = _reader(item, scope)
            return f"$.many({inner})" if inner else ""
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            inner_each = [_reader(each, scope) for each in items]
            return (
                f"$.each({', '.join(i or 'null' for i in inner_each)})" if any(inner_each) else ""
            )
        case ast.BinOp(left=left, right=right):
            return _reader(left, scope) or _reader(right, scope)
        case _:
            return ""


def _reader_name(hint: ast.expr, scope: Scope) -> str:
    found = scope.symbol(hint)
    if found == Runtime("fractions.Fraction"):
        return "$.readFraction"
    if not isinstance(found, Def):
        return ""
    statement = scope.modules.statement(found)
    if isinstance(statement, ast.ClassDef):
        data = any("dataclass" in ast.unparse(each) for each in statement.decorator_list)
        return f"$.record(() => {found.js})" if data else ""
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        return _reader(statement.value, Scope(scope.modules, found.module))
    return ""


def _member(node: ast.stmt, scope: Scope) -> str:  # noqa: PLR0911 - a case each
    match node:
        case ast.FunctionDef(name=name, decorator_list=decorators):
            kinds = {ast.unparse(each) for each in decorators}
            if kinds - {"property", "cached_property", "abstractmethod"}:
                raise NotCompiled(scope.module, node, f"a method decorated by {kinds}")
            body = function(node, scope, "", method=True).rstrip()
            if kinds & {"property", "cached_property"}:
                return f"{name}: $.getter({body}, {str('cached_property' in kinds).lower()})"
            if node.args.vararg or node.args.kwarg:
                return f"{name}: $.variadic({body}, {positional(node.args)[1:]!r})"
            named = parameters(node.args)[1:]
            return f"{name}: $.method({body}, {named!r})" if named else f"{name}: {body}"
        case ast.Assign(targets=[ast.Name(id="__slots__")]):
            return ""
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return f"{name}: {expressions.js(value, scope)}"
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if (
            _is_class_variable(node)
        ):
            return f"{name}: {expressions.js(value, scope)}"
        case ast.AnnAssign() | ast.Expr() | ast.Pass():
            return ""
        case _:
            raise NotCompiled(scope.module, node, f"{type(node).__name__} in a class")
