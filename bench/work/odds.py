"""Odds requested from a house's page and from its API."""

from __future__ import annotations

import time
from http import HTTPStatus
from statistics import median
from typing import TYPE_CHECKING

from django.test import Client

from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def surfaces(
    *, questions: Sequence[tuple[str, Mapping[str, Sequence[str]]]], repetitions: int
) -> list[dict[str, float]]:
    """
    Seconds until each surface has answered a signed-in person.

    The page comes first and computes; the API's answer comes from the cache, and its time is a
    median.
    """
    browser = Client(headers={"host": "localhost"})
    browser.force_login(builders.house().attendant)
    return [
        {
            "page": seconds(browser, f"/odds/{game}/", query),
            "API": median(
                seconds(browser, f"/api/v1/odds/{game}/", query) for _ in range(repetitions)
            ),
        }
        for game, query in questions
    ]


def seconds(browser: Client, url: str, query: Mapping[str, Sequence[str]]) -> float:
    began = time.perf_counter()
    answer = browser.get(url, query, secure=True)
    took = time.perf_counter() - began
    assert answer.status_code == HTTPStatus.OK, (url, answer.status_code)
    return took
