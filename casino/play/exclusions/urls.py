"""The addresses of exclusions."""

from casino.kit.web import addresses

at = addresses.within("casino.play.exclusions")

api = [
    at("exclusions/", "api.Exclusions"),
    at("seats-refused/", "api.Tried"),
]
