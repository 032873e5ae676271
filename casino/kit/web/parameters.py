"""Refuses parameters of an address that nobody takes: for the API, reports and files of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.utils.datastructures import MultiValueDict


def check_known(given: Iterable[str], known: Collection[str], *, asked: str) -> None:
    """
    :param asked: the name of what is asked.
    :raises Malformed: naming the first parameter that is not known, and those that are.
    """
    for name in given:
        if name not in known and known:
            raise Malformed(
                f"{name}: {asked} has no such filter; {', '.join(sorted(known))} it has.",
                field=name,
            )
        if name not in known:
            raise Malformed(f"{name}: {asked} has no such filter, nor any other.", field=name)


def check_given_once(given: MultiValueDict[str, str], *, but: Collection[str] = ()) -> None:
    """
    :param but: parameters that may be given several times.
    :raises Malformed: naming the first other one that is: which of its values counts is unclear.
    """
    for name, texts in given.lists():
        if len(texts) > 1 and name not in but:
            raise Malformed(f"{name} is given {len(texts)} times.", field=name)
