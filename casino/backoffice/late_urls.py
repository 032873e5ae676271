"""Late entries and gaps in the office."""

from django.urls import path

from casino.backoffice import late

urlpatterns = [
    path("", late.overview, name="late"),
    path("<uuid:game>/put/", late.put_all, name="late-put-all"),
    path("<uuid:game>/<int:number>/put/", late.put, name="late-put"),
    path("<uuid:game>/<int:number>/dismiss/", late.dismiss, name="late-dismiss"),
    path("<uuid:game>/gaps/<int:number>/close/", late.close_gap, name="late-gap"),
]
