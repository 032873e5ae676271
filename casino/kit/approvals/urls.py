"""Addresses of approvals."""

from casino.kit.web import addresses

at = addresses.within("casino.kit.approvals")
lists = addresses.Lists("casino.kit.approvals")

pages = [
    at("", "pages.queue", name="approvals"),
    lists.page("history/", "DECIDED", name="approvals-history"),
    at("<uuid:request_id>/", "pages.one", name="approval"),
]

api = [
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
