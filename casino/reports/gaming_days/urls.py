"""The addresses of the pages and the API of gaming days."""

from casino.kit.web import addresses

at = addresses.within("casino.reports.gaming_days")
lists = addresses.Lists("casino.reports.gaming_days")

pages = [
    at("", "pages.all_days", name="days"),
    lists.page("late/", "LATE", name="days-late"),
    at("<slug:day>/", "pages.day", name="day"),
    at("<slug:day>/sign/", "pages.sign", name="day-sign"),
]

api = [
    at("days/", "api.Days"),
    at("days/<slug:day>/", "api.OneDay"),
    at("days/<slug:day>/close/", "api.CloseDay"),
    at("days/<slug:day>/sign/", "api.SignDay"),
    at("late/", "api.LateEntries"),
]
