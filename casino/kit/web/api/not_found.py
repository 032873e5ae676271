"""All other addresses of the API: answers 404 in the same form as every other failure."""

from typing import Any, NoReturn

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


@extend_schema(exclude=True)
class Nowhere(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        del request, args, kwargs
        raise NotFound
