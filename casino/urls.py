"""Every address of the house."""

from django.contrib import admin
from django.urls import include, path

from casino.health import healthz, healthz_web

handler500 = "casino.unwritten.failed"
urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("healthz/web", healthz_web, name="healthz-web"),
    path("admin/", admin.site.urls),
    path("api/", include("casino.api.urls")),
    path("floor/", include("casino.floor.urls")),
    path("wall/", include("casino.floor.wall_urls")),
    path("odds/", include("casino.odds.urls")),
    path("", include("casino.proofs.urls")),
    path("", include("casino.backoffice.urls")),
]
