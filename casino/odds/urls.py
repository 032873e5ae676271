"""The page of odds."""

from django.urls import path

from casino.odds import views

urlpatterns = [
    path("", views.first, name="odds"),
    path("<slug:game>/", views.odds, name="odds-of"),
]
