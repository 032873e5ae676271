"""Disputes in the office."""

from casino.web import addresses

at = addresses.within("casino.disputes")

urlpatterns = [
    at("", "pages.overview", name="disputes"),
    at("find/", "pages.search", name="disputes-find"),
    at("raise/<uuid:game>/", "pages.raise_", name="dispute-raise"),
    at("<uuid:game>/<int:dispute>/", "pages.one", name="dispute"),
    at("<uuid:game>/<int:dispute>/bundle/", "pages.download", name="dispute-bundle"),
]
