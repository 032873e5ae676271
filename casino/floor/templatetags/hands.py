"""The hands' names, as they are said at the table."""

from django import template
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

register = template.Library()

NAMES = {
    "pair": _("pair"),
    "run": _("run"),
    "triple": _("triple"),
    "triad": _("triad"),
    "empty": pgettext_lazy("a throw that makes no hand", "empty"),
    "home": _("home throw"),
    "junk": _("junk"),
    "show_up": _("show-up"),
    "double_show_up": _("double show-up"),
    "three": _("three of a kind"),
    "four": _("four of a kind"),
    "five": _("five of a kind"),
}


@register.simple_tag
def hand(name: str | None, score: int | None = None) -> str:
    """`{% hand "pair" 7 %}` is "pair 7"; an unknown hand keeps its own name."""
    if not name:
        return ""
    said = str(NAMES.get(name, name.replace("_", " ")))
    return said if score is None else f"{said} {score}"
