"""Which admin site Django's admin is here. Apart from `site`: it is read before models are."""

from django.contrib.admin.apps import AdminConfig


class HouseAdminConfig(AdminConfig):
    default_site = "casino.backoffice.site.HouseAdminSite"
