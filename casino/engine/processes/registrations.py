"""
What apps add to lists of other apps, such as kinds of requests and readers of the house's events.

An app's config has a method `register_parts`, which registers what it has. The methods are called
when such a list is first read, so a process that reads none imports none of it.
"""

from functools import cache

from django.apps import apps


@cache
def everything() -> None:
    """Let all apps register what they have; after the first time this costs nothing."""
    for config in apps.get_app_configs():
        if register := getattr(config, "register_parts", None):
            register()
