"""Every address of the house."""

from django.urls import include, path

from casino import addresses

at = addresses.within("casino")

handler500 = "casino.storage_unavailable.failed"
urlpatterns = [
    path("api/", include("casino.api.urls")),
    at("healthz", "health.healthz", name="healthz"),
    at("healthz/web", "health.healthz_web", name="healthz-web"),
    addresses.part("admin/", "casino.backoffice.admin_urls", "admin"),
    path("floor/", include("casino.floor.urls")),
    path("wall/", include("casino.floor.wall_urls")),
    path("odds/", include("casino.odds.urls")),
    path("", include("casino.proofs.urls")),
    path("", include("casino.backoffice.urls")),
]
