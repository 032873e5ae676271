"""Names in functions: which are local to the function, and what all others refer to."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Final

from casino.floor.tables.offline.compiling.modules import (
    Alias,
    Def,
    Modules,
    NotCompiled,
    Runtime,
    names_of_runtime,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.floor.tables.offline.compiling.modules import Symbol

RESERVED: Final = frozenset(
    """await break case catch class const continue debugger default delete do else enum eval export
    extends false finally for function if implements import in instanceof interface let new null
    package private protected public return static super switch this throw true try typeof var void
    while with yield arguments window document undefined""".split()  # noqa: SIM905
)  # fmt: skip


def js_name(name: str) -> str:
    """A Python name as a JavaScript name: a local name never equals that of a definition."""
    return f"{name}$" if name in RESERVED else name


def parameters(args: ast.arguments) -> list[str]:
    """Names of parameters, in the order in which the compiled function takes them."""
    return [*positional(args), *(each.arg for each in args.kwonlyargs)]


def positional(args: ast.arguments) -> list[str]:
    return [each.arg for each in (*args.posonlyargs, *args.args)]


@dataclass
class Scope:
    """
    The scope in which code is compiled.

    :param own: the local names of this function and of those around it.
    :param here: the class whose methods are compiled.
    """

    modules: Modules
    module: str
    own: frozenset[str] = frozenset()
    numbers: Iterator[int] = field(default_factory=count)
    here: str = ""

    def of_function(self, node: ast.FunctionDef) -> Scope:
        args = node.args
        rest = [each.arg for each in (args.vararg, args.kwarg) if each]
        return self.having({*parameters(args), *rest, *bound_names(node)})

    def having(self, names: set[str]) -> Scope:
        return Scope(self.modules, self.module, self.own | names, self.numbers, self.here)

    def fresh(self) -> str:
        return f"$t{next(self.numbers)}"

    def symbol(self, node: ast.expr) -> Symbol | None:
        """What a name, or an attribute of a module, refers to; None for a local name."""
        match node:
            case ast.Name(id=name) if name in self.own:
                return None
            case ast.Name(id=name):
                return self.modules.find(self.module, name) or Runtime(name)
            case ast.Attribute(value=value, attr=attr):
                whole = self.symbol(value)
                if isinstance(whole, Alias):
                    return self.modules.resolved(self.module, node)
                if isinstance(whole, Runtime) and whole.name in ("datetime.datetime", "dict"):
                    return Runtime(f"{whole.name}.{attr}")
        return None

    def named(self, node: ast.expr, found: Symbol) -> str:
        match found:
            case Def():
                return found.js
            case Runtime(name=name):
                js = name.replace(".", "_")
                if js not in names_of_runtime():
                    raise NotCompiled(self.module, node, f"{name} is not on a device")
                return f"$.{js}"
            case _:
                raise NotCompiled(self.module, node, "a whole module is used as a value")


def bound_names(node: ast.FunctionDef) -> list[str]:
    """The names that a function binds, without those of inner functions and comprehensions."""
    found: dict[str, None] = {}
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop(0)
        match each:
            case ast.FunctionDef(name=name):
                found[name] = None
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                found[name] = None
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found[name] = None
            case ast.ExceptHandler(name=str(name)):
                found[name] = None
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                found.update(dict.fromkeys(_walrus(each)))
                continue
            case ast.Lambda():
                continue
        waiting += ast.iter_child_nodes(each)
    return list(found)


def _walrus(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.NamedExpr):
            yield each.target.id


def bound_by(target: ast.expr) -> set[str]:
    """The names that a comprehension's target binds."""
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
