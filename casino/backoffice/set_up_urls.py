"""The addresses of setting up a house: `found` by a link, the others signed in."""

from django.urls import path

from casino.backoffice import founding, set_up_floor, set_up_games, set_up_house, set_up_staff

urlpatterns = [
    path("", founding.found, name="found"),
    path("go-on/", set_up_house.go_on, name="set-up"),
    path("house/", set_up_house.house, name="set-up-house"),
    path("tables/", set_up_floor.tables, name="set-up-tables"),
    path("dice/", set_up_floor.dice, name="set-up-dice"),
    path("games/", set_up_games.games, name="set-up-games"),
    path("home-throw/", set_up_games.home_throw, name="set-up-home-throw"),
    path("staff/", set_up_staff.staff, name="set-up-staff"),
    path("done/", set_up_house.done, name="set-up-done"),
]
