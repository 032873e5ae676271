"""Addresses of the settings pages."""

from casino.kit.web import addresses

at = addresses.within("casino.settings.configuration")

pages = [
    at("", "house_pages.house", name="settings"),
    at("tables/", "things_pages.tables", name="settings-tables"),
    at("tables/new/", "things_pages.table_new", name="settings-table-new"),
    at("tables/<uuid:table>/", "things_pages.table", name="settings-table"),
    at("dice/", "things_pages.dice", name="settings-dice"),
    at("dice/new/", "things_pages.dice_new", name="settings-dice-new"),
    at("dice/<uuid:dice_set>/", "things_pages.dice_set", name="settings-dice-set"),
    at("rules/", "rules_pages.rules", name="settings-rules"),
    at("rules/<slug:game>/", "rules_pages.rules_of", name="settings-rules-of"),
    at("home-throws/", "home_throw_pages.home_throw", name="settings-home-throws"),
    at("prizes/", "things_pages.prizes", name="settings-prizes"),
    at("prizes/new/", "things_pages.prize_new", name="settings-prize-new"),
    at("prizes/<uuid:prize_rule>/", "things_pages.prize", name="settings-prize"),
    at("scoreboards/<slug:game>/", "scoreboard_pages.board", name="settings-scoreboard"),
    at("scoreboards/<slug:game>/end/", "scoreboard_pages.end", name="settings-season-end"),
    at(
        "scoreboards/<slug:game>/adjust/",
        "scoreboard_pages.adjust",
        name="settings-season-adjust",
    ),
    at("changes/", "change_log_pages.log", name="settings-changes"),
]

houses = [
    at("", "houses_api.Houses", name="establishments"),
    at("<uuid:establishment>/", "houses_api.OneHouse", name="house"),
]

api = [
    at("configuration/", "api.Configuration"),
    at("house-rules/", "api.HouseRulesOf"),
    at("scoreboards/", "scoreboards_api.Scoreboards"),
    at("scoreboards/<slug:game>/end/", "scoreboards_api.EndSeason"),
    at("scoreboards/<slug:game>/adjust/", "scoreboards_api.AdjustSeason"),
    at("changes/", "api.Changes"),
    at("tables/", "houses_api.Tables"),
    at("rollovers/", "houses_api.Rollovers"),
    at("ledger/", "houses_api.Ledger"),
]
