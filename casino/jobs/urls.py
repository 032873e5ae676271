"""The addresses of jobs."""

from casino.web import addresses

at = addresses.within("casino.jobs")
lists = addresses.Lists("casino.jobs")

pages = [at("", "pages.jobs", name="jobs")]

api = [lists.api("jobs/", "JOBS")]
