"""
What apps bring to lists that others go through: kinds of requests, readers of the house's events.

An app's config has a method `brings`, which registers what it has. They are asked when such a list
is first looked into, so that a process which never does imports nothing of it.
"""

from functools import cache

from django.apps import apps


@cache
def everything() -> None:
    """Have all lists whole; after the first time this costs nothing."""
    for config in apps.get_app_configs():
        if brings := getattr(config, "brings", None):
            brings()
