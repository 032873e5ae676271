"""The addresses of the API. Every one ends with a slash; ids are UUIDs."""

from typing import Final

from django.urls import URLPattern, URLResolver, include, path, re_path

from casino import addresses

at = addresses.within("casino.api")
anything = addresses.within("casino.api", re_path)

ODDS: Final = ("stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker")
"""Games whose odds can be asked for."""

v1: list[URLPattern | URLResolver] = [
    # First: tables ask for these, and Django tries one after the other.
    at("games/", "games.Games", name="games"),
    at("games/<uuid:game>/", "games.Game", name="game"),
    at("games/<uuid:game>/commands/", "games.Commands"),
    at("games/<uuid:game>/events/", "games.Events"),
    at("games/<uuid:game>/explain/<int:round_no>/", "games.Explanation"),
    at("tokens/", "tokens.Tokens", name="tokens"),
    at("tokens/current/", "tokens.CurrentToken", name="current-token"),
    at("establishments/", "establishments.Houses", name="establishments"),
    at("establishments/<uuid:establishment>/", "establishments.OneHouse", name="house"),
    at("establishments/<uuid:establishment>/tables/", "establishments.Tables"),
    at("establishments/<uuid:establishment>/rollovers/", "establishments.Rollovers"),
    at("establishments/<uuid:establishment>/ledger/", "establishments.Ledger"),
    at("establishments/<uuid:establishment>/checkpoint/", "proofs.Checkpoints"),
    at("establishments/<uuid:establishment>/consistency/", "proofs.Consistency"),
    at(
        "establishments/<uuid:establishment>/events/<int:position>/proof/",
        "proofs.EventProof",
        name="event-proof",
    ),
    at("establishments/<uuid:establishment>/approvals/", "approvals.Approvals"),
    at("establishments/<uuid:establishment>/approvals/<uuid:approval>/", "approvals.OneApproval"),
    *(
        at(
            f"establishments/<uuid:establishment>/approvals/<uuid:approval>/{do}/",
            f"approvals.{do}",
        )
        for do in ("approve", "reject", "withdraw", "alone", "review")
    ),
    at("establishments/<uuid:establishment>/exceptions/", "exceptions.Exceptions"),
    at("establishments/<uuid:establishment>/reports/", "reports.Reports"),
    at("establishments/<uuid:establishment>/reports/prepared/", "prepared.Prepared"),
    at(
        "establishments/<uuid:establishment>/reports/prepared/<uuid:preparation>/",
        "prepared.OnePreparation",
        name="report-preparation",
    ),
    at(
        "establishments/<uuid:establishment>/reports/prepared/<uuid:preparation>/stop/",
        "prepared.StopPreparation",
    ),
    at(
        "establishments/<uuid:establishment>/reports/prepared/<uuid:preparation>/<slug:form>/",
        "prepared.OnePrepared",
    ),
    at("establishments/<uuid:establishment>/reports/<slug:report>/", "reports.OneReport"),
    at("establishments/<uuid:establishment>/days/", "days.Days"),
    at("establishments/<uuid:establishment>/days/<slug:day>/", "days.OneDay"),
    at("establishments/<uuid:establishment>/days/<slug:day>/close/", "days.CloseDay"),
    at("establishments/<uuid:establishment>/days/<slug:day>/sign/", "days.SignDay"),
    at("establishments/<uuid:establishment>/late/", "days.LateEntries"),
    at("establishments/<uuid:establishment>/custody/", "custody.CustodyOfTables"),
    at(
        "establishments/<uuid:establishment>/tables/<uuid:table>/custody/",
        "custody.CustodyOfTable",
    ),
    at("establishments/<uuid:establishment>/slips/", "slips.Slips"),
    at("establishments/<uuid:establishment>/slips/<int:number>/", "slips.OneSlip"),
    at("establishments/<uuid:establishment>/counts/", "floats.Counts"),
    at("establishments/<uuid:establishment>/shifts/", "floats.Shifts"),
    at("establishments/<uuid:establishment>/inventory/", "floats.Inventory"),
    at("establishments/<uuid:establishment>/disputes/", "disputes.Disputes"),
    at(
        "establishments/<uuid:establishment>/disputes/<uuid:game>/<int:dispute>/",
        "disputes.OneDispute",
    ),
    at(
        "establishments/<uuid:establishment>/disputes/<uuid:game>/<int:dispute>/bundle/",
        "disputes.Bundle",
    ),
    at("establishments/<uuid:establishment>/regrades/", "regrade.Regrades"),
    at(
        "establishments/<uuid:establishment>/regrades/<uuid:regrade>/",
        "regrade.OneRegrade",
        name="regrade",
    ),
    at(
        "establishments/<uuid:establishment>/regrades/<uuid:regrade>/differences/",
        "regrade.Differences",
    ),
    at("establishments/<uuid:establishment>/pots/", "pots.Pots"),
    at("establishments/<uuid:establishment>/payouts/", "payouts.Payouts"),
    at("establishments/<uuid:establishment>/payouts/resume/", "payouts.Resume"),
    at(
        "establishments/<uuid:establishment>/payouts/<uuid:game>/<int:cause>/<int:seq>/",
        "payouts.OnePayout",
    ),
    at(
        "establishments/<uuid:establishment>/payouts/<uuid:game>/<int:cause>/<int:seq>/receipt/",
        "proofs.ReceiptOfPayout",
    ),
    at("establishments/<uuid:establishment>/adjustments/", "payouts.Adjustments"),
    at("establishments/<uuid:establishment>/dice/", "dice.DiceSets"),
    at(
        "establishments/<uuid:establishment>/dice/<uuid:dice_set>/",
        "dice.OneDiceSet",
    ),
    at(
        "establishments/<uuid:establishment>/dice/<uuid:dice_set>/acts/",
        "dice.DiceActs",
    ),
    at(
        "establishments/<uuid:establishment>/dice/<uuid:dice_set>/inspections/",
        "payouts.Inspections",
    ),
    at("establishments/<uuid:establishment>/people/", "people.HousePeople"),
    at("establishments/<uuid:establishment>/access/", "people.AccessListing"),
    at("establishments/<uuid:establishment>/sign-ins/", "people.SignIns"),
    path("establishments/<uuid:establishment>/", include("casino.api.accounts_urls")),
    path(
        "establishments/<uuid:establishment>/surveillance/",
        include("casino.api.surveillance_urls"),
    ),
    path("establishments/<uuid:establishment>/", include("casino.api.configuration_urls")),
    at("odds/", "odds.AllOdds", name="all-odds"),
    *(at(f"odds/{game}/", "odds.of_game", game, name=f"odds-of-{game}") for game in ODDS),
]

urlpatterns = [
    at("schema/", "schema.Description", name="schema"),
    path("v1/", include(v1)),
    anything("", "nowhere.Nowhere"),
]
