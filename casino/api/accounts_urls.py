"""Addresses of a house's accounts and players, below the house's own."""

from django.urls import path

from casino.api import accounts, cage, exclusions, fee_boxes, players, players_money

urlpatterns = [
    path("accounts/", accounts.Chart.as_view()),
    path("accounts/<slug:kind>/", accounts.OfKind.as_view()),
    path("accounts/<slug:kind>/<path:name>/", accounts.Statement.as_view()),
    path("cage/", cage.Cage.as_view()),
    path("fee-boxes/", fee_boxes.FeeBoxes.as_view()),
    path("fee-boxes/<uuid:table>/counts/", fee_boxes.FeeCounts.as_view()),
    path("players/", players.Players.as_view()),
    path("players/<slug:player>/erase/", players.Erase.as_view()),
    path("players/<slug:player>/readmit/", exclusions.Readmit.as_view()),
    path("exclusions/", exclusions.Exclusions.as_view()),
    path("seats-refused/", exclusions.Tried.as_view()),
    path("cash-log/", players_money.CashLog.as_view()),
    path("unclaimed/", players_money.Unclaimed.as_view()),
    path("late-cash-outs/", players_money.LateCashOut.as_view()),
    path("prizes/<int:position>/hand-out/", players_money.HandOut.as_view()),
    path("prizes/<int:position>/ask/", players_money.AskPrize.as_view()),
]
