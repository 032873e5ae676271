"""Addresses of players and their money."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "players.players", name="players"),
    at("excluded/", "players.excluded", name="exclusions"),
    at("cash-log/", "players_money.cash_log", name="cash-log"),
    at("cash-log/<str:day>/<slug:token>/", "players_money.cash_of", name="cash-of"),
    at("unclaimed/", "players_money.unclaimed", name="unclaimed"),
    at("unclaimed/<uuid:game>/<slug:token>/", "players_money.late", name="late-cash-out"),
    at("unclaimed/prizes/<int:position>/", "players_money.prize", name="hand-out"),
    at("tips/", "players_money.tips_page", name="tips"),
    at("tips/<uuid:table>/<uuid:attendant>/", "players_money.pay_tips", name="pay-tips"),
    at("<slug:token>/", "players.player", name="player"),
]
