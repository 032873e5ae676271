"""Addresses of sign in in the API."""

from casino.web import addresses

at = addresses.within("casino.sign_in")

urlpatterns = [
    at("", "api.Tokens", name="tokens"),
    at("current/", "api.CurrentToken", name="current-token"),
]
