"""Addresses of the reports."""

from casino.kit.web import addresses

at = addresses.within("casino.reports.registers")

pages = [
    at("", "pages.reports", name="reports"),
    at("prepared/<uuid:preparation>/", "pages.preparation_page", name="prepared"),
    at(
        "prepared/<uuid:preparation>/<slug:form>/",
        "pages.file_of_preparation",
        name="prepared-file",
    ),
    at("<slug:report>/", "pages.report", name="report"),
]

api = [
    at("reports/", "api.Reports"),
    at("reports/prepared/", "api.Prepared"),
    at(
        "reports/prepared/<uuid:preparation>/",
        "api.OnePreparation",
        name="report-preparation",
    ),
    at(
        "reports/prepared/<uuid:preparation>/stop/",
        "api.StopPreparation",
    ),
    at(
        "reports/prepared/<uuid:preparation>/<slug:form>/",
        "api.OnePrepared",
    ),
    at("reports/<slug:report>/", "api.OneReport"),
]
