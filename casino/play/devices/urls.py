"""The addresses of the pages and the API of late entries and gaps."""

from casino.kit.web import addresses

at = addresses.within("casino.play.devices")

pages = [
    at("", "pages.overview", name="late"),
    at("<uuid:game>/put/", "pages.put_all", name="late-put-all"),
    at("<uuid:game>/<int:number>/put/", "pages.put", name="late-put"),
    at("<uuid:game>/<int:number>/dismiss/", "pages.dismiss", name="late-dismiss"),
    at("<uuid:game>/gaps/<int:number>/close/", "pages.close_gap", name="late-gap"),
]

api = [
    at("late-entries/", "api.LateEntries"),
    at("late-entries/<uuid:game>/put/", "api.PutLateEntries"),
    at("late-entries/<uuid:game>/<int:number>/", "api.OneLateEntry"),
    at("late-entries/<uuid:game>/<int:number>/put/", "api.PutLateEntry"),
    at("late-entries/<uuid:game>/<int:number>/dismiss/", "api.DismissLateEntry"),
    at("gaps/", "api.Gaps"),
    at("gaps/<uuid:game>/<int:number>/close/", "api.CloseGap"),
]
