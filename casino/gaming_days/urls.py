"""Addresses of gaming days in the office."""

from casino.web import addresses

at = addresses.within("casino.gaming_days")

urlpatterns = [
    at("", "pages.all_days", name="days"),
    at("late/", "pages.late", name="days-late"),
    at("<slug:day>/", "pages.day", name="day"),
    at("<slug:day>/sign/", "pages.sign", name="day-sign"),
]
