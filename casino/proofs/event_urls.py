"""Addresses of the ledger, event by event, in the office."""

from casino.web import addresses

at = addresses.within("casino.proofs")

urlpatterns = [
    at("", "event_pages.listing", name="ledger-events"),
    at("<int:position>/", "event_pages.one", name="ledger-event"),
    at("<int:position>/body", "event_pages.body", name="ledger-event-body"),
]
