"""Compiles what stands in the tags of templates to JavaScript: values, filters, conditions."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.template import defaultfilters
from django.template.base import FilterExpression, Variable
from django.utils import translation
from django.utils.functional import Promise

from casino.floor.offline.compiling.modules import Def
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.template.smartif import TokenBase

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
"""Filters that `casino/floor/offline/scripts/templates.js` has, and their names there."""

PURE: Final = (
    "casino.kit.web.drawn_dice", "casino.kit.web.steps", "casino.words.presenters.", "games.",
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
            found = self._filtered(found, function, arguments)
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

    def _filtered(
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
