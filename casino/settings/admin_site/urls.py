"""The addresses of the admin; its models are registered at the first request."""

from django.contrib import admin

admin.autodiscover()

urlpatterns = admin.site.get_urls()
