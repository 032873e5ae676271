"""Addresses of proofs in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.proofs")

urlpatterns = [
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
