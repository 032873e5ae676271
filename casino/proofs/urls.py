"""What anybody may look at, signed in or not; and receipts, for who works at the house."""

from django.urls import path

from casino.proofs import receipt_pages, views

urlpatterns = [
    path("ledger/verify.py", views.verifier, name="ledger-verifier"),
    path("ledger/<uuid:establishment>/", views.ledger, name="ledger-of"),
    path("ledger/<uuid:establishment>/checkpoint", views.checkpoint, name="ledger-checkpoint"),
    path("ledger/<uuid:establishment>/keys", views.keys, name="ledger-keys"),
    path("ledger/<uuid:establishment>/link/<int:old>", views.link, name="ledger-link"),
    path(
        "ledger/<uuid:establishment>/<int:position>/<str:leaf>/", views.check, name="ledger-check"
    ),
    path("receipts/<uuid:game>/<int:cause>.<int:seq>/", receipt_pages.receipt, name="receipt"),
    path(
        "receipts/<uuid:game>/<int:cause>.<int:seq>/file", receipt_pages.file, name="receipt-file"
    ),
]
