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
from typing import TYPE_CHECKING, Any, Final

from casino.floor.tables.offline.compiling import expressions
from casino.floor.tables.offline.compiling.modules import (
    Def,
    Modules,
    NotCompiled,
    Runtime,
    Scope,
    bound_names,
    js_name,
    parameters,
    positional,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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


# Compiles functions and their statements to JavaScript.


def function(node: ast.FunctionDef, scope: Scope, name: str, *, method: bool = False) -> str:
    """A function declaration; a method takes its object from `this`."""
    inner = scope.of_function(node)
    taken, before = _parameters(node.args, inner, method=method)
    star = "*" if _generates(node) else ""
    body = "\n".join([*before, *_locals(node), *statements(node.body, inner)])
    return f"function{star} {name}({taken}) {{\n{body}\n}}\n"


def _parameters(args: ast.arguments, scope: Scope, *, method: bool) -> tuple[str, list[str]]:
    named = [*args.posonlyargs, *args.args]
    before = []
    if method:
        before.append(f"const {js_name(named[0].arg)} = this;")
        named = named[1:]
    defaults: list[ast.expr | None] = [None] * (len(named) - len(args.defaults))
    taken = [
        _parameter(each, default, scope)
        for each, default in zip(named, [*defaults, *args.defaults], strict=True)
    ]
    if args.vararg or args.kwarg:
        # Called by `$.k` and through a wrapper: keyword arguments arrive in `$kw`.
        rest = f"...{js_name(args.vararg.arg)}" if args.vararg else "...$rest"
        for each, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            value = expressions.js(given, scope) if given else "undefined"
            before.append(f'let {js_name(each.arg)} = $.kw($kw, "{each.arg}", {value});')
        if args.kwarg:
            before.append(f"let {js_name(args.kwarg.arg)} = $.kwrest($kw);")
        return ", ".join(["$kw", *taken, rest]), before
    taken += [
        _parameter(each, given, scope)
        for each, given in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]
    return ", ".join(taken), before


def _parameter(arg: ast.arg, default: ast.expr | None, scope: Scope) -> str:
    name = js_name(arg.arg)
    return name if default is None else f"{name} = {expressions.js(default, scope)}"


def describe_parameters(node: ast.FunctionDef, name: str) -> str:
    """Code that tells `$.k` the parameters of a function."""
    if node.args.vararg or node.args.kwarg:
        return f"{name} = $.variadic({name}, {positional(node.args)!r});\n"
    return f"{name}.$p = {parameters(node.args)!r};\n" if parameters(node.args) else ""


def code_of_cache(node: ast.FunctionDef, scope: Scope, name: str) -> str:
    """Code for the only supported decorator, `functools.cache`."""
    for each in node.decorator_list:
        if scope.symbol(each) != Runtime("functools.cache"):
            raise NotCompiled(scope.module, each, f"a function decorated by {ast.unparse(each)}")
        return f"{name} = $.functools_cache({name});\n"
    return ""


def _generates(node: ast.FunctionDef) -> bool:
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(each, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.GeneratorExp):
            waiting += ast.iter_child_nodes(each)
    return False


def _locals(node: ast.FunctionDef) -> list[str]:
    own = [js_name(each) for each in bound_names(node) if each not in _own_parameters(node)]
    return [f"let {', '.join(own)};"] if own else []


def _own_parameters(node: ast.FunctionDef) -> set[str]:
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return {each.arg for each in [*every, *filter(None, (args.vararg, args.kwarg))]}


# --- Statements -------------------------------------------------------------------------------


def statements(body: Iterable[ast.stmt], scope: Scope) -> list[str]:
    return [each for each in (statement(node, scope) for node in body) if each]


def block(body: Iterable[ast.stmt], scope: Scope) -> str:
    return "{\n" + "\n".join(statements(body, scope)) + "\n}"


def statement(node: ast.stmt, scope: Scope) -> str:  # noqa: C901, PLR0911, PLR0912 - a case each
    js = expressions.js
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return ""
        case ast.Expr(value=ast.Yield(value=value)):
            return f"yield {js(value, scope) if value else 'null'};"
        case ast.Expr(value=value):
            return f"{js(value, scope)};"
        case ast.Return(value=value):
            return f"return {js(value, scope) if value else 'null'};"
        case ast.If(test=test, body=body, orelse=orelse):
            other = f" else {block(orelse, scope)}" if orelse else ""
            return f"if ({expressions.condition(test, scope)}) {block(body, scope)}{other}"
        case ast.For(target=target, iter=over, body=body, orelse=[]):
            each = scope.fresh()
            put = assign(target, each, scope)
            inside = "\n".join([put, *statements(body, scope)])
            return f"for (const {each} of $.it({js(over, scope)})) {{\n{inside}\n}}"
        case ast.While(test=test, body=body, orelse=[]):
            return f"while ({expressions.condition(test, scope)}) {block(body, scope)}"
        case ast.Assign(targets=targets, value=value):
            return _assign(targets, js(value, scope), scope)
        case ast.AnnAssign(target=target, value=value):
            return assign(target, js(value, scope), scope) if value else ""
        case ast.AugAssign(target=target, op=op, value=value):
            read = ast.copy_location(ast.fix_missing_locations(_as_load(target)), node)
            changed = ast.copy_location(ast.BinOp(left=read, op=op, right=value), node)
            return assign(target, js(changed, scope), scope)
        case ast.Delete(targets=targets):
            return "".join(_delete(each, scope) for each in targets)
        case ast.Raise(exc=None):
            return "throw $caught;"
        case ast.Raise(exc=ast.expr() as exc):
            return f"throw $.raised({js(exc, scope)});"
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=[]):
            return _try(body, handlers, orelse, scope)
        case ast.Match():
            return match(node, scope, block)
        case ast.FunctionDef(name=name, decorator_list=[]):
            inner = function(node, scope, js_name(name)).rstrip()
            return f"{js_name(name)} = {inner};\n{describe_parameters(node, js_name(name))}"
        case ast.Break():
            return "break;"
        case ast.Continue():
            return "continue;"
        case _:
            raise NotCompiled(scope.module, node, f"{type(node).__name__} is not compiled")


def _as_load(target: ast.expr) -> ast.expr:
    match target:
        case ast.Name(id=name):
            return ast.Name(id=name, ctx=ast.Load())
        case ast.Attribute(value=value, attr=attr):
            return ast.Attribute(value=value, attr=attr, ctx=ast.Load())
        case ast.Subscript(value=value, slice=index):
            return ast.Subscript(value=value, slice=index, ctx=ast.Load())
    raise TypeError(target)


def _assign(targets: list[ast.expr], value: str, scope: Scope) -> str:
    if len(targets) == 1:
        return assign(targets[0], value, scope)
    once = scope.fresh()
    return "\n".join([f"const {once} = {value};", *(assign(t, once, scope) for t in targets)])


def assign(target: ast.expr, value: str, scope: Scope) -> str:
    match target:
        case ast.Name(id=name):
            return f"{js_name(name)} = {value};"
        case ast.Attribute(value=of, attr=attr):
            return f"{expressions.js(of, scope)}.{attr} = {value};"
        case ast.Subscript(value=of, slice=ast.Slice()):
            raise NotCompiled(scope.module, target, "a slice is assigned to")
        case ast.Subscript(value=of, slice=index):
            parts = (expressions.js(of, scope), expressions.js(index, scope), value)
            return f"$.put({', '.join(parts)});"
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return _unpack(items, value, scope)
    raise NotCompiled(scope.module, target, f"{type(target).__name__} is assigned to")


def _unpack(items: list[ast.expr], value: str, scope: Scope) -> str:
    plain = [each.id for each in items if isinstance(each, ast.Name)]
    if len(plain) == len(items):
        return f"[{', '.join(map(js_name, plain))}] = $.it({value});"
    once = scope.fresh()
    parts = [f"const {once} = $.list({value});"]
    starred = [n for n, each in enumerate(items) if isinstance(each, ast.Starred)]
    for n, each in enumerate(items):
        behind = f"{once}.length - {len(items) - n}"
        if isinstance(each, ast.Starred):
            parts.append(assign(each.value, f"{once}.slice({n}, {behind} + 1)", scope))
        else:
            place = behind if starred and n > starred[0] else str(n)
            parts.append(assign(each, f"{once}[{place}]", scope))
    return "\n".join(parts)


def _delete(target: ast.expr, scope: Scope) -> str:
    match target:
        case ast.Name() | ast.Tuple():  # an unused value: only a hint to readers of Python
            return ""
        case ast.Subscript(value=of, slice=index):
            return f"$.del({expressions.js(of, scope)}, {expressions.js(index, scope)});"
    raise NotCompiled(scope.module, target, "this is deleted")


def _try(
    body: list[ast.stmt], handlers: list[ast.ExceptHandler], orelse: list[ast.stmt], scope: Scope
) -> str:
    if orelse:
        raise NotCompiled(scope.module, body[0], "try with else")
    caught = "throw $caught;"
    for handler in reversed(handlers):
        bound = f"{js_name(handler.name)} = $caught;\n" if handler.name else ""
        inside = "{\n" + bound + "\n".join(statements(handler.body, scope)) + "\n}"
        kind = expressions.js(handler.type, scope) if handler.type else "$.Exception"
        caught = f"if ($.isinstance($caught, {kind})) {inside} else {{ {caught} }}"
    return (
        f"try {block(body, scope)} catch ($raw) {{\nconst $caught = $.caught($raw);\n{caught}\n}}"
    )


# Compiles `match`: each pattern becomes a condition that also binds what the pattern captures.


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
