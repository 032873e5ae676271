"""What anybody may look at, signed in or not; and receipts, for who works at the house."""

from casino import addresses

at = addresses.within("casino.proofs")

urlpatterns = [
    at("ledger/verify.py", "views.verifier", name="ledger-verifier"),
    at("ledger/<uuid:establishment>/", "views.ledger", name="ledger-of"),
    at("ledger/<uuid:establishment>/checkpoint", "views.checkpoint", name="ledger-checkpoint"),
    at("ledger/<uuid:establishment>/keys", "views.keys", name="ledger-keys"),
    at("ledger/<uuid:establishment>/link/<int:old>", "views.link", name="ledger-link"),
    at(
        "ledger/<uuid:establishment>/<int:position>/<str:leaf>/", "views.check", name="ledger-check"
    ),
    at("receipts/<uuid:game>/<int:cause>.<int:seq>/", "receipt_pages.receipt", name="receipt"),
    at(
        "receipts/<uuid:game>/<int:cause>.<int:seq>/file", "receipt_pages.file", name="receipt-file"
    ),
]
