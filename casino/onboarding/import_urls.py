"""Addresses of lists that are brought in, among the settings."""

from casino.web import addresses

at = addresses.within("casino.onboarding")

urlpatterns = [
    at("", "import_pages.choose", name="settings-import"),
    at("<slug:what>/", "import_pages.bring", name="settings-import-list"),
    at("<slug:what>/template.csv", "import_pages.template", name="settings-import-template"),
]
