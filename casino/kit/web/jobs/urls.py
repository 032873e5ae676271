"""The addresses of jobs."""

from casino.kit.web import addresses

at = addresses.within("casino.kit.web.jobs")
lists = addresses.Lists("casino.kit.web.jobs")

pages = [at("", "listings.jobs", name="jobs")]

api = [lists.api("jobs/", "JOBS")]
