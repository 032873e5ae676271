"""Addresses of the attendants' pages."""

from casino.kit.web import addresses

at = addresses.within("casino.floor.tables")
offline = addresses.within("casino.floor.tables.offline")

pages = [
    at("worker.js", "web_app.worker", name="floor-worker"),
    at("home-screen.json", "web_app.manifest", name="floor-manifest"),
    offline("offline/<slug:ruleset>.<slug:version>.js", "bundles.send_bundle", name="floor-bundle"),
    at("", "hall.hall", name="floor"),
    at("tables/", "hall.tables", name="floor-tables"),
    at("practice/", "practice.practice", name="floor-practice"),
    at("attendant/", "attendants.attendant", name="floor-attendant"),
    at("tables/<uuid:table>/", "views.open_at", name="floor-open"),
    at("tables/<uuid:table>/players/", "seating.players", name="floor-players"),
    at("games/<uuid:game>/", "views.game", name="floor-game"),
    at("games/<uuid:game>/board/", "views.board", name="floor-board"),
    at("games/<uuid:game>/offline/", "views.offline_events", name="floor-offline"),
    at("games/<uuid:game>/log/", "views.log", name="floor-log"),
    at("games/<uuid:game>/table-events/", "sheets.table_events_sheet", name="floor-table-events"),
    at("games/<uuid:game>/waiting/", "sheets.waiting_sheet", name="floor-waiting"),
    at("games/<uuid:game>/scoreboard/", "sheets.scoreboard_sheet", name="floor-scoreboard"),
    at("games/<uuid:game>/void/", "sheets.void", name="floor-void"),
    at("games/<uuid:game>/anew/", "views.open_anew", name="floor-anew"),
    at("games/<uuid:game>/change/", "sheets.change", name="floor-change"),
    at("games/<uuid:game>/supervisor/", "sheets.supervisor", name="floor-supervisor"),
    at("games/<uuid:game>/rounds/<int:number>/", "views.round_", name="floor-round"),
    at("games/<uuid:game>/command/", "views.command", name="floor-command"),
    at("games/<uuid:game>/entries/", "recording.entries", name="floor-entries"),
    at("games/<uuid:game>/lease/", "recording.lease", name="floor-lease"),
]
