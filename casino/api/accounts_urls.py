"""Addresses of a house's accounts and players, below the house's own."""

from casino import addresses

at = addresses.within("casino.api")

urlpatterns = [
    at("accounts/", "accounts.Chart"),
    at("accounts/<slug:kind>/", "accounts.OfKind"),
    at("accounts/<slug:kind>/<path:name>/", "accounts.Statement"),
    at("cage/", "cage.Cage"),
    at("fee-boxes/", "fee_boxes.FeeBoxes"),
    at("fee-boxes/<uuid:table>/counts/", "fee_boxes.FeeCounts"),
    at("players/", "players.Players"),
    at("players/<slug:player>/erase/", "players.Erase"),
    at("players/<slug:player>/readmit/", "exclusions.Readmit"),
    at("exclusions/", "exclusions.Exclusions"),
    at("seats-refused/", "exclusions.Tried"),
    at("cash-log/", "players_money.CashLog"),
    at("unclaimed/", "players_money.Unclaimed"),
    at("late-cash-outs/", "players_money.LateCashOut"),
    at("prizes/<int:position>/hand-out/", "players_money.HandOut"),
    at("prizes/<int:position>/ask/", "players_money.AskPrize"),
]
