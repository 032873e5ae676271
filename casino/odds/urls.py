"""The page of odds."""

from casino.web import addresses

at = addresses.within("casino.odds")

urlpatterns = [
    at("", "views.first", name="odds"),
    at("<slug:game>/", "views.odds", name="odds-of"),
]
