"""What throws say about dice, in the office."""

from django.urls import path

from casino.backoffice import dice

urlpatterns = [
    path("", dice.overview, name="dice"),
    path("entries/", dice.entries, name="dice-entries"),
    path("of/<slug:kind>/<slug:name>/", dice.of, name="dice-of"),
    path("alarms/<uuid:alarm>/acknowledge/", dice.acknowledge, name="dice-acknowledge"),
]
