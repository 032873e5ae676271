"""
Offline bundles: one script for each ruleset with its rules, presenter, board and templates (0041).

A bundle is compiled at the first request from the sources that the server itself runs, and kept as
long as the process lives. Its address contains a hash of those sources: a browser fetches it once,
and a device runs the same version as its page.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from casino.engine.processes import paths
from casino.floor.tables import offline
from casino.floor.tables.offline.compiling import python, templates
from casino.floor.tables.offline.compiling.modules import Def, Runtime, source_of
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from django.http import HttpRequest

    from casino.words.presenters.registration import Game

RUNTIME: Final = Path(__file__).parent / "scripts"
PACKAGES: Final = paths.PACKAGE.parent
MODULES: Final = (
    "casino/floor/tables/board/posted.py", "casino/words/presenters/opening_forms.py",
    "games/**/*.py", "casino/floor/tables/offline/**/*.py",
)  # fmt: skip
BOARDS: Final = ("floor/tables/**/*.html", "kit/web/_*.html")
SCRIPTS: Final = ("python.js", "templates.js")  # before the compiled code
GLUE: Final = "offline.js"
FORESEEN: Final = ("update_known", "put", "board", "second_look", "Entry", "Form")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle's script as it is sent: plain, and compressed."""

    plain: bytes
    compressed: bytes


@cache
def version_of(ruleset: str) -> str:
    """A hash of all sources of a bundle, 16 hex digits."""
    files = {path for pattern in MODULES for path in PACKAGES.glob(pattern)}
    files |= {path for pattern in BOARDS for path in paths.TEMPLATES.glob(pattern)}
    files |= {source_of(name) for name in offline.pure()}
    game = games()[ruleset]
    files |= set(source_of(game.rules).parent.rglob("*.py"))
    files |= set(source_of(game.package).parent.joinpath("templates").rglob("*.html"))
    files |= {RUNTIME / name for name in (*SCRIPTS, GLUE)}
    digest = hashlib.sha256(ruleset.encode())
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def bundle(ruleset: str) -> Bundle:
    """
    The bundle of a ruleset.

    :raises KeyError: if there is no such ruleset.
    """
    plain = script(ruleset).encode()
    return Bundle(plain, gzip.compress(plain, mtime=0))


def script(ruleset: str) -> str:
    game, board = games()[ruleset], templates.board(ruleset)
    roots = {
        "rules": Def(game.rules, game.rulesets[-1]),
        "Presenter": Def(*game.presenting),
        "shortened": Def("games.wire", "_short"),
        **{name: Def("casino.floor.tables.offline.foresee", name) for name in FORESEEN},
    }
    whole = {
        **{f"compiled.{name}": of for name, of in roots.items()},
        **{f"own.{name}": of for name, of in board.own.items()},
    }
    return "\n".join(
        [
            *((RUNTIME / name).read_text("utf-8") for name in SCRIPTS),
            "Object.assign(window.offline, { compiled: {}, own: {} });",
            slim(python.compile_script(whole, instead=instead(game), given="window.offline")),
            "window.offline.compiled.presenter = window.offline.compiled.Presenter();",
            board.source,
            (RUNTIME / GLUE).read_text("utf-8"),
        ]
    )


def instead(game: Game) -> dict[Def, Runtime]:
    """
    Replacements for the device: opening a game, also anew, is left to the house, and the runtime
    reads type hints.
    """
    return {
        Def("games.wire", "reader"): Runtime("reader"),
        Def(f"{game.rules}.opening", "open_game"): Runtime("elsewhere"),
        Def("games.parsing", "opening_command"): Runtime("elsewhere"),
    }


def slim(source: str) -> str:
    """Remove empty lines. Compiled code has no comments and no strings of several lines."""
    return re.sub(r"\n\s*(?=\n)", "", source)


# The view of offline bundles: the same for everybody, without anything about any house.


FOR_EVER: Final = "public, max-age=31536000, immutable"


@require_safe
def send_bundle(request: HttpRequest, ruleset: str, version: str) -> HttpResponse:
    """The script of a ruleset; 404 if its version is not that of this server's pages."""
    if ruleset not in games() or version != version_of(ruleset):
        raise Http404("There is no such bundle: load the page again.")
    made = bundle(ruleset)
    compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(
        made.compressed if compressed else made.plain,
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"},
    )
    if compressed:
        response["Content-Encoding"] = "gzip"
    return response
