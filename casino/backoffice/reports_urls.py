"""Addresses of the reports."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "reports.reports", name="reports"),
    at("prepared/<uuid:preparation>/", "reports.prepared", name="prepared"),
    at("prepared/<uuid:preparation>/<slug:form>/", "reports.prepared_file", name="prepared-file"),
    at("<slug:report>/", "reports.report", name="report"),
]
