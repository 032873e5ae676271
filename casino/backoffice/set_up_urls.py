"""The addresses of setting up a house: `found` by a link, the others signed in."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "founding.found", name="found"),
    at("go-on/", "set_up_house.go_on", name="set-up"),
    at("house/", "set_up_house.house", name="set-up-house"),
    at("tables/", "set_up_floor.tables", name="set-up-tables"),
    at("dice/", "set_up_floor.dice", name="set-up-dice"),
    at("games/", "set_up_games.games", name="set-up-games"),
    at("home-throw/", "set_up_games.home_throw", name="set-up-home-throw"),
    at("staff/", "set_up_staff.staff", name="set-up-staff"),
    at("done/", "set_up_house.done", name="set-up-done"),
]
