"""An application that says how long a body was, and a waitress as the embedded house has it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from casino.config.environment import BODY_MOST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > BODY_MOST:
        start("413 Content Too Large", [("Content-Length", "0")])
        return []
    body = environ["wsgi.input"].read(length) if length else b""
    said = b"%d bytes" % len(body)
    start("200 OK", [("Content-Length", str(len(said))), ("Content-Type", "text/plain")])
    return [said]


if __name__ == "__main__":
    from casino.config import embedded

    embedded.listen("127.0.0.1", int(sys.argv[1]), application).run()
