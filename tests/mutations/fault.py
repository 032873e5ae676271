"""A fault as somebody tired makes it, and which file of the short form finds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """
    :param says: what is wrong in the house then.
    :param path: the file; `old`: what stands in it once; `new`: instead of it.
    :param test: the file of tests of which one is to fail.
    """

    says: str
    path: str
    old: str
    new: str
    test: str
