"""The addresses of the start page, of the controls, and of the box that finds everything."""

from casino.kit.web import addresses

at = addresses.within("casino.office.dashboard")
lists = addresses.Lists("casino.office.dashboard")

pages = [
    at("", "views.start", name="start"),
    at("house/", "views.choose_house", name="choose-house"),
    lists.page("houses/", "MY_HOUSES", name="my-houses"),
]

controls = [at("", "controls_page.all_controls", name="controls")]

palette = [at("find/", "palette.find", name="find")]
