"""The addresses of the API. Every one ends with a slash; ids are UUIDs."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView

from casino.api import (
    approvals,
    custody,
    days,
    dice,
    disputes,
    establishments,
    exceptions,
    floats,
    games,
    odds,
    payouts,
    people,
    pots,
    prepared,
    proofs,
    regrade,
    reports,
    slips,
    tokens,
)
from casino.api.nowhere import Nowhere
from casino.odds.queries import GAMES

description = SpectacularAPIView.as_view(
    renderer_classes=[OpenApiJsonRenderer, OpenApiYamlRenderer]  # every YAML reader reads JSON
)

v1: list[URLPattern | URLResolver] = [
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/current/", tokens.CurrentToken.as_view(), name="current-token"),
    path("establishments/", establishments.Houses.as_view(), name="establishments"),
    path("establishments/<uuid:establishment>/", establishments.OneHouse.as_view(), name="house"),
    path("establishments/<uuid:establishment>/tables/", establishments.Tables.as_view()),
    path("establishments/<uuid:establishment>/rollovers/", establishments.Rollovers.as_view()),
    path("establishments/<uuid:establishment>/ledger/", establishments.Ledger.as_view()),
    path("establishments/<uuid:establishment>/checkpoint/", proofs.Checkpoints.as_view()),
    path("establishments/<uuid:establishment>/consistency/", proofs.Consistency.as_view()),
    path(
        "establishments/<uuid:establishment>/events/<int:position>/proof/",
        proofs.EventProof.as_view(),
        name="event-proof",
    ),
    path("establishments/<uuid:establishment>/approvals/", approvals.Approvals.as_view()),
    *(
        path(f"establishments/<uuid:establishment>/approvals/<uuid:approval>/{do}", view.as_view())
        for do, view in approvals.ADDRESSES.items()
    ),
    path("establishments/<uuid:establishment>/exceptions/", exceptions.Exceptions.as_view()),
    path("establishments/<uuid:establishment>/reports/", reports.Reports.as_view()),
    path("establishments/<uuid:establishment>/reports/prepared/", prepared.Prepared.as_view()),
    path(
        "establishments/<uuid:establishment>/reports/prepared/<uuid:preparation>/",
        prepared.OnePreparation.as_view(),
        name=prepared.PREPARED,
    ),
    path(
        "establishments/<uuid:establishment>/reports/prepared/<uuid:preparation>/stop/",
        prepared.StopPreparation.as_view(),
    ),
    path(
        "establishments/<uuid:establishment>/reports/prepared/<uuid:preparation>/<slug:form>/",
        prepared.OnePrepared.as_view(),
    ),
    path("establishments/<uuid:establishment>/reports/<slug:report>/", reports.OneReport.as_view()),
    path("establishments/<uuid:establishment>/days/", days.Days.as_view()),
    path("establishments/<uuid:establishment>/days/<slug:day>/", days.OneDay.as_view()),
    path("establishments/<uuid:establishment>/days/<slug:day>/close/", days.CloseDay.as_view()),
    path("establishments/<uuid:establishment>/days/<slug:day>/sign/", days.SignDay.as_view()),
    path("establishments/<uuid:establishment>/late/", days.LateEntries.as_view()),
    path("establishments/<uuid:establishment>/custody/", custody.CustodyOfTables.as_view()),
    path(
        "establishments/<uuid:establishment>/tables/<uuid:table>/custody/",
        custody.CustodyOfTable.as_view(),
    ),
    path("establishments/<uuid:establishment>/slips/", slips.Slips.as_view()),
    path("establishments/<uuid:establishment>/slips/<int:number>/", slips.OneSlip.as_view()),
    path("establishments/<uuid:establishment>/counts/", floats.Counts.as_view()),
    path("establishments/<uuid:establishment>/shifts/", floats.Shifts.as_view()),
    path("establishments/<uuid:establishment>/inventory/", floats.Inventory.as_view()),
    path("establishments/<uuid:establishment>/disputes/", disputes.Disputes.as_view()),
    path(
        "establishments/<uuid:establishment>/disputes/<uuid:game>/<int:dispute>/",
        disputes.OneDispute.as_view(),
    ),
    path(
        "establishments/<uuid:establishment>/disputes/<uuid:game>/<int:dispute>/bundle/",
        disputes.Bundle.as_view(),
    ),
    path("establishments/<uuid:establishment>/regrades/", regrade.Regrades.as_view()),
    path(
        "establishments/<uuid:establishment>/regrades/<uuid:regrade>/",
        regrade.OneRegrade.as_view(),
        name="regrade",
    ),
    path(
        "establishments/<uuid:establishment>/regrades/<uuid:regrade>/differences/",
        regrade.Differences.as_view(),
    ),
    path("establishments/<uuid:establishment>/pots/", pots.Pots.as_view()),
    path("establishments/<uuid:establishment>/payouts/", payouts.Payouts.as_view()),
    path("establishments/<uuid:establishment>/payouts/resume/", payouts.Resume.as_view()),
    path(
        "establishments/<uuid:establishment>/payouts/<uuid:game>/<int:cause>/<int:seq>/",
        payouts.OnePayout.as_view(),
    ),
    path(
        "establishments/<uuid:establishment>/payouts/<uuid:game>/<int:cause>/<int:seq>/receipt/",
        proofs.ReceiptOfPayout.as_view(),
    ),
    path("establishments/<uuid:establishment>/adjustments/", payouts.Adjustments.as_view()),
    path("establishments/<uuid:establishment>/dice/", dice.DiceSets.as_view()),
    path(
        "establishments/<uuid:establishment>/dice/<uuid:dice_set>/",
        dice.OneDiceSet.as_view(),
    ),
    path(
        "establishments/<uuid:establishment>/dice/<uuid:dice_set>/acts/",
        dice.DiceActs.as_view(),
    ),
    path(
        "establishments/<uuid:establishment>/dice/<uuid:dice_set>/inspections/",
        payouts.Inspections.as_view(),
    ),
    path("establishments/<uuid:establishment>/people/", people.HousePeople.as_view()),
    path("establishments/<uuid:establishment>/access/", people.AccessListing.as_view()),
    path("establishments/<uuid:establishment>/sign-ins/", people.SignIns.as_view()),
    path("establishments/<uuid:establishment>/", include("casino.api.accounts_urls")),
    path(
        "establishments/<uuid:establishment>/surveillance/",
        include("casino.api.surveillance_urls"),
    ),
    path("establishments/<uuid:establishment>/", include("casino.api.configuration_urls")),
    path("games/", games.Games.as_view(), name="games"),
    path("games/<uuid:game>/", games.Game.as_view(), name="game"),
    path("games/<uuid:game>/commands/", games.Commands.as_view()),
    path("games/<uuid:game>/events/", games.Events.as_view()),
    path("games/<uuid:game>/explain/<int:round_no>/", games.Explanation.as_view()),
    path("odds/", odds.AllOdds.as_view(), name="all-odds"),
    *(
        path(f"odds/{game}/", odds.view(subject), name=f"odds-of-{game}")
        for game, subject in GAMES.items()
    ),
]

urlpatterns = [
    path("schema/", description, name="schema"),
    path("v1/", include(v1)),
    re_path("", Nowhere.as_view()),
]
