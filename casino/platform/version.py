"""Which Home Throw this is. Nowhere else: `pyproject.toml` and all that names a version read it."""

VERSION = "0.1.0"
