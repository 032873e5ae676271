"""Disputes in the office."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "disputes.overview", name="disputes"),
    at("find/", "disputes.search", name="disputes-find"),
    at("raise/<uuid:game>/", "disputes.raise_", name="dispute-raise"),
    at("<uuid:game>/<int:dispute>/", "disputes.one", name="dispute"),
    at("<uuid:game>/<int:dispute>/bundle/", "disputes.download", name="dispute-bundle"),
]
