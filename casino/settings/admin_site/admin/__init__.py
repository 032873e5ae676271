"""
The admin's pages: the house's things, changed through operations; games and the ledger, read-only.

Everything is scoped to the houses at which the person works, and what may be changed follows the
role there. Django's own permissions are not used (see casino/house/attendants/permissions.py).
"""

from django.contrib import admin
from django.contrib.auth.models import Group
from knox.models import AuthToken

from casino.settings.admin_site.admin import house, read_only

__all__ = ["house", "read_only"]

admin.site.unregister(Group)
admin.site.unregister(AuthToken)
