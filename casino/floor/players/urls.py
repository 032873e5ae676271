"""The addresses of the pages and the API of players and their money."""

from casino.kit.web import addresses

at = addresses.within("casino.floor.players")
lists = addresses.Lists("casino.floor.players")
protection = addresses.Lists("casino.play.exclusions")

pages = [
    at("", "pages.players", name="players"),
    at("excluded/", "pages.exclusions_page", name="exclusions"),
    at("excluded/turned-away/", "pages.seats_refused", name="seats-refused"),
    protection.page("limits/", "LIMITS", name="limits"),
    at("cash-log/", "pages.cash_log", name="cash-log"),
    lists.page("cash-log/transactions/", "CASH_MOVES", name="cash-moves"),
    at("cash-log/<str:day>/<slug:token>/", "pages.cash_of", name="cash-of"),
    at("unclaimed/", "pages.unclaimed_money", name="unclaimed"),
    at("unclaimed/<uuid:game>/<slug:token>/", "pages.late", name="late-cash-out"),
    at("unclaimed/prizes/<int:position>/", "pages.prize", name="hand-out"),
    at("tips/", "pages.tips_page", name="tips"),
    at("tips/<uuid:table>/<uuid:attendant>/", "pages.pay_tips", name="pay-tips"),
    at("waiting/", "waiting_pages.waiting_list", name="waiting"),
    at("waiting/<uuid:entry>/", "waiting_pages.waiting_entry", name="waiting-entry"),
    at("<slug:token>/", "pages.player", name="player"),
    at("<slug:token>/shown/", "pages.on_screens", name="player-shown"),
    at("<slug:token>/limits/", "pages.limits_of_player", name="player-limits"),
]

boards = [
    at("", "scoreboard_pages.scoreboard", name="scoreboards"),
    at("<slug:game>/", "scoreboard_pages.scoreboard", name="scoreboard"),
]

api = [
    at("players/", "api.Players"),
    at("players/<slug:player>/erase/", "api.Erase"),
    at("players/<slug:player>/readmit/", "api.Readmit"),
    at("players/<slug:player>/shown/", "api.OnScreens"),
    at("scoreboards/<slug:game>/", "api.Scoreboard"),
    at("limits/", "api.PlayerLimits"),
    at("waiting/", "api.WaitingList"),
    at("waiting/<uuid:entry>/call/", "api.Call"),
    at("waiting/<uuid:entry>/skip/", "api.Skip"),
    at("waiting/<uuid:entry>/take-off/", "api.TakeOff"),
    at("cash-log/", "api.CashLog"),
    at("unclaimed/", "api.Unclaimed"),
    at("late-cash-outs/", "api.LateCashOut"),
    at("prizes/<int:position>/hand-out/", "api.HandOut"),
    at("prizes/<int:position>/ask/", "api.AskPrize"),
]
