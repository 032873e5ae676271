"""The addresses of wall boards: the only pages of the floor that need no sign-in."""

from casino.kit.web import addresses

at = addresses.within("casino.floor.guests")

pages = [
    at("<slug:key>/", "wall.page", name="wall"),
    at("<slug:key>/board/", "wall.board", name="wall-board"),
]
