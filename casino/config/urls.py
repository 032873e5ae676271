"""Every address of the house: each room brings its own."""

from django.urls import include, path

from casino.web import addresses

at = addresses.within("casino.health.checks")

handler500 = "casino.config.storage_unavailable.failed"

urlpatterns = [
    path("api/", include("casino.config.api_urls")),
    at("healthz", "healthz", name="healthz"),
    at("healthz/web", "healthz_web", name="healthz-web"),
    addresses.part("admin/", "casino.admin_site.urls", "admin"),
    path("floor/", include("casino.tables.urls")),
    path("wall/", include("casino.wall.urls")),
    path("odds/", include("casino.odds.urls")),
    path("ledger/", include("casino.proofs.urls")),
    path("receipts/", include("casino.payouts.receipt_urls")),
    path("", include("casino.dashboard.urls")),
    path("approvals/", include("casino.approvals.urls")),
    path("exceptions/", include("casino.exceptions.urls")),
    path("controls/", include("casino.controls.urls")),
    path("cash/", include("casino.cash.urls")),
    path("dice/sets/", include("casino.dice.urls")),
    path("days/", include("casino.gaming_days.urls")),
    path("accounts/fee-boxes/", include("casino.cash.fee_box_urls")),
    path("accounts/", include("casino.accounts.urls")),
    path("players/", include("casino.players.urls")),
    path("disputes/", include("casino.disputes.urls")),
    path("late/", include("casino.devices.urls")),
    path("dice/", include("casino.surveillance.urls")),
    path("proof/", include("casino.integrity.urls")),
    path("reports/", include("casino.reports.urls")),
    path("settings/import/", include("casino.onboarding.import_urls")),
    path("settings/", include("casino.configuration.urls")),
    path("set-up/", include("casino.onboarding.urls")),
    path("events/", include("casino.proofs.event_urls")),
    path("", include("casino.search.urls")),
    path("what-if/", include("casino.what_if.urls")),
    path("pots/", include("casino.pots.urls")),
    path("payouts/", include("casino.payouts.urls")),
    path("", include("casino.sign_in.urls")),
    path("people/", include("casino.staff.urls")),
]
