"""Addresses of the settings pages."""

from casino.kit.web import addresses

at = addresses.within("casino.settings.configuration")

pages = [
    at("", "pages.house", name="settings"),
    at("tables/", "pages.tables", name="settings-tables"),
    at("tables/new/", "pages.table_new", name="settings-table-new"),
    at("tables/<uuid:table>/", "pages.table", name="settings-table"),
    at("dice/", "pages.dice", name="settings-dice"),
    at("dice/new/", "pages.dice_new", name="settings-dice-new"),
    at("dice/<uuid:dice_set>/", "pages.dice_set", name="settings-dice-set"),
    at("rules/", "rules_pages.rules", name="settings-rules"),
    at("rules/<slug:game>/", "rules_pages.rules_of", name="settings-rules-of"),
    at("home-throws/", "rules_pages.home_throw", name="settings-home-throws"),
    at("prizes/", "pages.prizes", name="settings-prizes"),
    at("prizes/new/", "pages.prize_new", name="settings-prize-new"),
    at("prizes/<uuid:prize_rule>/", "pages.prize", name="settings-prize"),
    at("scoreboards/<slug:game>/", "scoreboard_pages.board", name="settings-scoreboard"),
    at("scoreboards/<slug:game>/end/", "scoreboard_pages.end", name="settings-season-end"),
    at(
        "scoreboards/<slug:game>/adjust/",
        "scoreboard_pages.adjust",
        name="settings-season-adjust",
    ),
    at("changes/", "pages.change_log", name="settings-changes"),
]

houses = [
    at("", "api.Houses", name="establishments"),
    at("<uuid:establishment>/", "api.OneHouse", name="house"),
]

api = [
    at("configuration/", "api.Configuration"),
    at("house-rules/", "api.HouseRulesOf"),
    at("scoreboards/", "api.Scoreboards"),
    at("scoreboards/<slug:game>/end/", "api.EndSeason"),
    at("scoreboards/<slug:game>/adjust/", "api.AdjustSeason"),
    at("changes/", "api.Changes"),
    at("tables/", "api.Tables"),
    at("rollovers/", "api.Rollovers"),
    at("ledger/", "api.Ledger"),
]
