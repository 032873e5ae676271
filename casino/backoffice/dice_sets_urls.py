"""Dice sets in the office: the inventory, and the life of each."""

from django.urls import path

from casino.backoffice import dice_sets

urlpatterns = [
    path("", dice_sets.inventory, name="dice-sets"),
    path("receive/", dice_sets.receive, name="dice-receive"),
    path("<uuid:dice_set>/", dice_sets.one, name="dice-set"),
    path("<uuid:dice_set>/<slug:do>/", dice_sets.act, name="dice-act"),
]
