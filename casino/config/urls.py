"""Every address of the house: each room brings its own."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from casino.accounts import urls as accounts
from casino.approvals import urls as approvals
from casino.cash import urls as cash
from casino.configuration import urls as configuration
from casino.controls import urls as controls
from casino.dashboard import urls as dashboard
from casino.devices import urls as devices
from casino.dice import urls as dice
from casino.disputes import urls as disputes
from casino.exceptions import urls as exceptions
from casino.exclusions import urls as exclusions
from casino.gaming_days import urls as gaming_days
from casino.integrity import urls as integrity
from casino.jobs import urls as jobs
from casino.odds import urls as odds
from casino.onboarding import urls as onboarding
from casino.palette import urls as palette
from casino.payouts import urls as payouts
from casino.play import urls as play
from casino.players import urls as players
from casino.pots import urls as pots
from casino.proofs import urls as proofs
from casino.regrade import urls as regrade
from casino.reports import urls as reports
from casino.search import urls as search
from casino.sign_in import urls as sign_in
from casino.staff import urls as staff
from casino.surveillance import urls as surveillance
from casino.tables import urls as tables
from casino.wall import urls as wall
from casino.web import addresses
from casino.what_if import urls as what_if

at = addresses.within("casino")
anything = addresses.within("casino", re_path)

handler500 = "casino.config.storage_unavailable.failed"

Addresses = list[URLPattern | URLResolver]

api_of_a_house: Addresses = [
    *configuration.api, *proofs.api, *approvals.api, *exceptions.api, *reports.api,
    *gaming_days.api, *cash.api, *devices.api, *disputes.api, *regrade.api, *pots.api,
    *payouts.api, *dice.api, *staff.api, *accounts.api, *players.api, *exclusions.api,
    *jobs.api,
    path("surveillance/", include(surveillance.api)),
]  # fmt: skip

api: Addresses = [
    # First, because tables poll these addresses, and Django tries one after the other.
    path("games/", include(play.api)),
    path("tokens/", include(sign_in.api)),
    path("establishments/", include(configuration.houses)),
    path("establishments/<uuid:establishment>/", include(api_of_a_house)),
    path("odds/", include(odds.api)),
    addresses.part("chain/", "casino.chain.api_urls", "api-chain"),
]
"""All API addresses. Each ends with a slash; ids are UUIDs."""

under_api: Addresses = [
    at("schema/", "web.api.schema.Description", name="schema"),
    path("v1/", include(api)),
    at("docs/", "web.api.docs.page", name="api-docs"),
    anything("", "web.api.not_found.Nowhere"),
]

guests: Addresses = [
    at("<slug:house>/", "guests.pages.index", name="guests"),
    at("<slug:house>/app.webmanifest", "guests.pages.manifest", name="guests-manifest"),
    at("<slug:house>/rules/<slug:ruleset>/", "guests.pages.game", name="guests-game"),
    at("<slug:house>/odds/<slug:ruleset>/", "guests.pages.odds", name="guests-odds"),
    at("<slug:house>/slip/<slug:slip>/", "guests.pages.slip", name="guests-slip"),
    at("<slug:house>/slip/<slug:slip>/proof", "guests.pages.proof", name="guests-proof"),
    at("<slug:house>/me/<slug:code>/", "guests.own_pages.page", name="guests-own"),
]
"""The guests' pages need no sign-in. A house without them imports nothing of their room."""

urlpatterns = [
    path("api/", include(under_api)),
    at("healthz", "health.checks.healthz", name="healthz"),
    at("healthz/web", "health.checks.healthz_web", name="healthz-web"),
    addresses.part("admin/", "casino.admin_site.urls", "admin"),
    path("floor/", include(tables.pages)),
    path("wall/", include(wall.pages)),
    path("g/", include(guests)),
    path("odds/", include(odds.pages)),
    path("ledger/", include(proofs.pages)),
    path("receipts/", include(proofs.receipts)),
    path("", include(dashboard.pages)),
    at("demo/play/", "demo.pages.play", name="demo-play"),
    addresses.part("chain/", "casino.chain.urls", "chain"),
    path("approvals/", include(approvals.pages)),
    path("exceptions/", include(exceptions.pages)),
    path("controls/", include(controls.pages)),
    path("cash/", include(cash.pages)),
    path("dice/sets/", include(dice.pages)),
    path("days/", include(gaming_days.pages)),
    path("accounts/fee-boxes/", include(cash.fee_boxes)),
    path("accounts/", include(accounts.pages)),
    at("players/codes/", "guests.desk_pages.codes", name="guests-codes"),
    path("players/", include(players.pages)),
    path("scoreboards/", include(players.boards)),
    path("disputes/", include(disputes.pages)),
    path("late/", include(devices.pages)),
    path("dice/", include(surveillance.pages)),
    path("proof/", include(integrity.pages)),
    path("reports/", include(reports.pages)),
    path("settings/import/", include(onboarding.imports)),
    path("settings/", include(configuration.pages)),
    path("set-up/", include(onboarding.pages)),
    path("events/", include(proofs.events)),
    path("", include(search.pages)),
    path("", include(palette.pages)),
    path("what-if/", include(what_if.pages)),
    path("jobs/", include(jobs.pages)),
    path("pots/", include(pots.pages)),
    path("payouts/", include(payouts.pages)),
    path("", include(sign_in.pages)),
    path("people/", include(staff.pages)),
]
