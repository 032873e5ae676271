"""Addresses of players in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.players")

urlpatterns = [
    at("players/", "api.Players"),
    at("players/<slug:player>/erase/", "api.Erase"),
    at("players/<slug:player>/readmit/", "api.Readmit"),
    at("cash-log/", "money_api.CashLog"),
    at("unclaimed/", "money_api.Unclaimed"),
    at("late-cash-outs/", "money_api.LateCashOut"),
    at("prizes/<int:position>/hand-out/", "money_api.HandOut"),
    at("prizes/<int:position>/ask/", "money_api.AskPrize"),
]
