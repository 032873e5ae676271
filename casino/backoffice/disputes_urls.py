"""Disputes in the office."""

from django.urls import path

from casino.backoffice import disputes

urlpatterns = [
    path("", disputes.overview, name="disputes"),
    path("find/", disputes.search, name="disputes-find"),
    path("raise/<uuid:game>/", disputes.raise_, name="dispute-raise"),
    path("<uuid:game>/<int:dispute>/", disputes.one, name="dispute"),
    path("<uuid:game>/<int:dispute>/bundle/", disputes.download, name="dispute-bundle"),
]
