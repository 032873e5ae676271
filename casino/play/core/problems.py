"""A command that the rules refused, as a problem document (RFC 9457)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import status

from casino.house.pseudonyms import tokens
from casino.kit.web.api.problems import Problem, problem_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.play.core.core import Answer


class CommandRefused(Exception):  # noqa: N818 - an answer of the rules, no error
    """
    The recorded answer to a command is a refusal.

    :param done: for a list of commands, the results of those carried out before it.
    """

    def __init__(self, answer: Answer, done: Sequence[Mapping[str, Any]] | None = None) -> None:
        super().__init__(answer.receipt.command_id)
        self.answer = answer
        self.done = done


@problem_of.register
def _command_refused(failure: CommandRefused) -> Problem:
    answer, done = failure.answer, failure.done
    code, sentence = (answer.refusal.code, answer.refusal.detail) if answer.refusal else ("", "")
    more: dict[str, Any] = {"command_id": str(answer.receipt.command_id)}
    if done is not None:
        more |= {"done": len(done), "results": done}
    detail = tokens.resolve_text(answer.key.establishment, sentence)
    return Problem(status.HTTP_422_UNPROCESSABLE_ENTITY, code, detail, more)
