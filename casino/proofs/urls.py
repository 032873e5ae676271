"""What anybody may look at, signed in or not."""

from casino.web import addresses

at = addresses.within("casino.proofs")

urlpatterns = [
    at("verify.py", "views.verifier", name="ledger-verifier"),
    at("<uuid:establishment>/", "views.ledger", name="ledger-of"),
    at("<uuid:establishment>/checkpoint", "views.checkpoint", name="ledger-checkpoint"),
    at("<uuid:establishment>/keys", "views.keys", name="ledger-keys"),
    at("<uuid:establishment>/link/<int:old>", "views.link", name="ledger-link"),
    at("<uuid:establishment>/<int:position>/<str:leaf>/", "views.check", name="ledger-check"),
]
