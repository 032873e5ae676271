"""The admin's door: open to whoever a house employs to look into its things, to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.views import redirect_to_login
from django.urls import reverse
from unfold.sites import UnfoldAdminSite

from casino.attendants import permissions

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


LET_IN: Final = "casino.admin"


class HouseAdminSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold publishes no types
    """Neither `is_staff` nor `is_superuser` opens it: an employment does (control D1b)."""

    def has_permission(self, request: HttpRequest) -> bool:
        """:raises SecondFactorNeeded: if one is required and was not given."""
        let_in = request.META.get(LET_IN)  # read several times a page
        if let_in is None:
            let_in = request.META[LET_IN] = bool(permissions.houses(request.user, "audit"))
            if let_in and not permissions.proven_twice(request.user):
                raise permissions.SecondFactorNeeded("The admin takes your second factor. D2")
        return bool(let_in)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """
        No door of its own: the house's sign-in asks for the second factor, too (D2).

        :raises NotYours: where somebody is signed in already: to sign in again opens nothing.
        """
        del extra_context
        if request.user.is_authenticated:
            raise permissions.NotYours("The admin is open to managers and auditors. D1")
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
