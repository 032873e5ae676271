"""The OpenAPI description of the API and its page: commands from the vocabulary, problems once."""

from __future__ import annotations

import re
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from drf_spectacular.views import SpectacularAPIView

from casino.kit.web.api import answers, bodies, paging, params
from casino.kit.web.api.authentication import TokenAuthentication
from casino.kit.web.api.problems import MEDIA_TYPE
from casino.kit.web.parameters import check_given_once, check_known
from games import kinds, vocabulary
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.http import HttpRequest, HttpResponse
    from drf_spectacular.openapi import AutoSchema
    from rest_framework.request import Request

Schema = dict[str, Any]

SCHEMAS: Final = "#/components/schemas/"
PREFIX: Final = "/api/v1/"
OF_A_HOUSE: Final = 2  # parts of an address before what it is about: establishments/<id>/
OPENING: Final[Schema] = {"application/json": {"$ref": f"{SCHEMAS}Opening"}}
COMMAND, CORRECTION = "Command", "Instead"  # how names of schemas end
COMMANDS: Final[Schema] = {"application/json": {"$ref": f"{SCHEMAS}Commands"}}
IN_TRANSCRIPTS_ONLY: Final = frozenset({"approved_by"})
PAYOUT: Final = (  # an event or a command's id, optionally with the index of one of its payments
    r"^([0-9]{1,15}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})([.][0-9]{1,15})?$"
)

# fmt: off
PROBLEMS: Final[Mapping[int, tuple[str, str, str]]] = {
    400: ("malformed", "player is missing.", "Not JSON, an unknown field or parameter, a wrong JSON type."),  # noqa: E501
    401: ("not_authenticated", "Authentication credentials were not provided.", "No valid token or session."),  # noqa: E501
    403: ("permission_denied", "Your role at Nine Stones does not let you record. D1", "Not in one's role, or no CSRF token."),  # noqa: E501
    404: ("not_found", "There is nothing at this address, or not at a house you work for.", "Nothing there, or another's."),  # noqa: E501
    406: ("not_acceptable", "Could not satisfy the request Accept header.", "Answers are JSON."),
    409: ("command_reused", "The command id 2f1c… was used for another request.", "command_reused: make a new id. stream_moved and other conflicts: send the same again."),  # noqa: E501
    413: ("too_large", "The request is too large: send fewer commands at once.", "Too many bytes."),
    415: ("unsupported_media_type", 'Unsupported media type "text/plain" in request.', "Bodies are application/json."),  # noqa: E501
    422: ("not_your_turn", "Ada throws next. SH2", "Refused by the rules, and recorded so: to ask anew, use a new command_id."),  # noqa: E501
    429: ("throttled", "Request was throttled. Expected available in 42 seconds.", "Too many tries; see Retry-After."),  # noqa: E501
    500: ("records_altered", "The book is not what was signed.", "No proof is given that does not hold."),  # noqa: E501
    503: ("storage_full", "The disk that holds the book is full. This was not recorded. Send the same again later, under the same command_id: it counts once. Of a list, what stands before it may be recorded.", "storage_full, storage_read_only, storage_unavailable, storage_unguarded: send the same again after Retry-After, under the same ids."),  # noqa: E501
}
# fmt: on

DEVICE: Final = OpenApiParameter(
    params.DEVICE_HEADER,
    {"type": "string", "pattern": f"^{params.DEVICE}$"},
    OpenApiParameter.HEADER,
    description=f"From which device, by a name of its own. {params.DEVICE_DEFAULT} if absent.",
)
WORD: Final = re.compile(r"(?<=/)[a-z_-]+(?=/)")
"""A part of an address that names something; the others are ids, days and numbers."""
IF_NONE_MATCH: Final = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag: 304 if it still holds."
)
NUMBERED: Final = [
    OpenApiParameter("after", {"type": "integer", "minimum": 0}, description="Only later ones."),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": paging.NUMBERED_PAGE_MAX},
        description=f"{paging.NUMBERED_PAGE} if absent.",
    ),
]
CHALLENGE: Final = OpenApiParameter(
    "WWW-Authenticate", str, OpenApiParameter.HEADER, response=[401]
)
WRITING: Final = (400, 403, 404, 409, 413, 415, 422)
"""The error statuses of every operation that writes."""


def describe_operation(
    summary: str,
    *,
    answers: Mapping[int, Any],
    errors: Iterable[int] = (),
    parameters: Iterable[OpenApiParameter] = (),
    takes_more: bool = False,
    **more: Any,
) -> Callable[[Any], Any]:
    """
    Describe an operation; errors that are possible for every operation are added.

    A GET then refuses parameters that its description does not have, naming the first.

    :param takes_more: it takes parameters that cannot be listed here, and refuses others itself.
    """
    described = list(parameters)
    guarded = {403} if "request" in more and "auth" not in more else set()

    def decorate(method: Callable[..., Any]) -> Any:
        reads = method.__name__ == "get"
        codes = {*errors, 400, 401, 406, 503} | guarded  # what casino.config.incoming refuses: 400
        responses: dict[Any, Any] = dict(answers)
        responses |= {(code, MEDIA_TYPE): problem(code) for code in sorted(codes)}
        headers = [CHALLENGE, retry_after(sorted(codes & {429, 503}))]
        describe: Callable[[Any], Any] = extend_schema(
            summary=summary, responses=responses, parameters=[*described, *headers], **more
        )
        return describe(strict(method, described, takes_more=takes_more) if reads else method)

    return decorate


def strict(
    get: Callable[..., Any], described: Iterable[OpenApiParameter], *, takes_more: bool
) -> Callable[..., Any]:
    """The method, which refuses parameters that are not described, or are given twice."""
    queried = [each for each in described if each.location == OpenApiParameter.QUERY]
    several = {each.name for each in queried if each.explode}
    named = {each.name for each in queried}

    @wraps(get)
    def method(view: Any, request: Request, *args: Any, **place: Any) -> Any:
        if given := request.query_params:
            check_given_once(given, but=several)
            if not takes_more:
                asked = WORD.findall(request.path)[-1]
                check_known(given, named | parameters_of_list(view), asked=asked)
        return get(view, request, *args, **place)

    return method


def parameters_of_list(view: Any) -> set[str]:
    """The parameters by which a view's rows are filtered and paged; others have none."""
    filtered = getattr(view, "filterset_class", None)
    pages = getattr(view, "paginator", None)
    paged = pages.get_schema_operation_parameters(view) if pages else []
    return {*(filtered.base_filters if filtered else ()), *(each["name"] for each in paged)}


def retry_after(codes: list[int]) -> OpenApiParameter:
    return OpenApiParameter("Retry-After", int, OpenApiParameter.HEADER, response=codes)


def act(
    summary: str,
    *,
    answers: Mapping[int, Any],
    request: Mapping[str, Any],
    parameters: Iterable[OpenApiParameter] = (),
    **more: Any,
) -> Callable[[Any], Any]:
    """Describe an act at a house: adds the device's header and the errors of writing."""
    return describe_operation(
        summary,
        answers=answers,
        errors=WRITING,
        request=request,
        parameters=[*parameters, DEVICE],
        **more,
    )


def problem(status: int) -> OpenApiResponse:
    code, detail, description = PROBLEMS[status]
    example = {
        "type": f"urn:home-throw:problem:{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
    }
    return OpenApiResponse(
        answers.Problem,
        description=description,
        examples=[OpenApiExample(code, example, response_only=True, media_type=MEDIA_TYPE)],
    )


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its own hook
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        del auto_schema
        return {"type": "http", "scheme": "bearer", "description": "From POST /api/v1/tokens/."}


class MadeOnce(SchemaGenerator):
    """
    Makes the description once in each language for a process: it takes seconds, and nothing that
    happens in a house changes it.
    """

    def get_schema(self, request: Any = None, public: bool = False) -> Schema:  # noqa: ARG002, FBT001, FBT002 - spectacular's signature
        return _make_schema(self.api_version, get_language())


@lru_cache(maxsize=8)
def _make_schema(version: str | None, language: str | None) -> Schema:
    del language  # part of the key: sentences of the description are in it
    generator: Any = SchemaGenerator  # without types
    made: Schema = generator(api_version=version).get_schema(public=True)
    return made


class Description(SpectacularAPIView):
    generator_class = MadeOnce
    # The default is JSON, which YAML readers can read too; plain `application/json` gives the same.
    renderer_classes = [OpenApiJsonRenderer, OpenApiYamlRenderer, OpenApiJsonRenderer2]


def with_vocabulary(result: Schema, **_more: Any) -> Schema:
    """Add the commands, which only games/ defines, to the finished description."""
    schemas = result["components"]["schemas"]
    schemas.update(components())
    for path, operations in result["paths"].items():
        for operation in operations.values():
            operation["tags"] = [subject(path)]
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
                for content in operation["requestBody"]["content"].values():
                    content["schema"] = by_reference(content["schema"], schemas)
    schemas["BlankEnum"]["type"] = "string"  # its maker leaves it without one
    return result


def by_reference(body: Schema, schemas: dict[str, Schema]) -> Schema:
    """A body that is one of several, whose variants become schemas by their titles."""
    if "oneOf" not in body:
        return body
    schemas.update({each["title"]: each for each in body["oneOf"]})
    return one_of({bodies.do_of(each): each["title"] for each in body["oneOf"]})


def one_of(named: Mapping[str, str]) -> Schema:
    """:param named: the schema for each value of the field `do`."""
    return {
        "oneOf": [{"$ref": SCHEMAS + name} for name in named.values()],
        "discriminator": {
            "propertyName": "do",
            "mapping": {do: SCHEMAS + name for do, name in named.items()},
        },
    }


def subject(path: str) -> str:
    """What an address is about; the description groups by it."""
    parts = path.removeprefix(PREFIX).strip("/").split("/")
    of_a_house = parts[0] == "establishments" and len(parts) > OF_A_HOUSE
    return (parts[OF_A_HOUSE] if of_a_house else parts[0]).replace("-", " ")


def components() -> dict[str, Schema]:
    put = [do for do in vocabulary.VOCABULARY if do != "open"]
    several = {
        "type": "array",
        "items": {"$ref": f"{SCHEMAS}Command"},
        "minItems": 1,
        "maxItems": params.COMMANDS_MAX,
    }
    described: dict[str, Schema] = {}
    for do in put:
        described |= command(do)
    for do in vocabulary.CORRECTED:
        described |= correction(do)
    return {
        **described,
        "Command": one_of({do: component(do) for do in put}),
        "Commands": {"anyOf": [{"$ref": f"{SCHEMAS}Command"}, several]},
        "Correction": one_of({do: component(do, CORRECTION) for do in vocabulary.CORRECTED}),
        "Opening": opening(),
        "Seat": of(vocabulary.SEAT),
    }


def component(do: str, what: str = COMMAND, variant: str = "") -> str:
    """
    The name of a schema: of a command, or of what a void enters instead.

    :param variant: the field that tells it from other forms of the command, if it has several.
    """
    return f"{do}_{variant}".title().replace("_", "") + what


def command(do: str) -> dict[str, Schema]:
    """The schemas of a command in the API: with `command_id`, without fields for transcripts."""
    return _schemas_of(vocabulary.VOCABULARY[do], do, COMMAND, "command_id")


def correction(do: str) -> dict[str, Schema]:
    """The schemas of a command of play that a void enters, which needs no id of its own."""
    return _schemas_of(vocabulary.CORRECTED[do], do, CORRECTION)


def _schemas_of(kind: kinds.Kind, do: str, what: str, *more: str) -> dict[str, Schema]:
    """
    A command by its name; one that has two forms has a schema for each, too.

    :param more: fields that it needs in the API beside those of the vocabulary.
    """
    if not isinstance(kind, kinds.Either):
        return {component(do, what): _of_command(kind, do, *more)}
    forms = [_of_command(each, do, *more) for each in (kind.first, kind.second)]
    named = {component(do, what, _own_field(form, forms)): form for form in forms}
    return {**named, component(do, what): {"anyOf": [{"$ref": SCHEMAS + name} for name in named]}}


def _own_field(form: Schema, forms: list[Schema]) -> str:
    """The first field that this form needs and the others do not have."""
    others = {name for each in forms if each is not form for name in each["properties"]}
    return str(next(name for name in form["required"] if name not in others))


def _of_command(kind: kinds.Kind, do: str, *more: str) -> Schema:
    described = of(kind)
    for name in IN_TRANSCRIPTS_ONLY:
        described["properties"].pop(name, None)
    described["properties"]["do"] = {"type": "string", "enum": [do]}
    described["required"] = [*described["required"], *more]
    return described


def opening() -> Schema:
    described = _of_command(vocabulary.VOCABULARY["open"], "open", "command_id")
    described["properties"] |= {
        "table": {"type": "string", "format": "uuid"},
        "dice_set": {"type": "string", "format": "uuid", "description": "A free one if absent."},
    }
    required = [name for name in described["required"] if name != "do"]
    return {**described, "required": [*required, "table"]}


def of(kind: kinds.Kind) -> Schema:  # noqa: PLR0911 - one return for each kind
    """The JSON Schema of a kind of value."""
    match kind:
        case kinds.Record(required=required, optional=optional):
            return {
                "type": "object",
                "properties": {name: of(each) for name, each in {**required, **optional}.items()},
                "additionalProperties": False,
                **({"required": list(required)} if required else {}),
            }
        case kinds.Either(first=kinds.ListOf(item=name), second=kinds.ListOf()):
            return either_list(of(name), {"$ref": f"{SCHEMAS}Seat"})
        case kinds.Command():
            return {"$ref": f"{SCHEMAS}Correction"}
        case kinds.ListOf(item=item):
            return {"type": "array", "items": of(item)}
        case kinds.Settings(known=known):
            properties = {name: of(each) for name, each in known.items()}
            return {"type": "object", "properties": properties, "additionalProperties": True}
        case kinds.Payout():
            payout = {"type": "string", "pattern": PAYOUT}
            return {"anyOf": [{"type": "integer", "minimum": 1}, payout]}
        case kinds.Reference():
            return {"anyOf": [{"type": "integer", "minimum": 1}, of(kinds.CommandId())]}
        case kinds.Flag():
            return {"type": "boolean"}
        case kinds.Number():
            return {"type": "integer", **_range(kind)}
        case _:
            return {"type": "string", **_form(kind)}


def either_list(texts: Schema, objects: Schema) -> Schema:
    """A list of either; in generated clients two lists of one field would be one and the same."""
    both = [{"contains": {"type": "string"}}, {"contains": {"type": "object"}}]
    return {"type": "array", "items": {"anyOf": [texts, objects]}, "not": {"allOf": both}}


def _range(kind: kinds.Number) -> Schema:
    match kind:
        case kinds.Coins(least=least):
            return {"minimum": least, "maximum": COINS_MAX}
        case _:
            return {"minimum": 1}


def _form(kind: kinds.Kind) -> Schema:
    match kind:
        case kinds.CommandId():
            return {"format": "uuid"}
        case kinds.Moment():
            return {"format": "date-time"}
        case kinds.Person():
            return {"minLength": 1, "maxLength": kinds.NAME_MAX}
        case _:
            return {"maxLength": kinds.TEXT_MAX}


# The API's description as a page, `/api/docs/`: Swagger UI over `/api/schema/`.


@require_safe
def docs_page(request: HttpRequest) -> HttpResponse:
    """
    Every address, field and error, to read and to try.

    Anybody may read it, as they may read the description itself. Requests that only read can be
    sent from the page; they are made as whoever is signed in.
    """
    return render(request, "kit/web/api_docs.html")
