"""The addresses of exclusions."""

from casino.web import addresses

at = addresses.within("casino.exclusions")

api = [
    at("exclusions/", "api.Exclusions"),
    at("seats-refused/", "api.Tried"),
]
