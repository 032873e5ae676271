"""Addresses of the house's accounts."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "accounts.chart", name="accounts"),
    at("cage-and-bank/", "cage.cage", name="cage"),
    at("fee-boxes/", "fee_boxes.fee_boxes", name="fee-boxes"),
    at("fee-boxes/<uuid:table>/count/", "fee_boxes.count_fees", name="fee-count"),
    at("<slug:kind>/", "accounts.of_kind", name="accounts-kind"),
    at("<slug:kind>/<path:name>/", "accounts.one", name="account"),
]
