"""
What rooms add to lists of rooms below them, such as kinds of requests and readers of events.

`settings.HOUSE_PARTS` names the function that adds everything. It is called when such a list is
first read, so a process that reads none imports none of it.
"""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string


@cache
def everything() -> None:
    """Let all rooms register what they have; after the first time this costs nothing."""
    import_string(settings.HOUSE_PARTS)()
