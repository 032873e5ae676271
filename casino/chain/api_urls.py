"""The addresses of a chain's API, imported on first use like those of its pages."""

from casino.web import addresses

at = addresses.within("casino.chain")

urlpatterns = [
    at("", "api.OneChain", name="one"),
    at("houses/", "api.Houses", name="houses"),
    at("houses/<uuid:house>/days/", "api.Days", name="days"),
    at("people/", "api.People", name="people"),
    at("sign-ins/", "api.SignIns", name="sign-ins"),
]
