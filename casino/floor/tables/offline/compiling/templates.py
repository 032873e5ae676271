"""
Compiles Django templates to JavaScript, so that a device draws a board as the server does.

The input is the nodes that Django's own engine has parsed. A template becomes a function from a
context to text. What it needs at run time is in `casino/floor/tables/offline/scripts/templates.js`.
Our own tags and filters are pure Python, compiled with the bundle and called as
`offline.own.<name>`. Anything unknown raises `NotCompiled` with template and line, and never
becomes a blank.
"""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.template import Engine, base, defaultfilters, defaulttags, library, loader_tags
from django.template.base import FilterExpression, Variable
from django.templatetags.cache import CacheNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.l10n import LocalizeNode
from django.templatetags.static import StaticNode
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.html import escape

from casino.floor.tables.board import drawing_data
from casino.floor.tables.offline.compiling.modules import Def
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from django.template.base import Node, Template
    from django.template.smartif import TokenBase


# Compiles what stands in the tags of templates to JavaScript: values, filters, conditions.


FILTERS: Final[dict[Callable[..., Any], str]] = {
    defaultfilters.add: "add",
    defaultfilters.capfirst: "capfirst",
    defaultfilters.default: "otherwise",
    defaultfilters.default_if_none: "default_if_none",
    defaultfilters.length: "length",
    defaultfilters.slice_filter: "slice",
    defaultfilters.stringformat: "digits",
    defaultfilters.upper: "upper",
}
"""Filters that `casino/floor/tables/offline/scripts/templates.js` has, and their names there."""

PURE: Final = (
    "casino.kit.web.pure_tags", "casino.words.presenters.", "games.",
    "casino.words.languages.amounts",
)  # fmt: skip
"""Modules whose tags and filters are pure Python, compiled with the bundle; also those of games."""

CONSTANTS: Final = {"None": "null", "True": "true", "False": "false"}
COMPARED: Final = {"<": "<0", ">": ">0", "<=": "<=0", ">=": ">=0"}
MARKUP: Final = re.compile(r"[&<>\"']")
METHODS: Final = frozenset(dir(dict)) - {"items"}


def of_games() -> Iterator[str]:
    for game in games().values():
        yield from (f"{game.package}.", f"{game.rules}.")


class Refused(Exception):  # noqa: N818 - it says what is not compiled
    """A value that a device could not compute."""


@dataclass
class Values:
    """
    Compiles the values in one set of templates.

    :param uses: the pure functions that were used, by their names in `offline.own`.
    """

    uses: dict[str, Def] = field(default_factory=dict)

    def value(self, of: FilterExpression, *, missing: str = '""') -> str:
        """
        Compile an expression; it is `undefined` for a name that the context does not have.

        :param missing: what filters get in place of such a name.
        """
        found = self._base(of)
        if of.filters and of.is_var and of.var.lookups:
            found = f"o({found})" if missing == '""' else f"({found}??null)"
        for function, arguments in of.filters:
            found = self._compile_filters(found, function, arguments)
        return found

    def known(self, of: FilterExpression) -> str:
        """Compile an expression; it is "" for a name that the context does not have."""
        value = self.value(of)
        return f"o({value})" if of.is_var and of.var.lookups and not of.filters else value

    def plain(self, of: FilterExpression, *, missing: str = '""') -> str:
        """Compile an argument for pure Python, which knows no markup; "" for `undefined`."""
        text = literal_of(of)
        if text is not None:
            return js_string(text)
        value = self.value(of, missing=missing)
        return value if of.token in CONSTANTS or of.token.lstrip("-").isdigit() else f"u({value})"

    def called(
        self,
        function: Callable[..., Any],
        arguments: Sequence[str],
        named: dict[str, str] | None = None,
    ) -> str:
        """
        Compile a call of a pure function of the project; the arguments are put in its parameters'
        order.
        """
        pure = inspect.unwrap(function)
        if not pure.__module__.startswith((*PURE, *of_games())):
            raise Refused(f"{pure.__module__}.{pure.__qualname__} is not pure, nor in templates.js")
        self.uses[pure.__name__] = known = Def(pure.__module__, pure.__name__)
        if self.uses[pure.__name__] != known:
            raise Refused(f"two functions are called {pure.__name__}")
        bound = inspect.signature(pure).bind(*arguments, **(named or {})).arguments
        given = [bound.get(each, "undefined") for each in inspect.signature(pure).parameters]
        while given and given[-1] == "undefined":
            given.pop()
        return f"y.{pure.__name__}({','.join(given)})"

    def condition(self, of: TokenBase) -> str:
        """Compile the condition of an {% if %} to a boolean."""
        match of.id:
            case "literal":
                return f"t({self.value(of.value, missing='null')})"
            case "and" | "or":
                sign = "&&" if of.id == "and" else "||"
                return f"({self.condition(of.first)}{sign}{self.condition(of.second)})"
            case "not":
                return f"!{self.condition(of.first)}"
        return self._comparison(of.id, self._side(of.first), self._side(of.second))

    def _comparison(self, sign: str, one: str, other: str) -> str:
        match sign:
            case "is" | "is not":
                if other != "null":
                    raise Refused("`is` asks only for None")
                return f"({one}{'=' if sign == 'is' else '!'}=null)"
            case "==" | "!=":
                return f"{'' if sign == '==' else '!'}equal({one},{other})"
            case "in" | "not in":
                return f"(within({one},{other})==={'true' if sign == 'in' else 'false'})"
            case _:
                return f"(apart({one},{other}){COMPARED[sign]})"

    def _side(self, of: TokenBase) -> str:
        if of.id != "literal":
            raise Refused("a comparison of what is no value")
        text = literal_of(of.value)
        return js_string(text) if text is not None else self.value(of.value, missing="null")

    def _base(self, of: FilterExpression) -> str:
        if isinstance(of.var, Variable):
            return self._variable(of.var)
        if isinstance(of.var, Promise):
            return translate(of.var)
        if isinstance(of.var, str):
            return literal(of.var)
        raise Refused(f"the value {of.token}")

    def _variable(self, of: Variable) -> str:
        if of.lookups is None:
            if of.translate or of.literal is None:
                raise Refused(f"the value {of.var}")
            return literal(of.literal)
        if of.translate:
            raise Refused(f"the translation of {of.var}, which is known only on the device")
        head, *path = of.lookups
        if not path:
            return CONSTANTS.get(head, f"c.{head}")
        if METHODS.intersection(path):
            raise Refused(f"{of.var}, which may be a method")
        return f"g(c.{head},{','.join(map(js_string, path))})"

    def _compile_filters(
        self, value: str, function: Callable[..., Any], arguments: Sequence[tuple[bool, Any]]
    ) -> str:
        if function not in FILTERS:
            return self.called(function, [f"u({value})", *map(self._plain_argument, arguments)])
        name = FILTERS[function]
        if name == "slice":
            return f"slice({','.join([value, *_slice(arguments)])})"
        if name == "digits":
            if literal_argument(arguments[0]) != "d":
                raise Refused("stringformat other than d")
            return f"digits({value})"
        return f"{name}({','.join([value, *map(self._argument, arguments)])})"

    def _plain_argument(self, of: tuple[bool, Any]) -> str:
        text = literal_argument(of)
        return js_string(text) if text is not None else f"u({self._argument(of)})"

    def _argument(self, of: tuple[bool, Any]) -> str:
        looked_up, value = of
        if not looked_up:
            return translate(value) if isinstance(value, Promise) else literal(value)
        known = self._variable(value)
        return f"r({known})" if value.lookups and known not in CONSTANTS.values() else known


def js_string(text: str) -> str:
    """A JavaScript string, in the kind of quotes that it contains less often."""
    double = json.dumps(text, ensure_ascii=False)
    if '"' not in text:
        return double
    inside = double[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{inside}'"


def literal(value: str | float) -> str:
    """A number or a text; a text that contains markup characters is marked as safe."""
    if isinstance(value, str):
        return f"s({js_string(value)})" if MARKUP.search(value) else js_string(str(value))
    if not isinstance(value, int):
        raise Refused(f"{value}: only whole numbers")
    return str(value)


def literal_of(of: FilterExpression) -> str | None:
    """The text of an expression that is only a literal; None otherwise."""
    if of.filters or of.is_var or not isinstance(of.var, str):
        return None
    return str(of.var)


def literal_argument(of: tuple[bool, Any]) -> str | None:
    """The text of a filter's literal argument; None otherwise."""
    looked_up, value = of
    return str(value) if not looked_up and isinstance(value, str) else None


def translate(words: Promise) -> str:
    """``_("...")`` in a tag: translated on the device, and safe markup like every translation."""
    return f"s(_({js_string(msgid_of(words))}))"


def msgid_of(words: Promise) -> str:
    with translation.override(None):
        return str(words)


def _slice(arguments: Sequence[tuple[bool, Any]]) -> list[str]:
    """``":2"`` as the two numbers that JavaScript's slice takes."""
    argument = literal_argument(arguments[0]) or ""
    bounds = re.fullmatch(r"(?:(-?\d*):)?(-?\d*)", argument)
    if not argument or bounds is None:
        raise Refused(f"a slice from {argument!r}")
    return [bounds[1] or "0", bounds[2] or "undefined"]


BOARD: Final = "floor/tables/_board.html"
RUNTIME: Final = (
    "s", "u", "o", "r", "e", "g", "t", "p", "f", "i", "b", "_", "equal", "within", "apart", "first",
    "csrf", "add", "capfirst", "otherwise", "default_if_none", "length", "slice", "digits",
    "upper",
)  # fmt: skip
"""The functions of `offline.template`, under the names that compiled source uses."""


class NotCompiled(Exception):  # noqa: N818 - it says what the template is not
    """A template with something that devices do not know; the message says what and where."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """
    Compiled templates.

    :param source: a script that puts functions of a context into `offline.templates`, by name.
    :param own: the pure Python that they call, to be compiled as `offline.own.<name>` before use.
    """

    source: str
    own: dict[str, Def]


def board(ruleset: str) -> Compiled:
    """Compile the board of a game, with the game's own parts."""
    parts = drawing_data.templates_of_parts(ruleset)
    return compile_templates([BOARD], known={f"board.parts.{part}": parts[part] for part in parts})


def compile_templates(
    names: Sequence[str], *, known: Mapping[str, Sequence[str]] | None = None
) -> Compiled:
    """
    Compile these templates and all that they include.

    :param known: the templates that a name in `{% include %}` stands for, where that is certain;
        the first that exists is taken.
    :raises NotCompiled: if anything in them would not be the same on a device.
    """
    return Writer(dict(known or {})).written(names)


@dataclass
class Writer:
    """
    Writes the functions of templates.

    :param known: as in `compile_templates`.
    """

    known: Mapping[str, Sequence[str]]
    values: Values = field(default_factory=Values)
    _numbers: dict[str, int] = field(default_factory=dict)
    _named: dict[str, None] = field(default_factory=dict)

    def written(self, names: Iterable[str]) -> Compiled:
        engine = Engine.get_default()
        for name in names:
            self.named(name)
        functions: list[str] = []
        while len(functions) < len(self._numbers):
            name = list(self._numbers)[len(functions)]
            functions.append(self._template(name, engine.get_template(name)))
        taken = ",".join(RUNTIME)
        exports = ",".join(f"{js_string(name)}:{self.number(name)}" for name in self._named)
        source = (
            f'(a=>{{"use strict";const{{{taken}}}=a.template,y=a.own;\n'
            + "\n".join(functions)
            + f"\nObject.assign(a.templates,{{{exports}}})}})(window.offline);\n"
        )
        return Compiled(source, self.values.uses)

    def number(self, name: str) -> str:
        """The name of a template's function; the template is written later."""
        return f"T{self._numbers.setdefault(name, len(self._numbers))}"

    def named(self, name: str) -> None:
        """Let the device load a template by its name."""
        self.number(name)
        self._named[name] = None

    def _template(self, name: str, template: Template) -> str:
        return f"const {self.number(name)}=c=>{self.nodes(template.nodelist)};"

    def nodes(self, nodes: Iterable[Node]) -> str:
        """The output of some nodes concatenated; adjacent texts are joined."""
        parts: list[str] = []
        text = ""
        for node in nodes:
            part = self.node(node)
            if isinstance(part, Text):
                text += part
                continue
            if text:
                parts.append(js_string(text))
                text = ""
            parts.append(part)
        if text or not parts:
            parts.append(js_string(text))
        return "+".join(parts)

    def node(self, node: Node) -> str:
        """A node as an expression that is a string, or as `Text` that is known already."""
        try:
            return NODES.get(type(node), _unknown)(self, node)
        except Refused as refused:
            line = node.token.lineno if node.token else "?"
            raise NotCompiled(f"{node.origin.template_name!s}, line {line}: {refused}") from None

    def bound(self, values: Mapping[str, FilterExpression]) -> str:
        """Variables of an inner context; a template among the values can be included by name."""
        for each in values.values():
            text = literal_of(each)
            if text is not None and text.endswith(".html"):
                self.named(text)
        return ",".join(f"{name}:{self.values.known(each)}" for name, each in values.items())


class Text(str):
    """Text of the page, not an expression."""

    __slots__ = ()


def _unknown(_writer: Writer, node: Node) -> str:
    raise Refused(f"{type(node).__name__} is not known")


def _nothing(_writer: Writer, _node: Node) -> str:
    return Text("")


def _text(_writer: Writer, node: Any) -> str:
    return Text(node.s)


def _variable(writer: Writer, node: Any) -> str:
    return f"e({writer.values.value(node.filter_expression)})"


def _if(writer: Writer, node: Any) -> str:
    branches = ""
    for condition, nodes in node.conditions_nodelists:
        if condition is None:
            return f"({branches}{writer.nodes(nodes)})"
        branches += f"{writer.values.condition(condition)}?{writer.nodes(nodes)}:"
    return f'({branches}"")'


def _for(writer: Writer, node: Any) -> str:
    names = node.loopvars[0] if len(node.loopvars) == 1 else node.loopvars
    parts = [
        "c", json.dumps(names), writer.values.value(node.sequence, missing="null"),
        f"c=>{writer.nodes(node.nodelist_loop)}",
    ]  # fmt: skip
    if node.nodelist_empty or node.is_reversed:
        parts.append(f"c=>{writer.nodes(node.nodelist_empty)}")
    if node.is_reversed:
        parts.append("true")
    return f"f({','.join(parts)})"


def _with(writer: Writer, node: Any) -> str:
    return f"(c=>{writer.nodes(node.nodelist)})(p(c,{{{writer.bound(node.extra_context)}}}))"


def _include(writer: Writer, node: Any) -> str:
    outer = "null" if node.isolated_context else "c"
    bound = writer.bound(node.extra_context)
    context = f"p({outer},{{{bound}}})" if bound else f"p({outer})"
    name = _template_name(writer, node.template)
    if name is None:
        return f"i({context},{writer.values.value(node.template)})"
    shared = not bound and not node.isolated_context and not _keeps(name)
    return f"{writer.number(name)}({'c' if shared else context})"


def _keeps(name: str) -> bool:
    """Whether a template assigns to a name, which must not be visible after it."""
    nodes = Engine.get_default().get_template(name).nodelist.get_nodes_by_type(base.Node)
    return any(getattr(each, "asvar", getattr(each, "target_var", None)) for each in nodes)


def _template_name(writer: Writer, template: FilterExpression) -> str | None:
    """The template's name, if it is known before a board is drawn; None otherwise."""
    name = literal_of(template)
    if name is None and template.token in writer.known:
        candidates = list(writer.known[template.token])
        engine = Engine.get_default()
        name = engine.select_template(candidates).name
    return name


def _first_of(writer: Writer, node: Any) -> str:
    values = ",".join(writer.values.value(each, missing="null") for each in node.vars)
    return _output(node.asvar, f"first({values})", f"e(first({values}))")


def _translate(_writer: Writer, node: Any) -> str:
    expression = node.filter_expression
    text = expression.var.literal
    if node.noop or node.message_context or expression.filters or not isinstance(text, str):
        raise Refused("a translation of other than plain words")
    words = f"_({js_string(text.replace('%', '%%'))})"
    if "%" in text:
        words += '.replaceAll("%%","%")'
    return _output(node.asvar, f"s({words})", words)


def _block_translate(writer: Writer, node: Any) -> str:
    message, names = node.render_token_list(node.singular)
    if node.message_context:
        raise Refused("a translation of other than plain words")
    given = [js_string(message)]
    values = dict(node.extra_context)
    more = []
    if node.plural:
        plural, also = node.render_token_list(node.plural)
        names = [*names, *also]
        values[node.countervar] = node.counter
        more = [js_string(plural), writer.values.value(node.counter)]
    holes = ",".join(f"{name}:{_hole(writer, name, values)}" for name in dict.fromkeys(names))
    words = f"b({','.join([*given, f'{{{holes}}}', *more])})"
    return _output(node.asvar, f"s({words})", words)


def _hole(writer: Writer, name: str, values: Mapping[str, FilterExpression]) -> str:
    if name in values:
        return f"e({writer.values.value(values[name])})"
    if not name.isidentifier():
        raise Refused(f"{{{{ {name} }}}} in a translation; give it a name with `with`")
    return f"e(c.{name})"


def _url(_writer: Writer, node: Any) -> str:
    """Compile an address that is the same for everybody; all others come with the board."""
    if node.args or node.kwargs or literal_of(node.view_name) is None:
        raise Refused("{% url %} of something; let the board give the address: board.urls")
    address = reverse(literal_of(node.view_name))
    if node.asvar:
        return _output(node.asvar, js_string(address), "")
    return Text(escape(address))


def _static(_writer: Writer, node: Any) -> str:
    path = literal_of(node.path)
    if path is None or node.varname:
        raise Refused("{% static %} of what is no text of the template")
    return Text(escape(StaticNode.handle_simple(path)))


def _csrf(_writer: Writer, _node: Node) -> str:
    return "csrf(c.csrf_token)"


def _own(writer: Writer, node: Any) -> str:
    """Compile one of our own tags; a tag that wraps a pure function returns safe markup."""
    if node.takes_context:
        raise Refused(f"{node.func.__name__} takes the whole context")
    arguments = [writer.values.plain(each) for each in node.args]
    named = {name: writer.values.plain(each) for name, each in node.kwargs.items()}
    words = writer.values.called(node.func, arguments, named)
    if inspect.unwrap(node.func) is node.func:
        return _output(node.target_var, words, f"e({words})")
    return _output(node.target_var, f"s({words})", words)


def _output(name: str | None, value: str, written: str) -> str:
    """Assign the value to a name, or write it if there is none."""
    return written if name is None else f'(c.{name}={value},"")'


def _within(writer: Writer, node: Any) -> str:
    """
    Compile only the content of `{% cache %}` and `{% localize %}`: a device draws for itself and
    keeps nothing that it has drawn, and writes a number by its figures in any language.
    """
    return writer.nodes(node.nodelist)


NODES: Final[dict[type[Node], Callable[[Writer, Any], str]]] = {
    base.TextNode: _text,
    base.VariableNode: _variable,
    defaulttags.CommentNode: _nothing,
    defaulttags.LoadNode: _nothing,
    defaulttags.IfNode: _if,
    defaulttags.ForNode: _for,
    defaulttags.WithNode: _with,
    defaulttags.FirstOfNode: _first_of,
    defaulttags.URLNode: _url,
    defaulttags.CsrfTokenNode: _csrf,
    loader_tags.IncludeNode: _include,
    library.SimpleNode: _own,
    CacheNode: _within,
    LocalizeNode: _within,
    StaticNode: _static,
    TranslateNode: _translate,
    BlockTranslateNode: _block_translate,
}
