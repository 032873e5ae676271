"""Addresses of controls in the office."""

from casino.web import addresses

at = addresses.within("casino.controls")

urlpatterns = [
    at("", "pages.all_controls", name="controls"),
]
