"""The addresses of wall boards: the only pages of the floor that need no sign-in."""

from casino.kit.web import addresses

at = addresses.within("casino.floor.guests.wall")

pages = [
    at("<slug:key>/", "pages.page", name="wall"),
    at("<slug:key>/board/", "pages.board", name="wall-board"),
]
