"""Where this machine keeps a WebKit that takes orders, for tests in what iPads browse with."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

DRIVER = "WebKitWebDriver"
SCREEN = "Xvfb"  # WebKit's window needs an X server, if one that nobody sees
WINDOWS = ("webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0")  # newest first
MISSING = (
    "no WebKit found. As root: apt-get install -y webkit2gtk-driver xvfb"
    " (or name a driver in WEBKIT)"
)


def find() -> str | None:
    """The path of the driver; None unless an X server is there as well."""
    candidates = [os.environ.get("WEBKIT", ""), DRIVER]
    driver = next(filter(None, map(shutil.which, candidates)), None)
    return driver if driver and shutil.which(SCREEN) and window() else None


def window() -> str | None:
    """The path of the browser that the driver opens."""
    places = [
        path
        for library in WINDOWS
        for path in sorted(Path("/usr").glob(f"lib*/*/{library}/MiniBrowser"))
    ]
    return str(places[0]) if places else None
