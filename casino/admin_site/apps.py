"""Which admin site Django's admin is here. Apart from `site`: it is read before models are."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class HouseAdminConfig(SimpleAdminConfig):
    """The simple one: `casino.admin_site.urls` looks for what the admin shows, not every start."""

    default_site = "casino.admin_site.site.HouseAdminSite"


class UnfoldConfig(AppConfig):
    """Unfold's templates and files. Its own config brings the whole of its admin site along."""

    name = "unfold"
