"""Where this machine keeps a Firefox, for tests in browsers other than Chromium."""

from __future__ import annotations

import os
import shutil

NAMES = ("firefox-esr", "firefox")
MISSING = "no Firefox found. As root: apt-get install -y firefox-esr (or name one in FIREFOX)"


def find() -> str | None:
    candidates = [os.environ.get("FIREFOX", ""), *NAMES]
    return next(filter(None, map(shutil.which, candidates)), None)
