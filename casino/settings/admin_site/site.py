"""The admin site, and who may open it: only people whom a house employs as manager or auditor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.urls import reverse

from casino.house.attendants import permissions

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


LET_IN: Final = "casino.admin"


class HouseAdminSite(AdminSite):
    """The admin site. An employment opens it, and not `is_staff` or `is_superuser` (D1b)."""

    site_title = site_header = "Home Throw"
    index_title = "The rows of the house's things and of its ledger"

    def has_permission(self, request: HttpRequest) -> bool:
        """:raises SecondFactorNeeded: if a second factor is required and was not given."""
        let_in = request.META.get(LET_IN)  # a page asks several times
        if let_in is None:
            let_in = request.META[LET_IN] = bool(permissions.houses(request.user, "audit"))
            if let_in and not permissions.proven_twice(request.user):
                raise permissions.SecondFactorNeeded("The admin takes your second factor. D2")
        return bool(let_in)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """
        Redirect to the house's sign-in page, which also asks for the second factor (D2).

        :raises NotYours: if the person is signed in already: signing in again would not help.
        """
        del extra_context
        if request.user.is_authenticated:
            raise permissions.NotYours("The admin is open to managers and auditors. D1")
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
