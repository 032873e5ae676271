"""Addresses of approvals in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.approvals")

urlpatterns = [
    at("approvals/", "api.Approvals"),
    at("approvals/<uuid:approval>/", "api.OneApproval"),
    *(
        at(
            f"approvals/<uuid:approval>/{do}/",
            f"api.{do}",
        )
        for do in ("approve", "reject", "withdraw", "alone", "review")
    ),
]
