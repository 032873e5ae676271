"""Addresses of players and their money."""

from django.urls import path

from casino.backoffice import players, players_money

urlpatterns = [
    path("", players.players, name="players"),
    path("excluded/", players.excluded, name="exclusions"),
    path("cash-log/", players_money.cash_log, name="cash-log"),
    path("cash-log/<str:day>/<slug:token>/", players_money.cash_of, name="cash-of"),
    path("unclaimed/", players_money.unclaimed, name="unclaimed"),
    path("unclaimed/<uuid:game>/<slug:token>/", players_money.late, name="late-cash-out"),
    path("unclaimed/prizes/<int:position>/", players_money.prize, name="hand-out"),
    path("tips/", players_money.tips_page, name="tips"),
    path("tips/<uuid:table>/<uuid:attendant>/", players_money.pay_tips, name="pay-tips"),
    path("<slug:token>/", players.player, name="player"),
]
