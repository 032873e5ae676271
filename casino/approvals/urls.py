"""Addresses of approvals in the office."""

from casino.web import addresses

at = addresses.within("casino.approvals")

urlpatterns = [
    at("", "pages.queue", name="approvals"),
    at("history/", "pages.history", name="approvals-history"),
    at("<uuid:asked>/", "pages.one", name="approval"),
]
