"""Where this machine keeps a Chromium, for the tests marked ``browser``."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium found. As root: apt-get install -y chromium (or name one in CHROMIUM)"


def find() -> str | None:
    candidates = [os.environ.get("CHROMIUM", ""), *NAMES]
    return next(filter(None, map(shutil.which, candidates)), None)
