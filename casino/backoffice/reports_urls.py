"""Addresses of the reports."""

from django.urls import path

from casino.backoffice import reports

urlpatterns = [
    path("", reports.reports, name="reports"),
    path("prepared/<uuid:preparation>/", reports.prepared, name="prepared"),
    path("prepared/<uuid:preparation>/<slug:form>/", reports.prepared_file, name="prepared-file"),
    path("<slug:report>/", reports.report, name="report"),
]
