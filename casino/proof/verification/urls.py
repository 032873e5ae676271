"""Addresses of the office's pages *Proof* and of events, of the public proofs, and their API."""

from casino.kit.web import addresses

at = addresses.within("casino.proof.verification")

pages = [
    at("", "pages.proof", name="proof"),
    at("checkpoints/", "pages.all_checkpoints", name="proof-checkpoints"),
    at("verify/", "pages.verify", name="proof-verify"),
    at("verifications/<uuid:verification>/", "pages.verification", name="verification"),
    at("retry/", "pages.retry", name="proof-retry"),
]

public = [
    at("verify.py", "public_pages.verifier", name="ledger-verifier"),
    at("<uuid:establishment>/", "public_pages.ledger", name="ledger-of"),
    at("<uuid:establishment>/checkpoint", "public_pages.checkpoint", name="ledger-checkpoint"),
    at("<uuid:establishment>/keys", "public_pages.keys", name="ledger-keys"),
    at("<uuid:establishment>/link/<int:old>", "public_pages.link", name="ledger-link"),
    at(
        "<uuid:establishment>/<int:position>/<str:leaf>/", "public_pages.check", name="ledger-check"
    ),
]

receipts = [
    at("<uuid:game>/<int:cause>.<int:seq>/", "public_pages.receipt", name="receipt"),
    at("<uuid:game>/<int:cause>.<int:seq>/file", "public_pages.receipt_file", name="receipt-file"),
]

events = [
    at("", "pages.ledger_events", name="ledger-events"),
    at("<int:position>/", "pages.ledger_event", name="ledger-event"),
    at("<int:position>/body", "pages.ledger_event_body", name="ledger-event-body"),
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
