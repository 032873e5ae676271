"""The version of Home Throw. Defined only here: `pyproject.toml` and all others read it."""

VERSION = "0.1.0"
