"""The addresses of controls."""

from casino.kit.web import addresses

at = addresses.within("casino.office.dashboard.controls")

pages = [
    at("", "pages.all_controls", name="controls"),
]
