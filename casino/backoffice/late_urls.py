"""Late entries and gaps in the office."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "late.overview", name="late"),
    at("<uuid:game>/put/", "late.put_all", name="late-put-all"),
    at("<uuid:game>/<int:number>/put/", "late.put", name="late-put"),
    at("<uuid:game>/<int:number>/dismiss/", "late.dismiss", name="late-dismiss"),
    at("<uuid:game>/gaps/<int:number>/close/", "late.close_gap", name="late-gap"),
]
