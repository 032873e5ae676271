"""Proof: the office's pages about the ledger itself."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "integrity.proof", name="proof"),
    at("checkpoints/", "integrity.all_checkpoints", name="proof-checkpoints"),
    at("verify/", "integrity.verify", name="proof-verify"),
    at("verifications/<uuid:verification>/", "integrity.verification", name="verification"),
    at("retry/", "integrity.retry", name="proof-retry"),
]
