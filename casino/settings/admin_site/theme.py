"""
The look of the admin: Unfold's settings, with the values of `static/css/tokens.css`.

Settings import this module, also in processes that serve no page. So it imports what only pages
need within functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.functional import lazy

if TYPE_CHECKING:
    from django.http import HttpRequest


def favicon(_request: HttpRequest) -> str:
    return _file("favicon.svg")


def admin_sheet(_request: HttpRequest) -> str:
    return _file("css/admin.css")


def _file(name: str) -> str:
    from django.templatetags.static import static  # noqa: PLC0415 - see the head of this module

    return static(name)


def _address(name: str) -> str:
    from django.urls import reverse  # noqa: PLC0415 - see the head of this module

    return reverse(name)


address = lazy(_address, str)


def nowhere(_request: HttpRequest) -> bool:
    """Whether the link is the current page: never, because it leads out of the admin."""
    return False


def list_item(title: str, icon: str, model: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": address(f"admin:{model}_changelist")}


# Light values are the pages' paper colours, dark values their night colours.
NEUTRAL = {
    "50": "#faf8f4",
    "100": "#f2eee6",
    "200": "#dfd8cb",
    "300": "#c9c2b5",
    "400": "#938a7b",
    "500": "#6d675d",
    "600": "#5b554b",
    "700": "#3b4049",
    "800": "#2d323a",
    "900": "#14161a",
    "950": "#0e1013",
}
FELT = {
    "50": "#eef6f2",
    "100": "#eaf4ef",
    "200": "#bfe0d2",
    "300": "#8fd3b8",
    "400": "#4fc59b",
    "500": "#4fc59b",
    "600": "#1f7a5c",
    "700": "#1a664d",
    "800": "#165440",
    "900": "#17302a",
    "950": "#0c1512",
}

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Home Throw",
    "SITE_HEADER": "Home Throw",
    "SITE_SUBHEADER": "The house's things and its book",
    "SITE_URL": "/",
    "SITE_ICON": favicon,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": favicon}],
    "SHOW_HISTORY": False,  # the ledger has the history
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "COLORS": {
        "base": NEUTRAL,
        "primary": FELT,
        "font": {
            "subtle-light": "#5b554b",
            "subtle-dark": "#aeaaa2",
            "default-light": "#3b3832",
            "default-dark": "#d6d2ca",
            "important-light": "#1d1b18",
            "important-dark": "#ece8e1",
        },
    },
    "STYLES": [admin_sheet],
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            {
                "items": [
                    {
                        "title": "Today",
                        "icon": "today",
                        "link": address("start"),
                        "active": nowhere,
                    },
                    {
                        "title": "Floor",
                        "icon": "casino",
                        "link": address("floor"),
                        "active": nowhere,
                    },
                ]
            },
            {
                "title": "The house",
                "separator": True,
                "items": [
                    list_item("House", "home", "establishments_establishment"),
                    list_item("Tables", "table_restaurant", "establishments_table"),
                    list_item("Dice sets", "deployed_code", "dice_diceset"),
                    list_item("Home throws", "cottage", "home_throws_homethrow"),
                    list_item("Prizes", "emoji_events", "settlement_prizerule"),
                    list_item("Staff", "badge", "attendants_employment"),
                ],
            },
            {
                "title": "Play and book",
                "separator": True,
                "items": [
                    list_item("Games", "playing_cards", "play_gamecard"),
                    list_item("Events", "receipt_long", "ledger_event"),
                    list_item("Transfers", "swap_horiz", "ledger_transfer"),
                ],
            },
        ],
    },
}
