"""The addresses of controls."""

from casino.web import addresses

at = addresses.within("casino.controls")

pages = [
    at("", "pages.all_controls", name="controls"),
]
