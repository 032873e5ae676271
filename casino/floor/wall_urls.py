"""Wall boards: the only pages of the floor that need no sign-in."""

from django.urls import path

from casino.floor import wall

urlpatterns = [
    path("<slug:key>/", wall.page, name="wall"),
    path("<slug:key>/board/", wall.board, name="wall-board"),
]
