"""The addresses of a house's configuration."""

from django.urls import path

from casino.api import configuration

urlpatterns = [
    path("configuration/", configuration.Configuration.as_view()),
    path("house-rules/", configuration.HouseRulesOf.as_view()),
    path("changes/", configuration.Changes.as_view()),
]
