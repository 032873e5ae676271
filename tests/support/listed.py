"""Lists as their pages and files have them."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client


def on_page(client: Client, path: str) -> list[Any]:
    """The items of a page's list."""
    return [line.item for line in client.get(path).context["table"].lines]


def as_csv(client: Client, path: str, *, head: str) -> list[dict[str, str]]:
    """
    The lines of its CSV.

    :param head: a column that it has: what comes before the line of heads is of the document.
    """
    answer = client.get(path)
    assert "attachment" in answer["Content-Disposition"]
    content = b"".join(answer) if answer.streaming else answer.content
    lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    lines = [line for line in lines if not line or not line[0].startswith("#")]
    at = next(number for number, line in enumerate(lines) if head in line)
    heads, found = lines[at], []
    for line in lines[at + 1 :]:
        if len(line) != len(heads):
            break
        found.append(dict(zip(heads, line, strict=True)))
    return found
