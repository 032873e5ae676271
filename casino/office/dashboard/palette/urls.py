"""The address of the box that finds everything."""

from casino.kit.web import addresses

at = addresses.within("casino.office.dashboard.palette")

pages = [at("find/", "pages.find", name="find")]
