"""Finding rounds and events, how things stood, where a pot's coins came from."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("games/", "games.find", name="games"),
    at("games/<uuid:game>/at/", "games.at", name="game-at-any"),
    at("games/<uuid:game>/at/<int:number>/", "games.game_at", name="game-at"),
    at("events/", "events.listing", name="ledger-events"),
    at("events/<int:position>/", "events.one", name="ledger-event"),
    at("events/<int:position>/body", "events.body", name="ledger-event-body"),
    at("tables/<uuid:table>/at/", "as_of.table_at", name="table-at"),
    at("pots/<uuid:game>/at/", "as_of.pot_at", name="pot-at"),
    at("pots/<uuid:game>/lineage/", "lineage.of_pot", name="pot-lineage"),
    at("house/at/", "as_of.house_at", name="house-at"),
]
