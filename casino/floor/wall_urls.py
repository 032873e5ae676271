"""Wall boards: the only pages of the floor that need no sign-in."""

from casino import addresses

at = addresses.within("casino.floor")

urlpatterns = [
    at("<slug:key>/", "wall.page", name="wall"),
    at("<slug:key>/board/", "wall.board", name="wall-board"),
]
