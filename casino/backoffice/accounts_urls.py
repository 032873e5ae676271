"""Addresses of the house's accounts."""

from django.urls import path

from casino.backoffice import accounts, cage, fee_boxes

urlpatterns = [
    path("", accounts.chart, name="accounts"),
    path("cage-and-bank/", cage.cage, name="cage"),
    path("fee-boxes/", fee_boxes.fee_boxes, name="fee-boxes"),
    path("fee-boxes/<uuid:table>/count/", fee_boxes.count_fees, name="fee-count"),
    path("<slug:kind>/", accounts.of_kind, name="accounts-kind"),
    path("<slug:kind>/<path:name>/", accounts.one, name="account"),
]
