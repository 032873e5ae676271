"""The admin's door: open to whoever a house employs to look into its things, to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfold.sites import UnfoldAdminSite

from casino.attendants import permissions

if TYPE_CHECKING:
    from django.http import HttpRequest


class HouseAdminSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold publishes no types
    """Neither `is_staff` nor `is_superuser` opens it: an employment does (control D1b)."""

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(permissions.houses(request.user, "audit"))
