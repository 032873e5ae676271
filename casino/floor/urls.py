"""The attendants' pages."""

from django.urls import path

from casino.ahead.views import bundle
from casino.floor import attendants, hall, offline, recording, seating, sheets, views

urlpatterns = [
    path("worker.js", offline.worker, name="floor-worker"),
    path("ahead/<slug:ruleset>.<slug:version>.js", bundle, name="floor-bundle"),
    path("", hall.hall, name="floor"),
    path("tables/", hall.tables, name="floor-tables"),
    path("attendant/", attendants.attendant, name="floor-attendant"),
    path("tables/<uuid:table>/", views.open_at, name="floor-open"),
    path("tables/<uuid:table>/players/", seating.players, name="floor-players"),
    path("games/<uuid:game>/", views.game, name="floor-game"),
    path("games/<uuid:game>/board/", views.board, name="floor-board"),
    path("games/<uuid:game>/ahead/", views.ahead, name="floor-ahead"),
    path("games/<uuid:game>/log/", views.log, name="floor-log"),
    path("games/<uuid:game>/beside/", sheets.beside_play, name="floor-beside"),
    path("games/<uuid:game>/void/", sheets.void, name="floor-void"),
    path("games/<uuid:game>/supervisor/", sheets.supervisor, name="floor-supervisor"),
    path("games/<uuid:game>/rounds/<int:number>/", views.round_, name="floor-round"),
    path("games/<uuid:game>/command/", views.command, name="floor-command"),
    path("games/<uuid:game>/entries/", recording.entries, name="floor-entries"),
    path("games/<uuid:game>/lease/", recording.lease, name="floor-lease"),
]
