"""Addresses of fee boxes, among the accounts."""

from casino.web import addresses

at = addresses.within("casino.cash")

urlpatterns = [
    at("", "fee_box_pages.fee_boxes", name="fee-boxes"),
    at("<uuid:table>/count/", "fee_box_pages.count_fees", name="fee-count"),
]
