"""The addresses of proofs: pages that need no sign-in, the API, and the office's list of events."""

from casino.kit.web import addresses

at = addresses.within("casino.proof.verification.proofs")

pages = [
    at("verify.py", "views.verifier", name="ledger-verifier"),
    at("<uuid:establishment>/", "views.ledger", name="ledger-of"),
    at("<uuid:establishment>/checkpoint", "views.checkpoint", name="ledger-checkpoint"),
    at("<uuid:establishment>/keys", "views.keys", name="ledger-keys"),
    at("<uuid:establishment>/link/<int:old>", "views.link", name="ledger-link"),
    at("<uuid:establishment>/<int:position>/<str:leaf>/", "views.check", name="ledger-check"),
]

receipts = [
    at("<uuid:game>/<int:cause>.<int:seq>/", "receipt_pages.receipt", name="receipt"),
    at("<uuid:game>/<int:cause>.<int:seq>/file", "receipt_pages.file", name="receipt-file"),
]

events = [
    at("", "event_pages.listing", name="ledger-events"),
    at("<int:position>/", "event_pages.one", name="ledger-event"),
    at("<int:position>/body", "event_pages.body", name="ledger-event-body"),
]

api = [
    at("checkpoint/", "api.Checkpoints"),
    at("consistency/", "api.Consistency"),
    at(
        "events/<int:position>/proof/",
        "api.EventProof",
        name="event-proof",
    ),
    at(
        "payouts/<uuid:game>/<int:cause>/<int:seq>/receipt/",
        "api.ReceiptOfPayout",
    ),
]
