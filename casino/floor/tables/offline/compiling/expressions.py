"""Compiles Python's expressions to JavaScript, one case for each kind."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, Final

from casino.floor.tables.offline.compiling.modules import (
    Def,
    NotCompiled,
    Runtime,
    bound_by,
    js_name,
    parameters,
)

if TYPE_CHECKING:
    from casino.floor.tables.offline.compiling.modules import Scope

OPERATORS: Final = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.BitOr: "or", ast.BitAnd: "and", ast.LShift: "shl",
}  # fmt: skip
COMPARED: Final = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
# Methods of strings, lists, dicts and sets, some of which the runtime's classes have too.
BUILTIN_METHODS: Final = frozenset(
    """append extend insert pop index count sort join split strip lstrip rstrip lower
    upper startswith endswith replace partition rpartition isdigit isdecimal isascii isalpha
    isupper islower casefold capitalize zfill rjust encode removeprefix
    removesuffix get items keys values update setdefault add discard remove union intersection
    difference isdisjoint issuperset issubset copy clear bit_length""".split()  # noqa: SIM905
)  # fmt: skip
ABSENT: Final = frozenset(
    name
    for kind in (str, list, dict, set, int)
    for name in dir(kind)
    if not name.startswith("_") and name not in BUILTIN_METHODS
)
"""Methods that such a value has in Python and not on a device."""
TRUTHS: Final = frozenset({"isinstance", "issubclass", "any", "all", "callable", "bool"})


def js(node: ast.expr, scope: Scope) -> str:  # noqa: C901, PLR0911, PLR0912 - a case each
    match node:
        case ast.Constant(value=value):
            return constant(value, node, scope)
        case ast.Name(id=name):
            found = scope.symbol(node)
            return js_name(name) if found is None else scope.named(node, found)
        case ast.Attribute(value=value, attr=attr):
            found = scope.symbol(node)
            if found:
                return scope.named(node, found)
            if attr in scope.modules.methods | BUILTIN_METHODS:  # passed as a value, not called
                return f'$.attr({js(value, scope)}, "{attr}")'
            return f"{_of(value, scope)}.{attr}"
        case ast.Subscript():
            return subscript(node, scope)
        case ast.Call():
            return call(node, scope)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return f"$.{OPERATORS[type(op)]}({js(left, scope)}, {js(right, scope)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"!{_tight(operand, scope)}"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"$.neg({js(operand, scope)})"
        case ast.BoolOp():
            return boolean(node, scope)
        case ast.Compare():
            return compare(node, scope)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return f"({condition(test, scope)} ? {js(body, scope)} : {js(orelse, scope)})"
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return f"[{arguments(items, scope)}]"
        case ast.Set(elts=items):
            return f"$.set_([{arguments(items, scope)}])"
        case ast.Dict():
            return dictionary(node, scope)
        case ast.JoinedStr(values=values):
            return join(values, scope)
        case ast.Lambda(args=args, body=body):
            return anonymous(args, body, scope)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            return f"({js_name(name)} = {js(value, scope)})"
        case ast.ListComp(elt=elt, generators=loops):
            return comprehension(loops, "$r.push({})", [elt], "[]", scope)
        case ast.SetComp(elt=elt, generators=loops):
            return comprehension(loops, "$r.add({})", [elt], "$.set_([])", scope)
        case ast.DictComp(key=key, value=value, generators=loops):
            return comprehension(loops, "$r.put({}, {})", [key, value], "$.dict_()", scope)
        case ast.GeneratorExp(elt=elt, generators=loops):
            return f"(function* () {{ {_loops(loops, 'yield {};', [elt], scope)} }})()"
        case ast.YieldFrom(value=value):
            return f"(yield* $.it({js(value, scope)}))"
        case ast.Yield(value=value):
            return f"(yield {js(value, scope) if value else 'null'})"
        case _:
            kind = node.op if isinstance(node, ast.BinOp) else node
            raise NotCompiled(scope.module, node, f"{type(kind).__name__} is not compiled")


def _of(node: ast.expr, scope: Scope) -> str:
    written = js(node, scope)
    return f"({written})" if isinstance(node, ast.Lambda | ast.Constant) else written


def constant(value: object, node: ast.expr, scope: Scope) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | str():
            return json.dumps(value)
        case _:
            raise NotCompiled(scope.module, node, f"the constant {value!r}")


# --- Truth and comparison ---------------------------------------------------------------------


def condition(node: ast.expr, scope: Scope) -> str:
    """An expression of which only the truth value is used."""
    match node:
        case ast.BoolOp(op=op, values=values):
            word = " && " if isinstance(op, ast.And) else " || "
            return f"({word.join(condition(each, scope) for each in values)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"!{_tight(operand, scope)}"
    return js(node, scope) if is_truth(node, scope) else f"$.b({js(node, scope)})"


def _tight(node: ast.expr, scope: Scope) -> str:
    written = condition(node, scope)
    return written if written.startswith(("$.b(", "(")) else f"({written})"


def is_truth(node: ast.expr, scope: Scope) -> bool:
    """Whether the expression is always true or false."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return True
        case ast.BoolOp(values=values):
            return all(is_truth(each, scope) for each in values)
        case ast.Call(func=func):
            found = scope.symbol(func)
            return isinstance(found, Runtime) and found.name in TRUTHS
    return False


def boolean(node: ast.BoolOp, scope: Scope) -> str:
    """Compile `and` and `or`, which return one of their values and not its truth."""
    if all(is_truth(each, scope) for each in node.values):
        return condition(node, scope)
    word = "andalso" if isinstance(node.op, ast.And) else "orelse"
    first, *others = node.values
    rest = others[0] if len(others) == 1 else ast.BoolOp(op=node.op, values=others)
    return f"$.{word}({js(first, scope)}, () => {_return_of(rest, scope)})"


def _return_of(node: ast.expr, scope: Scope) -> str:
    written = js(node, scope)
    return f"({written})" if written.startswith("{") else written


def compare(node: ast.Compare, scope: Scope) -> str:
    sides = [node.left, *node.comparators]
    if len(node.ops) == 1:
        return _comparison(js(sides[0], scope), node.ops[0], sides[1], scope)
    parts, before = [], js(sides[0], scope)
    for op, side in zip(node.ops, sides[1:], strict=True):
        # The middle of a chain is written twice, though Python evaluates it once.
        parts.append(_comparison(before, op, side, scope))
        before = js(side, scope)
        if any(isinstance(each, ast.NamedExpr | ast.Yield) for each in ast.walk(side)):
            raise NotCompiled(scope.module, side, "in the middle of a comparison")
    return f"({' && '.join(parts)})"


def _comparison(  # noqa: PLR0911 - a case each
    left: str, op: ast.cmpop, right_node: ast.expr, scope: Scope
) -> str:
    right = js(right_node, scope)
    plain = isinstance(right_node, ast.Constant) and isinstance(right_node.value, str | None)
    match op:
        case ast.Is():
            return f"({left} == null)" if right == "null" else f"({left} === {right})"
        case ast.IsNot():
            return f"({left} != null)" if right == "null" else f"({left} !== {right})"
        case ast.Eq():
            return f"({left} === {right})" if plain else f"$.eq({left}, {right})"
        case ast.NotEq():
            return f"({left} !== {right})" if plain else f"!$.eq({left}, {right})"
        case ast.In():
            return f"$.in({left}, {right})"
        case ast.NotIn():
            return f"!$.in({left}, {right})"
        case _:
            return f"$.{COMPARED[type(op)]}({left}, {right})"


# --- Calls ------------------------------------------------------------------------------------


def call(node: ast.Call, scope: Scope) -> str:
    if isinstance(node.func, ast.Attribute) and scope.symbol(node.func) is None:
        return _method(node, node.func, scope)
    found = scope.symbol(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else None
    if isinstance(found, Runtime):
        return _of_runtime(node, found, scope)
    called = js(node.func, scope)
    if not node.keywords:
        return f"{called}({arguments(node.args, scope)})"
    places = _places(found, scope) if isinstance(found, Def) else None
    spread = any(isinstance(each, ast.Starred) for each in node.args)
    if places is None or spread or any(word.arg is None for word in node.keywords):
        return f"$.k({called}, [{arguments(node.args, scope)}], {keywords(node, scope)})"
    return f"{called}({_place_arguments(node, places, scope)})"


def _places(of: Def, scope: Scope) -> list[str] | None:
    """The parameters of a known function or class; None if `$.k` must look them up at run time."""
    statement = scope.modules.statement(of)
    match statement:
        case ast.FunctionDef(args=args) if not (args.vararg or args.kwarg):
            return parameters(args)
        case ast.ClassDef(
            bases=[] | [ast.Name(id="Fact" | "Consequence" | "TableEvent" | "RoundEnd" | "GameEnd")]
        ):
            return [
                part.target.id
                for part in statement.body
                if isinstance(part, ast.AnnAssign)
                and isinstance(part.target, ast.Name)
                and "ClassVar" not in ast.unparse(part.annotation)
            ] or None
    return None


def _place_arguments(node: ast.Call, places: list[str], scope: Scope) -> str:
    given = {word.arg: js(word.value, scope) for word in node.keywords if word.arg}
    taken = [js(each, scope) for each in node.args]
    unknown = given.keys() - set(places[len(taken) :])
    if unknown:
        raise NotCompiled(scope.module, node, f"no parameter {', '.join(sorted(unknown))}")
    last = max(places.index(name) for name in given)
    return ", ".join(
        [*taken, *(given.get(name, "undefined") for name in places[len(taken) : last + 1])]
    )


def keywords(node: ast.Call, scope: Scope) -> str:
    """Keyword arguments as a plain object; ``**more`` is a dict of the runtime."""
    parts = [
        f"...$.plain({js(word.value, scope)})"
        if word.arg is None
        else f'"{word.arg}": {js(word.value, scope)}'
        for word in node.keywords
    ]
    return f"{{ {', '.join(parts)} }}"


def arguments(items: list[ast.expr], scope: Scope) -> str:
    return ", ".join(
        f"...$.it({js(each.value, scope)})" if isinstance(each, ast.Starred) else js(each, scope)
        for each in items
    )


def _method(node: ast.Call, func: ast.Attribute, scope: Scope) -> str:
    if _is_super(func.value, scope):
        given = arguments(node.args, scope)
        called = f'$.super_({scope.here}, self, "{func.attr}")'
        if node.keywords:
            return f"$.k({called}, [{given}], {keywords(node, scope)})"
        return f"{called}({given})"
    of, name = js(func.value, scope), func.attr
    given = arguments(node.args, scope)
    if node.keywords:
        return f'$.km({of}, "{name}", [{given}], {keywords(node, scope)})'
    if name in ABSENT - scope.modules.methods:
        raise NotCompiled(scope.module, node, f"no {name} on a device")
    if name in BUILTIN_METHODS:
        return f"$.c({', '.join([of, json.dumps(name), *([given] if given else [])])})"
    return f"{_of(func.value, scope)}.{name}({given})"


def _is_super(node: ast.expr, scope: Scope) -> bool:
    return isinstance(node, ast.Call) and scope.symbol(node.func) == Runtime("super")


def _of_runtime(node: ast.Call, found: Runtime, scope: Scope) -> str:
    if found.name == "typing.cast":
        return js(node.args[1], scope)
    called = scope.named(node, found)
    given = [arguments(node.args, scope)] if node.args else []
    if node.keywords:
        if found.name in {
            "functools.partial",
            "dataclasses.replace",
            "dict",
            "collections.Counter",
        }:
            return f"$.k({called}, [{', '.join(given)}], {keywords(node, scope)})"
        given.append(f"$.kw_({keywords(node, scope)})")
    return f"{called}({', '.join(given)})"


# --- Displays ---------------------------------------------------------------------------------


def subscript(node: ast.Subscript, scope: Scope) -> str:
    if scope.symbol(node.value) == Runtime("typing.Literal"):  # its values, as by `get_args`
        values = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return f"[{arguments(values, scope)}]"
    of = js(node.value, scope)
    if isinstance(node.slice, ast.Slice):
        ends = (node.slice.lower, node.slice.upper, node.slice.step)
        return f"$.slice({of}, {', '.join(js(each, scope) if each else 'null' for each in ends)})"
    return f"$.get({of}, {js(node.slice, scope)})"


def dictionary(node: ast.Dict, scope: Scope) -> str:
    parts = [
        f"...$.entries({js(value, scope)})"
        if key is None
        else f"[{js(key, scope)}, {js(value, scope)}]"
        for key, value in zip(node.keys, node.values, strict=True)
    ]
    return f"$.dict_([{', '.join(parts)}])"


def join(values: list[ast.expr], scope: Scope) -> str:
    parts = []
    for each in values:
        match each:
            case ast.Constant(value=value):
                parts.append(json.dumps(value))
            case ast.FormattedValue(value=value, conversion=conversion, format_spec=None):
                word = "repr" if conversion == ord("r") else "str"
                parts.append(f"$.{word}({js(value, scope)})")
            case ast.FormattedValue(
                value=value, format_spec=ast.JoinedStr(values=[ast.Constant(value="04X")])
            ):
                parts.append(f"$.hexadecimal({js(value, scope)}, 4)")
            case _:
                raise NotCompiled(scope.module, each, "a format in an f-string")
    if not parts or not parts[0].startswith('"'):
        parts.insert(0, '""')
    return f"({' + '.join(parts)})"


def anonymous(args: ast.arguments, body: ast.expr, scope: Scope) -> str:
    inner = scope.having({*parameters(args)})
    names = [js_name(each.arg) for each in (*args.posonlyargs, *args.args)]
    split = len(names) - len(args.defaults)
    taken = [
        name if place < split else f"{name} = {js(args.defaults[place - split], scope)}"
        for place, name in enumerate(names)
    ]
    return f"(({', '.join(taken)}) => {_return_of(body, inner)})"


def comprehension(
    loops: list[ast.comprehension], put: str, items: list[ast.expr], empty: str, scope: Scope
) -> str:
    inside = _loops(loops, f"{put};", items, scope)
    return f"(() => {{ const $r = {empty}; {inside} return $r; }})()"


def _loops(loops: list[ast.comprehension], put: str, items: list[ast.expr], scope: Scope) -> str:
    inner, opened = scope, []
    for loop in loops:
        over = js(loop.iter, inner)
        inner = inner.having(bound_by(loop.target))
        tests = [f"if (!({condition(test, inner)})) continue;" for test in loop.ifs]
        opened.append(
            f"for (const {pattern(loop.target, scope)} of $.it({over})) {{ {' '.join(tests)}"
        )
    filled = put
    for item in items:
        filled = filled.replace("{}", js(item, inner), 1)
    return f"{' '.join(opened)} {filled} {'}' * len(opened)}"


def pattern(target: ast.expr, scope: Scope) -> str:
    """The destructuring pattern for what a loop binds."""
    match target:
        case ast.Name(id=name):
            return js_name(name)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return f"[{', '.join(pattern(each, scope) for each in items)}]"
        case ast.Starred(value=value):
            return f"...{pattern(value, scope)}"
    raise NotCompiled(scope.module, target, "this is bound by a comprehension")
