"""The address of the box that finds everything."""

from casino.web import addresses

at = addresses.within("casino.palette")

pages = [at("find/", "pages.find", name="find")]
