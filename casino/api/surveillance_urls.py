"""Addresses of what throws say about dice, below the house's own."""

from django.urls import path

from casino.api import surveillance

urlpatterns = [
    path("streams/", surveillance.Streams.as_view()),
    path("streams/<slug:kind>/<slug:name>/<int:sides>/", surveillance.OneStream.as_view()),
    path("alarms/", surveillance.Alarms.as_view()),
    path("alarms/<uuid:alarm>/acknowledge/", surveillance.Acknowledge.as_view()),
]
