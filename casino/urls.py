"""Every address of the house."""

from django.contrib import admin
from django.urls import include, path

from casino.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/", include("casino.api.urls")),
    path("floor/", include("casino.floor.urls")),
    path("", include("casino.backoffice.urls")),
]
