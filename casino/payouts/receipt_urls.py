"""Addresses of receipts, for who works at the house."""

from casino.web import addresses

at = addresses.within("casino.payouts")

urlpatterns = [
    at("<uuid:game>/<int:cause>.<int:seq>/", "receipt_pages.receipt", name="receipt"),
    at("<uuid:game>/<int:cause>.<int:seq>/file", "receipt_pages.file", name="receipt-file"),
]
