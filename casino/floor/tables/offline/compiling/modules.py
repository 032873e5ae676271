"""
Python modules as sets of definitions, and what names in them and in their functions refer to.

A name refers to a definition of a compiled module, to something of the runtime (`python.js`), or to
a builtin. Definitions that nothing needs are left out, one by one; annotations do not count as
needs.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

RUNTIME: Final = frozenset(
    {
        "collections", "collections.abc", "dataclasses", "datetime", "django.utils.translation",
        "fractions", "functools", "hashlib", "itertools", "math", "re", "types", "typing",
        "unicodedata", "abc", "casino.words.languages.spelling",
    }
)  # fmt: skip
"""Modules that are not compiled: `python.js` has those parts of them that are used."""

SCRIPT: Final = Path(__file__).parent.parent / "scripts" / "python.js"
WRITTEN: Final = re.compile(r"^  \$\.([A-Za-z]\w*) = ", re.MULTILINE)
EACH_OF: Final = re.compile(
    r"^  for \(const name of \[(.*?)\]\)(.*?)(?=^  [^ }])", re.MULTILINE | re.DOTALL
)
NAMED: Final = re.compile(r"\$\[(?:name|`(\w*)\$\{name\}(\w*)`)\] = ")

Statement = ast.stmt


class NotCompiled(Exception):  # noqa: N818 - it says what the source is not
    """Python outside the subset that can be compiled, with its place."""

    def __init__(self, module: str, node: ast.AST, why: str) -> None:
        super().__init__(f"{module}:{getattr(node, 'lineno', '?')}: {why}")


@dataclass(frozen=True, slots=True)
class Def:
    """A definition in a compiled module; it has a unique name in the compiled program."""

    module: str
    name: str

    @property
    def js(self) -> str:
        return f"{self.name}${hashlib.sha1(self.module.encode()).hexdigest()[:4]}"  # noqa: S324 - a name


@dataclass(frozen=True, slots=True)
class Runtime:
    """Something of the runtime; `module` is empty for a builtin."""

    name: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that refers to a whole module."""

    module: str


Symbol = Def | Runtime | Alias


@dataclass
class Module:
    name: str
    tree: ast.Module
    symbols: dict[str, Symbol] = field(default_factory=dict)
    statements: dict[str, Statement] = field(default_factory=dict)
    """Statements by the name that they define, in the order of the source."""


class Modules:
    """
    All modules that a program may need, read from their sources.

    :param instead: replacements for some definitions.
    """

    def __init__(self, instead: Mapping[Def, Symbol] | None = None) -> None:
        self._known: dict[str, Module] = {}
        self._instead = dict(instead or {})
        self.methods: frozenset[str] = frozenset()

    def module(self, name: str) -> Module:
        if name not in self._known:
            self._known[name] = _read(name)
        return self._known[name]

    def find(self, module: str, name: str) -> Symbol | None:
        """What a name refers to in a module; None if the module does not define it."""
        found = self.module(module).symbols.get(name)
        while isinstance(found, Def):
            if found in self._instead:
                found = self._instead[found]
                continue
            there = self.module(found.module)
            if found.name in there.statements:
                return found
            further = there.symbols.get(found.name)
            # A package that imports its own modules refers to each by the module's own name.
            if further in {None, found} and _exists(f"{found.module}.{found.name}"):
                return Alias(f"{found.module}.{found.name}")
            found = further
        return found

    def statement(self, of: Def) -> Statement:
        return self.module(of.module).statements[of.name]

    def needed(self, roots: Iterable[Def]) -> list[Def]:
        """
        All definitions that these need, directly or not: functions first, the rest in order of
        evaluation.
        """
        reached = self._definitions_from(roots)
        functions = {each: None for each in reached if self._is_function(each)}
        return [*functions, *self._in_order(each for each in reached if each not in functions)]

    def _definitions_from(self, roots: Iterable[Def]) -> dict[Def, None]:
        reached: dict[Def, None] = {}
        waiting = list(roots)
        while waiting:
            of = waiting.pop()
            if of not in reached:
                reached[of] = None
                waiting += [each for _, each in self.uses(of)]
        return reached

    def _in_order(self, those: Iterable[Def]) -> list[Def]:
        done: dict[Def, None] = {}
        under_way: set[Def] = set()

        def visit(of: Def) -> None:
            if of in done or of in under_way:
                return
            under_way.add(of)
            for each in self._before(of):
                visit(each)
            done[of] = None

        for each in those:
            visit(each)
        return list(done)

    def _before(self, of: Def) -> Iterator[Def]:
        """
        Definitions that must be evaluated before this one, including needs of functions that it may
        call.
        """
        is_class = isinstance(self.statement(of), ast.ClassDef)
        seen: set[Def] = set()
        waiting = [each for at_once, each in self.uses(of) if at_once or not is_class]
        while waiting:
            each = waiting.pop(0)
            if each in seen or each == of:
                continue
            seen.add(each)
            if self._is_function(each):
                waiting += [further for _, further in self.uses(each)]
            else:
                yield each

    def _is_function(self, of: Def) -> bool:
        return isinstance(self.statement(of), ast.FunctionDef)

    def uses(self, of: Def) -> Iterator[tuple[bool, Def]]:
        """
        The definitions that a definition uses, each with whether at evaluation (True) or only when
        called.
        """
        statement = self.statement(of)
        for at_once, node in names(statement):
            symbol = self.resolved(of.module, node)
            if isinstance(symbol, Def) and symbol != of:
                yield at_once, symbol
        if isinstance(statement, ast.ClassDef):
            for part in statement.body:
                if isinstance(part, ast.AnnAssign):
                    for each in self._classes_of_field(of.module, part.annotation):
                        yield False, each

    def _classes_of_field(self, module: str, annotation: ast.expr) -> Iterator[Def]:
        """The dataclasses that the values of a field may be read as from JSON."""
        for node in ast.walk(annotation):
            found = self.resolved(module, node) if isinstance(node, ast.Name) else None
            if not isinstance(found, Def):
                continue
            statement = self.statement(found)
            if isinstance(statement, ast.ClassDef):
                if any("dataclass" in ast.unparse(each) for each in statement.decorator_list):
                    yield found
            elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
                yield from self._classes_of_field(found.module, statement.value)

    def resolved(self, module: str, node: ast.expr) -> Symbol | None:
        """What a name, or an attribute of a module, refers to."""
        match node:
            case ast.Name(id=name):
                return self.find(module, name)
            case ast.Attribute(value=value, attr=attr):
                whole = self.resolved(module, value)
                if isinstance(whole, Alias):
                    if whole.module in RUNTIME:
                        return Runtime(f"{whole.module}.{attr}")
                    return self.find(whole.module, attr)
        return None


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@cache
def names_of_runtime() -> frozenset[str]:
    """Everything that the runtime has by a name of its own, as it is written there."""
    script = SCRIPT.read_text("utf-8")
    return frozenset(WRITTEN.findall(script)) | {
        f"{before}{name}{after}"
        for listed, body in EACH_OF.findall(script)
        for before, after in NAMED.findall(body)
        for name in re.findall(r"\w+", listed)
    }


def source_of(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    return Path(spec.origin)


def _read(name: str) -> Module:
    found = Module(name, ast.parse(source_of(name).read_text("utf-8")))
    for each in found.tree.body:
        _define(found, each)
    return found


def _define(module: Module, statement: Statement) -> None:
    match statement:
        case ast.ImportFrom(module=str(origin), names=aliases):
            for alias in aliases:
                module.symbols[alias.asname or alias.name] = _import_symbol(origin, alias.name)
        case ast.Import(names=aliases):
            for alias in aliases:
                module.symbols[alias.asname or alias.name] = Alias(alias.name)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            module.symbols[name] = Def(module.name, name)
            module.statements[name] = statement
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            module.symbols[name] = Def(module.name, name)
            module.statements[name] = statement
        case ast.Expr() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            pass
        case _:
            raise NotCompiled(module.name, statement, f"{type(statement).__name__} at the top")


def _import_symbol(origin: str, name: str) -> Symbol:
    if origin in RUNTIME:
        return Runtime(f"{origin}.{name}")
    return Def(origin, name)


def names(  # noqa: C901, PLR0912 - a case each
    node: ast.AST, *, at_once: bool = True
) -> Iterator[tuple[bool, ast.expr]]:
    """The names and attributes in a node, each with whether it is evaluated at once."""
    match node:
        case ast.FunctionDef():
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                yield from names(default, at_once=at_once)
            for decorator in node.decorator_list:
                yield from names(decorator, at_once=at_once)
            for each in node.body:
                yield from names(each, at_once=False)
        case ast.Lambda():
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                yield from names(default, at_once=at_once)
            yield from names(node.body, at_once=False)
        case ast.ClassDef():
            bases = [each.value if isinstance(each, ast.Subscript) else each for each in node.bases]
            parts: list[ast.AST] = [*bases, *node.decorator_list, *node.body]
            for part in parts:
                yield from names(part, at_once=at_once)
        case ast.AnnAssign():
            if node.value is not None:
                yield from names(node.value, at_once=at_once)
        case ast.Name() | ast.Attribute():
            yield at_once, node
            for child in ast.iter_child_nodes(node):
                yield from names(child, at_once=at_once)
        case ast.arg():
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from names(child, at_once=at_once)


# Names in functions: which are local to the function, and what all others refer to.


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
