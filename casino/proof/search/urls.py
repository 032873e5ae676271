"""Addresses of search, of how things stood, and of pots' lineage."""

from casino.kit.web import addresses

at = addresses.within("casino.proof.search")

pages = [
    at("games/", "game_pages.find", name="games"),
    at("games/<uuid:game>/at/", "game_pages.at", name="game-at-any"),
    at("games/<uuid:game>/at/<int:number>/", "game_pages.game_at", name="game-at"),
    at("tables/<uuid:table>/at/", "pages.table_at", name="table-at"),
    at("pots/<uuid:game>/at/", "pages.pot_at", name="pot-at"),
    at("pots/<uuid:game>/lineage/", "pages.of_pot", name="pot-lineage"),
    at("house/at/", "pages.house_at", name="house-at"),
]
