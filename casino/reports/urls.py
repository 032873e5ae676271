"""Addresses of the reports."""

from casino.web import addresses

at = addresses.within("casino.reports")

urlpatterns = [
    at("", "pages.reports", name="reports"),
    at("prepared/<uuid:preparation>/", "pages.prepared", name="prepared"),
    at("prepared/<uuid:preparation>/<slug:form>/", "pages.prepared_file", name="prepared-file"),
    at("<slug:report>/", "pages.report", name="report"),
]
