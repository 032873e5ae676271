"""Addresses of the office pages *Proof*, about the ledger itself."""

from casino.kit.web import addresses

at = addresses.within("casino.proof.verification")

pages = [
    at("", "pages.proof", name="proof"),
    at("checkpoints/", "pages.all_checkpoints", name="proof-checkpoints"),
    at("verify/", "pages.verify", name="proof-verify"),
    at("verifications/<uuid:verification>/", "pages.verification", name="verification"),
    at("retry/", "pages.retry", name="proof-retry"),
]
