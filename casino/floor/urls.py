"""The attendants' pages."""

from django.urls import path

from casino.floor import attendants, views

urlpatterns = [
    path("", views.tables, name="floor"),
    path("attendant/", attendants.attendant, name="floor-attendant"),
    path("tables/<uuid:table>/", views.open_at, name="floor-open"),
    path("games/<uuid:game>/", views.game, name="floor-game"),
    path("games/<uuid:game>/board/", views.board, name="floor-board"),
    path("games/<uuid:game>/log/", views.log, name="floor-log"),
    path("games/<uuid:game>/beside/", views.beside_play, name="floor-beside"),
    path("games/<uuid:game>/rounds/<int:number>/", views.round_, name="floor-round"),
    path("games/<uuid:game>/command/", views.command, name="floor-command"),
]
