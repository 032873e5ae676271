"""Finding rounds and events, how things stood, where a pot's coins came from."""

from django.urls import path

from casino.backoffice import events, games, lineage, stood

urlpatterns = [
    path("games/", games.find, name="games"),
    path("games/<uuid:game>/at/", games.at, name="game-at-any"),
    path("games/<uuid:game>/at/<int:number>/", games.game_at, name="game-at"),
    path("events/", events.listing, name="ledger-events"),
    path("events/<int:position>/", events.one, name="ledger-event"),
    path("events/<int:position>/body", events.body, name="ledger-event-body"),
    path("tables/<uuid:table>/at/", stood.table_at, name="table-at"),
    path("pots/<uuid:game>/at/", stood.pot_at, name="pot-at"),
    path("pots/<uuid:game>/lineage/", lineage.of_pot, name="pot-lineage"),
    path("house/at/", stood.house_at, name="house-at"),
]
