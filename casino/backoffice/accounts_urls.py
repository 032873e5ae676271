"""Addresses of the house's accounts."""

from django.urls import path

from casino.backoffice import accounts

urlpatterns = [
    path("", accounts.chart, name="accounts"),
    path("cage-and-bank/", accounts.cage, name="cage"),
    path("fee-boxes/", accounts.fee_boxes, name="fee-boxes"),
    path("fee-boxes/<uuid:table>/count/", accounts.count_fees, name="fee-count"),
    path("<slug:kind>/", accounts.of_kind, name="accounts-kind"),
    path("<slug:kind>/<path:name>/", accounts.one, name="account"),
]
