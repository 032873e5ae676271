"""The addresses of setting up a house: `found` by a link, the others signed in."""

from django.urls import path

from casino.backoffice import setting_up

urlpatterns = [
    path("", setting_up.found, name="found"),
    path("go-on/", setting_up.go_on, name="set-up"),
    path("house/", setting_up.house, name="set-up-house"),
    path("tables/", setting_up.tables, name="set-up-tables"),
    path("dice/", setting_up.dice, name="set-up-dice"),
    path("games/", setting_up.games, name="set-up-games"),
    path("home-throw/", setting_up.home_throw, name="set-up-home-throw"),
    path("staff/", setting_up.staff, name="set-up-staff"),
    path("done/", setting_up.done, name="set-up-done"),
]
