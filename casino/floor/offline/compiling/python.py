"""
Compiles Python to JavaScript: one script with all that some definitions need.

Only a subset is supported, on purpose: functions, dataclasses, `match`, comprehensions, generators.
Anything else raises `NotCompiled` with the line; no construct is compiled to something of another
meaning. What a construct needs at run time is in `casino/floor/offline/scripts/python.js`, as
``$.name``.

- None is null, int is a number (below 2**53), str a string, list and tuple are both an array. dict,
  set and Fraction are classes of the runtime, compared and hashed by value as in Python.
- A class is a function that makes its objects, so that it is called as in Python.
- Keyword arguments become positional where the callee is known; otherwise ``$.k`` looks up its
  parameters at run time.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from casino.floor.offline.compiling import expressions
from casino.floor.offline.compiling.classes import class_
from casino.floor.offline.compiling.modules import Def, Modules, NotCompiled
from casino.floor.offline.compiling.scopes import Scope
from casino.floor.offline.compiling.statements import code_of_cache, describe_parameters, function

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from casino.floor.offline.compiling.modules import Symbol


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
