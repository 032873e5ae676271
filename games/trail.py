"""
Numbered steps, newest first, which many states can share and search quickly.

Each step knows the one before it and one further back (Myers' skew-binary jump pointers), so that
adding a step copies nothing and finding one among a hundred thousand takes a few dozen comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Step(Generic[Value]):
    number: int
    value: Value
    before: Step[Value] | None
    jump: Step[Value] | None  # None: it would jump to before the first step
    depth: int = 1


def extend(last: Step[Value] | None, number: int, value: Value) -> Step[Value]:
    if last is None:
        return Step(number, value, None, None)
    jump = last.jump
    further = jump.jump if jump is not None else None
    even = last.depth - _depth(jump) == _depth(jump) - _depth(further) and jump is not None
    return Step(number, value, last, further if even else last, last.depth + 1)


def _depth(step: Step[Value] | None) -> int:
    return 0 if step is None else step.depth


def find(last: Step[Value] | None, number: int, *, near: bool = False) -> Step[Value] | None:
    """The step of that number, if there is one; with `near`, the last step up to that number."""
    step = last
    while step is not None and step.number > number:
        far = step.jump
        step = far if far is not None and far.number >= number else step.before
    return step if step is None or near or step.number == number else None
