"""
Extracts the English sentences that are made below any surface: by the rules, and in refusals.

The rules are pure and their refusals are kept in the ledger, so both are in one language. This
module reads all possible sentences from the source: each f-string becomes a pattern with named
holes, as in ``{player} is out of the game already. SH9, SH10``. A hole that may hold words, not
just a name or a figure, is marked ``{hand:words}``; `casino.words.languages.messages` translates
its content separately.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

GETTEXT: Final = re.compile(r"_|n?p?gettext(_lazy|_noop)?")
AS_IT_IS: Final = frozenset(
    {"named", "shortened", "len", "list", "str", "exactly", "faces", "join", "repr"}
)
"""Functions that return names, dice or figures, which are not translated."""
NAMES: Final = frozenset(
    {
        "player", "name", "winner", "loser", "leaver", "payer", "thrower", "approver", "rule",
        "table", "person", "label", "username", "amount", "die",
    }
)  # fmt: skip
"""Names of holes that hold a name or a figure."""


WORDS: Final = (
    # parts of sentences
    "and", "or", "all", "Nobody", "makes", "make", "raised", "lowered",
    # hands, as the ledger names them
    "pair", "run", "triple", "triad", "junk", "empty", "home", "show_up", "double_show_up",
    # fields of commands, as refusals name them
    "player", "players", "amount", "stake", "dice", "die", "price", "reason", "note", "keep",
    "kept", "face", "value", "to", "first", "seat", "table", "dice_set", "home_throw", "bottoms",
    "by", "breaks", "caught", "out", "spinning", "rate", "percent", "minutes", "salt",
    "commitment", "round", "outcome", "dispute", "payout", "approved_by", "ante",
    # commands, as the rules name them
    "Open", "Throw", "ThrowHome", "Stand", "NoThrow", "Join", "BuyIn", "Leave", "CashOut", "Close",
    "Void", "Approve", "Reject", "Pause", "Resume", "Handover", "ChangeDice", "Witness", "Dispute",
    "Resolve", "Keep", "BreakStart", "StartRound", "Seal", "Offer", "Bid", "Pass", "Sell",
    "Withdraw", "Reveal", "Roll", "Award",
)  # fmt: skip
"""Single words that may stand in holes. The source cannot tell them from other identifiers."""
WORDS_OF_ODDS: Final = (
    # fields of questions, and values of fields
    "home_override", "homes", "hole", "banker", "keep_junk", "policy", "target", "kept",
    "likelier", "never",
    # cells
    "none", "all", "void", "show up", "double show up", "nothing", "two pairs", "three",
    "straight", "full house", "four", "five", "{way:words} or {other:words}",
)  # fmt: skip
"""What fields and cells of odds say, with other words than the rules or in another sense."""
HEAD: Final = re.compile("[A-Z][a-z]+")
"""A title of one word, as a column has; identifiers are in lower case."""
OF_PROGRAMS: Final = frozenset(
    {
        "ArgumentTypeError", "AssertionError", "CommandError", "Http404", "ImproperlyConfigured",
        "InvalidThrow", "KeyError", "LookupError", "NotImplementedError", "NothingThrown",
        "OSError", "RuntimeError", "SystemExit", "TypeError", "Untranslatable", "ValueError",
    }
)  # fmt: skip
"""Exceptions whose messages only programs and developers read."""
CITES: Final = re.compile(r"[a-z.)] \(?[A-Z]{1,2}[0-9]+b?(, [A-Z]{1,2}[0-9]+b?)*\)?$")
"""How a text ends that says why something is so: with the numbers of rules or controls."""


def of(tree: ast.Module, *, rules: bool) -> Iterator[str]:
    """
    The sentence patterns of a module, in the order of the source; one may come twice.

    :param rules: whether every text with words is a sentence; if not, only texts in exceptions are,
        and those that end with the number of a rule: an exception may get them from elsewhere.
    """
    passed = _nodes_to_skip(tree)
    roots = [tree] if rules else _exceptions_in(tree)
    for root in roots:
        for node in ast.walk(root):
            if id(node) not in passed and (text := _pattern(node)) and _has_words(text):
                yield text
    for node in ast.walk(tree):
        if id(node) not in passed and CITES.search(text := _pattern(node)):
            yield text


def of_odds(tree: ast.Module, *, opening: bool) -> Iterator[str]:
    """
    The texts of a module of odds; of an opening form, why its options do not change the odds.

    Sentences are patterns, as those of the rules; besides, titles may be of a single word.
    """
    if not opening:
        yield from of(tree, rules=True)
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if not opening and HEAD.fullmatch(text):
                yield text
            case ast.Call(func=ast.Name(id="Option" | "unit"), keywords=given) if opening:
                yield from (_pattern(each.value) for each in given if each.arg == "odds")
            case _:
                pass


def _exceptions_in(tree: ast.Module) -> list[ast.AST]:
    """The calls that make exceptions in a module, except those of `OF_PROGRAMS` that it raises."""
    made: list[ast.AST] = []
    for each in ast.walk(tree):
        match each:
            case ast.Raise(exc=ast.Call(func=function) as call):
                if getattr(function, "id", getattr(function, "attr", "")) not in OF_PROGRAMS:
                    made.append(call)
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")
            ):
                made.append(each)
    return made


def _nodes_to_skip(tree: ast.Module) -> set[int]:
    """Nodes to skip: docstrings, parts of f-strings, keys, and arguments of gettext calls."""
    passed: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                passed.add(id(text))
            case ast.JoinedStr(values=parts):
                passed.update(id(part) for part in parts if isinstance(part, ast.Constant))
            case ast.Dict(keys=keys):
                passed.update(id(key) for key in keys)
            case ast.Subscript(slice=key):
                passed.add(id(key))
            case ast.keyword(arg="help_text", value=text):
                passed.update(id(each) for each in ast.walk(text))
            case ast.Call(func=ast.Name(id=name)) if GETTEXT.fullmatch(name):
                passed.update(id(each) for each in ast.walk(node))
            case ast.Attribute(value=ast.Constant() as joiner):
                passed.add(id(joiner))
            case _:
                pass
    return passed


def _pattern(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            used: dict[str, int] = {}
            return "".join(_part(part, used) for part in parts)
        case _:
            return ""


def _part(part: ast.expr, used: dict[str, int]) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value).replace("{", "{{").replace("}", "}}")
    assert isinstance(part, ast.FormattedValue)  # noqa: S101 - an f-string holds nothing else
    name = _name_hole(part.value)
    used[name] = used.get(name, 0) + 1
    numbered = name if used[name] == 1 else f"{name}{used[name]}"
    return f"{{{numbered}:words}}" if _may_hold_words(part.value, name) else f"{{{numbered}}}"


def _name_hole(value: ast.expr) -> str:  # noqa: PLR0911 - one return for each kind of expression
    """The name of a hole, taken from the expression that fills it."""
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name) if not name.startswith("__"):
            return name
        case ast.Attribute(value=ast.Call(args=[of, *_])):
            return _name_hole(of)
        case ast.Call(func=ast.Name(id=name), args=args) if name not in AS_IT_IS or not args:
            return name
        case ast.Call(args=[of, *_]):
            return _name_hole(of)
        case ast.Subscript(value=of):
            return _name_hole(of)
        case ast.BoolOp(values=[of, *_]) | ast.IfExp(body=of):
            return _name_hole(of)
        case ast.GeneratorExp(elt=of) | ast.Starred(value=of):
            return _name_hole(of)
        case _:
            return "value"


def _may_hold_words(value: ast.expr, name: str) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=function)) if function in AS_IT_IS:
            return False
        case ast.Constant() | ast.BinOp():
            return False
        case _:
            return name not in NAMES


def _has_words(text: str) -> bool:
    """Whether a text has letters and a space or mark; identifiers, codes and formats do not."""
    literal = re.sub(r"\{[^{}]*\}", "\0", text)
    return bool(re.search(r"[A-Za-z]{2}|'s", literal)) and bool(re.search(r"[ .:;]", literal))
