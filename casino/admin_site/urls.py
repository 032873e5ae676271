"""The admin's addresses; its models are registered with the first request."""

from django.contrib import admin

admin.autodiscover()

urlpatterns = admin.site.get_urls()
