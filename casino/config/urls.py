"""Every address of the house: each room brings its own."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from casino.floor.guests import urls as guests
from casino.floor.players import urls as players
from casino.floor.tables import urls as tables
from casino.kit.approvals import urls as approvals
from casino.kit.web import addresses
from casino.kit.web.jobs import urls as jobs
from casino.money.cash import urls as cash
from casino.money.cash.accounts import urls as accounts
from casino.money.payouts import urls as payouts
from casino.office.dashboard import urls as dashboard
from casino.office.onboarding import urls as onboarding
from casino.play.core import urls as play
from casino.play.devices import urls as devices
from casino.play.dice import urls as dice
from casino.play.dice.odds import urls as odds
from casino.play.dice.surveillance import urls as surveillance
from casino.play.exclusions import urls as exclusions
from casino.proof.disputes import urls as disputes
from casino.proof.search import urls as search
from casino.proof.verification import urls as proof
from casino.reports.gaming_days import urls as gaming_days
from casino.reports.registers import urls as reports
from casino.reports.registers.exceptions import urls as exceptions
from casino.reports.what_if import urls as what_if
from casino.settings.configuration import urls as configuration
from casino.settings.staff import urls as staff
from casino.settings.staff.sign_in import urls as sign_in

at = addresses.within("casino")
anything = addresses.within("casino", re_path)

handler500 = "casino.config.failures.answer_failure"

Addresses = list[URLPattern | URLResolver]

api_of_a_house: Addresses = [
    *configuration.api, *proof.api, *approvals.api, *exceptions.api, *reports.api,
    *gaming_days.api, *cash.api, *devices.api, *disputes.api,
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
    at("schema/", "kit.web.api.schema.Description", name="schema"),
    path("v1/", include(api)),
    at("docs/", "kit.web.api.schema.docs_page", name="api-docs"),
    anything("", "kit.web.api.problems.Nowhere"),
]

urlpatterns = [
    path("api/", include(under_api)),
    at("healthz", "office.monitoring.checks.healthz", name="healthz"),
    at("healthz/web", "office.monitoring.checks.healthz_web", name="healthz-web"),
    addresses.part("admin/", "casino.settings.admin_site.urls", "admin"),
    path("floor/", include(tables.pages)),
    path("wall/", include(guests.wall)),
    path("g/", include(guests.guests)),
    path("odds/", include(odds.pages)),
    path("ledger/", include(proof.public)),
    path("receipts/", include(proof.receipts)),
    path("", include(dashboard.pages)),
    at("demo/play/", "demo.self_play.play_or_stop", name="demo-play"),
    addresses.part("chain/", "casino.chain.urls", "chain"),
    path("approvals/", include(approvals.pages)),
    path("exceptions/", include(exceptions.pages)),
    path("controls/", include(dashboard.controls)),
    path("cash/", include(cash.pages)),
    path("dice/sets/", include(dice.pages)),
    path("days/", include(gaming_days.pages)),
    path("accounts/fee-boxes/", include(cash.fee_boxes)),
    path("accounts/", include(accounts.pages)),
    at("players/codes/", "floor.guests.own_pages.codes", name="guests-codes"),
    path("players/", include(players.pages)),
    path("scoreboards/", include(players.boards)),
    path("disputes/", include(disputes.pages)),
    path("late/", include(devices.pages)),
    path("dice/", include(surveillance.pages)),
    path("proof/", include(proof.pages)),
    path("reports/", include(reports.pages)),
    path("settings/import/", include(onboarding.imports)),
    path("settings/", include(configuration.pages)),
    path("set-up/", include(onboarding.pages)),
    path("events/", include(proof.events)),
    path("", include(search.pages)),
    path("", include(dashboard.palette)),
    path("what-if/", include(what_if.pages)),
    path("jobs/", include(jobs.pages)),
    path("pots/", include(payouts.pots)),
    path("payouts/", include(payouts.pages)),
    path("", include(sign_in.pages)),
    path("people/", include(staff.pages)),
]
