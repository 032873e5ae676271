"""Sign-in, and the office's pages."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from casino.backoffice import approvals, views

urlpatterns = [
    path("", views.start, name="start"),
    path("house/", views.choose_house, name="choose-house"),
    path("approvals/", approvals.queue, name="approvals"),
    path("approvals/history/", approvals.history, name="approvals-history"),
    path("approvals/<uuid:request>/", approvals.one, name="approval"),
    path("sign-in/", LoginView.as_view(redirect_authenticated_user=True), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]
