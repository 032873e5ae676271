"""Addresses of reports in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.reports")

urlpatterns = [
    at("reports/", "api.Reports"),
    at("reports/prepared/", "prepared_api.Prepared"),
    at(
        "reports/prepared/<uuid:preparation>/",
        "prepared_api.OnePreparation",
        name="report-preparation",
    ),
    at(
        "reports/prepared/<uuid:preparation>/stop/",
        "prepared_api.StopPreparation",
    ),
    at(
        "reports/prepared/<uuid:preparation>/<slug:form>/",
        "prepared_api.OnePrepared",
    ),
    at("reports/<slug:report>/", "api.OneReport"),
]
