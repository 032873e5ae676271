"""Sign-in, and the office's pages."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from casino.backoffice import approvals, cash, views

urlpatterns = [
    path("", views.start, name="start"),
    path("house/", views.choose_house, name="choose-house"),
    path("approvals/", approvals.queue, name="approvals"),
    path("approvals/history/", approvals.history, name="approvals-history"),
    path("approvals/<uuid:request>/", approvals.one, name="approval"),
    path("cash/", cash.overview, name="cash"),
    path("cash/slips/", cash.slip_list, name="cash-slips"),
    path("cash/slips/<int:number>/", cash.slip, name="cash-slip"),
    path("cash/inventory/", cash.inventory, name="cash-inventory"),
    path("cash/tables/<uuid:table>/", cash.table, name="cash-table"),
    path("cash/tables/<uuid:table>/count/<slug:purpose>/", cash.count, name="cash-count"),
    path("cash/tables/<uuid:table>/call-off/", cash.call_off, name="cash-call-off"),
    path("cash/tables/<uuid:table>/sign/", cash.sign, name="cash-sign"),
    path("cash/tables/<uuid:table>/take/", cash.take, name="cash-take"),
    path("cash/tables/<uuid:table>/ask/<slug:kind>/", cash.ask_slip, name="cash-ask"),
    path("cash/tables/<uuid:table>/slips/<int:number>/", cash.receive, name="cash-receive"),
    path("sign-in/", LoginView.as_view(redirect_authenticated_user=True), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]
