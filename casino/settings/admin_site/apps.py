"""The app configs of the admin. Apart from `site`, because Django reads them before models."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class HouseAdminConfig(SimpleAdminConfig):
    """Django's admin without autodiscovery, which `admin_site.urls` does when needed."""

    default_site = "casino.settings.admin_site.site.HouseAdminSite"


class UnfoldConfig(AppConfig):
    """Unfold's templates and static files. Unfold's own config would load its whole admin site."""

    name = "unfold"
