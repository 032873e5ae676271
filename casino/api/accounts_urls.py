"""Addresses of a house's accounts and players, below the house's own."""

from django.urls import path

from casino.api import accounts, players

urlpatterns = [
    path("accounts/", accounts.Chart.as_view()),
    path("accounts/<slug:kind>/", accounts.OfKind.as_view()),
    path("accounts/<slug:kind>/<path:name>/", accounts.Statement.as_view()),
    path("cage/", accounts.Cage.as_view()),
    path("fee-boxes/", accounts.FeeBoxes.as_view()),
    path("fee-boxes/<uuid:table>/counts/", accounts.FeeCounts.as_view()),
    path("players/", players.Players.as_view()),
    path("players/<slug:player>/erase/", players.Erase.as_view()),
    path("players/<slug:player>/readmit/", players.Readmit.as_view()),
    path("exclusions/", players.Exclusions.as_view()),
    path("seats-refused/", players.Tried.as_view()),
    path("cash-log/", players.CashLog.as_view()),
    path("unclaimed/", players.Unclaimed.as_view()),
    path("late-cash-outs/", players.LateCashOut.as_view()),
    path("prizes/<int:position>/hand-out/", players.HandOut.as_view()),
    path("prizes/<int:position>/ask/", players.AskPrize.as_view()),
]
