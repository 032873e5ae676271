"""The address of the demo house's own page."""

from casino.web import addresses

at = addresses.within("casino.demo")

pages = [at("play/", "pages.play", name="demo-play")]
