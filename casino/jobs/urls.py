"""Addresses of jobs."""

from casino.web import addresses

at = addresses.within("casino.jobs")

pages = [at("", "pages.jobs", name="jobs")]
