"""A package, so that house and browser can last as long as its tests do (conftest.py)."""
