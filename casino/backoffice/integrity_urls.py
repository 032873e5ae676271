"""Proof: the office's pages about the ledger itself."""

from django.urls import path

from casino.backoffice import integrity

urlpatterns = [
    path("", integrity.proof, name="proof"),
    path("checkpoints/", integrity.all_checkpoints, name="proof-checkpoints"),
    path("verify/", integrity.verify, name="proof-verify"),
    path("verifications/<uuid:verification>/", integrity.verification, name="verification"),
    path("retry/", integrity.retry, name="proof-retry"),
]
