"""The admin's addresses; what it shows is looked for when the first of them is asked for."""

from django.contrib import admin

admin.autodiscover()

urlpatterns = admin.site.get_urls()
