"""The addresses of the start page."""

from casino.web import addresses

at = addresses.within("casino.dashboard")
lists = addresses.Lists("casino.dashboard")

pages = [
    at("", "views.start", name="start"),
    at("house/", "views.choose_house", name="choose-house"),
    lists.page("houses/", "MY_HOUSES", name="my-houses"),
]
