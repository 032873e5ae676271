"""
Where the files lie that are no modules, and below which folder a house keeps what it writes.

In the source, templates, catalogues and pages lie where people look for them: beside the packages.
A wheel is made of packages alone, so there they lie in ``casino/bundled`` (`pyproject.toml` says
what becomes what). One rule: ``casino/bundled`` where there is one, else beside the packages.
"""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Final


def _package(name: str) -> Path:
    """
    The folder of an installed package, which is not imported for it.

    :raises ModuleNotFoundError: if it is not installed.
    """
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed.", name=name)
    return Path(spec.origin).parent


PACKAGE: Final = Path(__file__).resolve().parent.parent
WITHIN: Final = PACKAGE / "bundled"
INSTALLED: Final = WITHIN.is_dir()
DATA_FILES: Final = WITHIN if INSTALLED else PACKAGE.parent

TEMPLATES: Final = DATA_FILES / "templates"
LOCALE: Final = DATA_FILES / "locale"
RULES: Final = DATA_FILES / "docs" / "games"
CONTROLS: Final = DATA_FILES / "docs" / "reference" / "controls.md"
TEST_RESULTS: Final = DATA_FILES / "test-results"
"""What the last whole run of the tests said. Tests are run in the source: no wheel brings it."""
TRANSCRIPTS: Final = (
    DATA_FILES / "transcripts" if INSTALLED else DATA_FILES / "tests" / "transcripts"
)
STATIC: Final = PACKAGE / "static"
SWAGGER_UI: Final = (
    _package("drf_spectacular_sidecar") / "static" / "drf_spectacular_sidecar" / "swagger-ui-dist"
)


def kept_below() -> Path:
    """
    The source's own folder; of an installed house the person's, by the XDG base directories. What
    is installed may be read-only, and is gone with the next version.

    :raises RuntimeError: if nobody knows where this person's files are.
    """
    if not INSTALLED:
        return DATA_FILES
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    data = given if given.is_absolute() else Path.home() / ".local" / "share"
    return data / "home-throw"
