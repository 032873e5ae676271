"""
Where files that are not modules lie (templates, catalogues, pages), and the folder for a house's
data.

In the source these files lie beside the packages, where people look for them. A wheel contains only
packages, so there they lie in ``casino/bundled`` (`pyproject.toml` maps them). One rule:
``casino/bundled`` if it exists, else beside the packages.
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


PACKAGE: Final = Path(__file__).resolve().parents[2]
WITHIN: Final = PACKAGE / "bundled"
INSTALLED: Final = WITHIN.is_dir()
DATA_FILES: Final = WITHIN if INSTALLED else PACKAGE.parent

TEMPLATES: Final = DATA_FILES / "templates"
LOCALE: Final = DATA_FILES / "locale"
RULES: Final = DATA_FILES / "docs" / "games"
CONTROLS: Final = DATA_FILES / "docs" / "reference" / "controls.md"
TEST_RESULTS: Final = DATA_FILES / "test-results"
"""The results of the last complete test run. Tests run in the source: no wheel contains them."""
TRANSCRIPTS: Final = (
    DATA_FILES / "transcripts" if INSTALLED else DATA_FILES / "tests" / "transcripts"
)
STATIC: Final = PACKAGE / "static"
SWAGGER_UI: Final = (
    _package("drf_spectacular_sidecar") / "static" / "drf_spectacular_sidecar" / "swagger-ui-dist"
)


def data_folder() -> Path:
    """
    The folder below which a house keeps what it writes: in the source, the source's own folder; if
    installed, the person's folder by the XDG base directories. The installed files may be
    read-only, and are gone with the next version.

    :raises RuntimeError: if the person's home folder cannot be determined.
    """
    if not INSTALLED:
        return DATA_FILES
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    data = given if given.is_absolute() else Path.home() / ".local" / "share"
    return data / "home-throw"
