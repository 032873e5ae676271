"""Lists of tables and staff: read as they come, wrong by line and column, whole or not at all."""

from __future__ import annotations

import io
import unicodedata
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.establishments.models import Establishment, Table
from casino.office.onboarding import csv_lists, import_pages
from ledger import journal
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

TABLES = "name,stake_min,stake_max\nGarden,5,50\nLoft,,\n"
QUOTED = '"name","stake_min","stake_max"\n"Garden","5","50"\n"Loft",,\n'
STAFF = "username,first,last,role\nnora,Nora,Vale,attendant\nzoë,Zoë,Quill,Supervisor\n"


@pytest.fixture
def house() -> House:
    return builders.house()


def read(at: House, raw: bytes | str, what: str = "tables") -> csv_lists.CsvList:
    return csv_lists.read(
        raw if isinstance(raw, bytes) else raw.encode(), csv_lists.KINDS[what], at.establishment
    )


def errors(listed: csv_lists.CsvList) -> list[tuple[int, str]]:
    return [(each.line, each.column) for each in listed.wrong]


# fmt: off
FORMS = [
    ("plain",            TABLES.encode(),                                        "UTF-8",   ","),
    ("a mark in front",  b"\xef\xbb\xbf" + TABLES.encode(),                      "UTF-8",   ","),
    ("semicolons",       TABLES.replace(",", ";").encode(),                      "UTF-8",   ";"),
    ("tabs",             TABLES.replace(",", "\t").encode(),                     "UTF-8",   "\t"),
    ("CRLF",             TABLES.replace("\n", "\r\n").encode(),                  "UTF-8",   ","),
    ("CR alone",         TABLES.replace("\n", "\r").encode(),                    "UTF-8",   ","),
    ("no end",           TABLES.rstrip().encode(),                               "UTF-8",   ","),
    ("empty lines",      TABLES.replace("\n", "\n\n").encode(),                  "UTF-8",   ","),
    ("quotes",           QUOTED.encode(),                                        "UTF-8",   ","),
    ("another order",    b"stake_max,name,stake_min\n50,Garden,5\n,Loft,\n",     "UTF-8",   ","),
    ("capitals",         TABLES.replace("name", "Name").encode(),                "UTF-8",   ","),
    ("spaces",           TABLES.replace(",", " , ").encode(),                    "UTF-8",   ","),
    ("sep=;",            b"sep=;\r\n" + TABLES.replace(",", ";").encode(),       "UTF-8",   ";"),
    ("sep=, quoted",     b'\xef\xbb\xbf"SEP=,"\r\n' + TABLES.encode(),            "UTF-8",   ","),
]
# fmt: on


@pytest.mark.parametrize(
    ("raw", "encoding", "separator"), [row[1:] for row in FORMS], ids=[row[0] for row in FORMS]
)
def test_a_list_is_read_however_it_was_written(
    house: House, raw: bytes, encoding: str, separator: str
) -> None:
    listed = read(house, raw)

    assert listed.wrong == []
    assert (listed.encoding, listed.separator) == (encoding, separator)
    assert [row.values for row in listed.rows] == [
        {"name": "Garden", "stake_min": "5", "stake_max": "50"},
        {"name": "Loft", "stake_min": "", "stake_max": ""},
    ]


@pytest.mark.parametrize("name", ["Gärten", "Nell\u2019s", "Bar “Œuf” \u2014 5 €"])
def test_what_excel_writes_on_windows_is_read(house: House, name: str) -> None:
    listed = read(house, f"name\n{name}\n".encode("cp1252"))

    assert (listed.encoding, listed.rows[0].values["name"]) == ("Windows-1252", name)
    assert listed.wrong == []


def test_the_quotes_of_a_cell_may_hold_separators_and_quotes(house: House) -> None:
    listed = read(house, 'name,stake_min\n"Garden, ""north""",5\n')

    assert listed.wrong == []
    assert listed.rows[0].values["name"] == 'Garden, "north"'


def test_a_line_end_within_quotes_keeps_the_lines_apart(house: House) -> None:
    listed = read(house, 'name,stake_min,stake_max\n"Gar\nden",1,x\nLoft,2,y\n')

    assert errors(listed) == [(2, "name"), (2, "stake_max"), (4, "stake_max")]


# fmt: off
WRONG = [
    ("tables", "",                                       [(0, "")]),
    ("tables", "\n\n",                                   [(0, "")]),
    ("tables", "name\n",                                 [(1, "")]),
    ("tables", "Garden,5\n",                             [(1, "garden"), (1, "5"), (1, "name")]),
    ("tables", "name,colour\nGarden,red\n",              [(1, "colour")]),
    ("tables", "name,name\nGarden,Loft\n",               [(1, "name"), (1, "name")]),
    ("tables", "name,stake_min\nGarden\n",               [(2, "")]),
    ("tables", "name,stake_min\n,4\n",                   [(2, "name")]),
    ("tables", "name\nGarden\ngarden\n",                 [(3, "name")]),
    ("tables", "name\nTable 1\n",                        [(2, "name")]),
    ("tables", f"name\n{'x' * 41}\n",                    [(2, "name")]),
    ("tables", "name,stake_min,stake_max\nA,-1,2.5\n",   [(2, "stake_min"), (2, "stake_max")]),
    ("tables", "name,stake_min,stake_max\nA,9,5\n",      [(2, "stake_max")]),
    ("tables", f"name,stake_min\nA,{2**53}\n",           [(2, "stake_min")]),
    ("tables", 'name\n"Garden\n',                        [(2, "")]),
    ("tables", 'name\nLoft\n"Garden"x\n',                [(3, "")]),
    ("tables", 'name\n"Gar\nden"\n',                     [(2, "name")]),
    ("tables", "name\nGar\x07den\n",                     [(2, "name")]),
    ("tables", ",,\r\n,,\r\n",                           [(0, "")]),
    ("tables", '""\n',                                   [(0, "")]),
    ("tables", "name;stake_min;\nA;1;\n",                [(1, "")]),
    ("tables", "sep=|\nname\nA\n",                        [(1, "sep=|"), (1, "name")]),
    ("tables", "name,stake_min\nA;5\n",                  [(2, "")]),
    ("tables", "name,stake_min\nA,5,6\n",                [(2, "")]),
    ("tables", f"name,stake_min\nA,{'0' * 5000}\n",      [(2, "stake_min")]),
    ("tables", f"name,stake_min\nA,{'0' * 20}{'9' * 30}\n", [(2, "stake_min")]),
    ("tables", "name,stake_min\nA,\u0665\n",             [(2, "stake_min")]),
    ("tables", "name\nTABLE 1\n",                        [(2, "name")]),
    ("tables", "name\nLoft\nTable 2\nloft\n",            [(3, "name"), (4, "name")]),
    ("tables", "name\n" + "".join(f"T{n}\n" for n in range(201)), [(202, "")]),
    ("tables", "name\n" + "".join(f"T{n}\n" for n in range(10_000)), [(202, "")]),
    ("staff",  "username,role\nnora,king\n",             [(2, "role")]),
    ("staff",  "username,role\n,attendant\n",            [(2, "username")]),
    ("staff",  "username,role\nnora,\n",                 [(2, "role")]),
    ("staff",  "username,role\nno ra,auditor\n",         [(2, "username")]),
    ("staff",  "username,role\nnora,auditor\nNORA,auditor\n", [(3, "username")]),
    ("staff",  f"username,first,role\nnora,{'x' * 151},auditor\n", [(2, "first")]),
    ("staff",  "first,last\nNora,Vale\n",                [(1, "role"), (1, "username")]),
]
# fmt: on


@pytest.mark.parametrize(("what", "text", "wrong"), WRONG)
def test_what_is_wrong_is_told_by_line_and_column(
    house: House, what: str, text: str, wrong: list[tuple[int, str]]
) -> None:
    assert errors(read(house, text, what)) == wrong


@pytest.mark.parametrize("raw", [b"\xff\xfen", b"n\0a\0m\0e\0", b"name\n\0\n", b"x" * 100_001])
def test_what_is_no_text_is_an_error(house: House, raw: bytes) -> None:
    assert errors(read(house, raw)) == [(0, "")]


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_the_unicode_text_of_a_spreadsheet_is_read(house: House, mark: str) -> None:
    raw = "\ufeffname\tstake_min\r\nSalón\t5\r\n".encode(mark)

    listed = read(house, raw)

    assert (errors(listed), listed.encoding) == ([], "UTF-16")
    assert [row.values["name"] for row in listed.rows] == ["Salón"]


@pytest.mark.parametrize("name", ["nora", "Nora"])
def test_a_name_that_is_taken_is_an_error(house: House, name: str) -> None:
    builders.person(name)

    listed = read(house, STAFF, "staff")

    assert errors(listed) == [(2, "username")]
    assert str(listed.wrong[0]).startswith("Line 2, username: Somebody signs in by this name")


def test_the_file_to_fill_in_is_a_list_itself(house: House) -> None:
    for what, kind in csv_lists.KINDS.items():
        assert read(house, kind.template, what).wrong == []


@pytest.mark.parametrize("what", ["tables", "staff"])
def test_a_long_list_asks_no_more_of_the_database_than_a_short_one(
    house: House, what: str, django_assert_num_queries: Any
) -> None:
    head = "name\n" if what == "tables" else "username,role\n"
    more = "" if what == "tables" else ",auditor"
    for many in (1, 200):
        lines = head + "".join(f"n{number}{more}\n" for number in range(many))
        with django_assert_num_queries(1):
            assert read(house, lines, what).wrong == []


def test_who_is_taken_on_in_the_meantime_is_told_and_nobody_is(house: House) -> None:
    listed = read(house, STAFF, "staff")
    builders.person("zoë")

    with pytest.raises(import_pages.ListIsWrong, match="Line 3"):
        import_pages.staff(house.establishment, listed, by=house.manager)

    assert not Attendant.objects.filter(username="nora").exists()
    assert journal.stream(establishment=house.id, stream="record/employment") == []


class TestPages:
    def post(self, at: House, what: str, sent: dict[str, Any], role: Role = Role.MANAGER) -> Any:
        client = Client()
        client.force_login(at.people[role])
        return client.post(f"/settings/import/{what}/", sent)

    def carry(self, at: House, what: str, content: str, **more: Any) -> Any:
        sent = {"carry_out": "1", "content": content, "command_id": str(uuid.uuid4()), **more}
        return self.post(at, what, sent)

    def test_a_file_is_shown_first_and_changes_nothing(self, house: House) -> None:
        file = SimpleUploadedFile("tables.csv", TABLES.encode())

        text = self.post(house, "tables", {"file": file}).content.decode()

        assert "Garden" in text
        assert "Carry it out" in text
        assert Table.objects.filter(establishment=house.id).count() == 2

    def test_pasted_lines_with_something_wrong_cannot_be_carried_out(self, house: House) -> None:
        text = self.post(house, "tables", {"content": "name\nTable 1\n"}).content.decode()

        assert "Line 2, name" in text
        assert "Carry it out" not in text

    def test_tables_are_added_each_with_its_event_in_one_entry(self, house: House) -> None:
        assert self.carry(house, "tables", TABLES).status_code == 302

        events = journal.stream(establishment=house.id, stream="record/table")
        assert [event.data["after"]["name"] for event in events] == ["Garden", "Loft"]
        assert len({event.provenance.command_id for event in events}) == 1
        assert Table.objects.get(name="Garden").stake_max == 50

    def test_limits_are_amounts_as_the_house_writes_them(self, house: House) -> None:
        at = house.establishment
        at.currency, at.currency_code, at.coin_digits, at.locale = "€", "EUR", 2, "de-DE"
        at.save()
        listed = "name;stake_min;stake_max\nGarden;5,50;1.000,00\n"

        preview = self.post(house, "tables", {"content": listed}).text
        assert [each in preview for each in ("5,50\xa0r", "1.000,00\xa0r")] == [True, True]
        assert self.carry(house, "tables", listed).status_code == 302

        added = Table.objects.get(name="Garden")
        assert (added.stake_min, added.stake_max) == (550, 100_000)
        wrong = self.post(house, "tables", {"content": "name;stake_min\nLoft;5,5055\n"})
        assert "Line 2, stake_min: Not an amount of this house: write it as 50,00." in wrong.text

    def test_a_second_tap_adds_nothing(self, house: House) -> None:
        once = str(uuid.uuid4())
        for _ in range(2):
            assert self.carry(house, "tables", TABLES, command_id=once).status_code == 302

        assert Table.objects.filter(establishment=house.id).count() == 4

    def test_an_empty_file_is_an_error(self, house: House) -> None:
        text = self.post(house, "tables", {"file": SimpleUploadedFile("x.csv", b"")})

        assert "The submitted file is empty" in text.content.decode()

    def test_nothing_at_all_is_an_error(self, house: House) -> None:
        assert "paste its lines" in self.post(house, "tables", {"content": ""}).content.decode()
        assert "nothing in it" in self.carry(house, "tables", "").content.decode()

    def test_what_does_not_do_is_told_beside_the_list(self, house: House) -> None:
        text = self.carry(house, "tables", TABLES, reason="x" * 501).content.decode()

        assert "at most 500 characters" in text
        assert "Garden" in text
        assert "Carry it out" in text
        assert Table.objects.filter(establishment=house.id).count() == 2

    def test_a_reason_is_asked_for_where_it_is_kept(self, house: House) -> None:
        tables = self.post(house, "tables", {"content": TABLES}).content.decode()
        staff = self.post(house, "staff", {"content": STAFF}).content.decode()

        assert 'name="reason"' in tables
        assert 'name="reason"' not in staff

    def test_all_or_nothing(self, house: House) -> None:
        text = self.carry(house, "tables", TABLES + "Table 1,,\n").content.decode()

        assert "Not carried out" in text
        assert Table.objects.filter(establishment=house.id).count() == 2
        assert journal.stream(establishment=house.id, stream="record/table") == []

    def test_staff_is_taken_on_with_first_passwords_that_are_shown_once(self, house: House) -> None:
        text = self.carry(house, "staff", STAFF).content.decode()

        nora = Attendant.objects.get(username="nora")
        employment = Employment.objects.get(attendant=nora)
        assert (employment.establishment_id, employment.role) == (house.id, Role.ATTENDANT)
        assert Employment.objects.get(attendant__username="zoë").role == Role.SUPERVISOR
        password = text.split("nora</b>")[1].split("<code>")[1].split("</code>")[0]
        assert nora.check_password(password)
        events = journal.stream(establishment=house.id, stream="record/employment")
        assert len(events) == 2
        assert all(b"Nora" not in event.body and b"nora" not in event.body for event in events)
        assert "Not carried out" in self.carry(house, "staff", STAFF).content.decode()

    def test_staff_is_taken_on_all_or_nobody(self, house: House) -> None:
        self.carry(house, "staff", STAFF + "no ra,,,attendant\n")

        assert not Attendant.objects.filter(username="nora").exists()

    @pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
    def test_d1_only_a_manager_brings_lists(self, house: House, role: Role) -> None:
        sent = {"carry_out": "1", "content": STAFF, "command_id": str(uuid.uuid4())}
        assert self.post(house, "staff", sent, role).status_code == 403
        assert not Attendant.objects.filter(username="nora").exists()

    def test_c1_tables_wait_where_two_configure(self, house: House) -> None:
        Establishment.objects.filter(pk=house.id).update(two_configure=True)

        self.carry(house, "tables", TABLES, reason="The new wing.")

        assert Table.objects.filter(establishment=house.id).count() == 2

    def test_c1_staff_is_invited_and_not_brought_where_two_configure(self, house: House) -> None:
        Establishment.objects.filter(pk=house.id).update(two_configure=True)

        text = self.carry(house, "staff", STAFF).content.decode()

        assert "invite them under People" in text
        assert not Attendant.objects.filter(username="nora").exists()

    def test_the_file_to_fill_in_is_downloaded(self, house: House) -> None:
        client = Client()
        client.force_login(house.manager)
        answer = client.get("/settings/import/staff/template.csv")

        assert answer.headers["Content-Type"].startswith("text/csv")
        assert io.BytesIO(answer.content).read(3) == b"\xef\xbb\xbf"
        assert b"username,first,last,role" in answer.content

    def test_there_is_no_list_of_anything_else(self, house: House) -> None:
        assert self.post(house, "dragons", {"content": "x"}).status_code == 404


def test_first_passwords_are_good_enough_and_differ() -> None:
    made = {import_pages.first_password() for _ in range(50)}

    assert len(made) == 50
    assert all(len(each) >= 20 for each in made)


def test_lines_under_sep_keep_their_numbers(house: House) -> None:
    assert errors(read(house, "sep=;\nname;stake_min\nGarden;much\n")) == [(3, "stake_min")]


def test_one_name_composed_in_two_ways_is_one_name(house: House) -> None:
    names = [unicodedata.normalize(form, "Café") for form in ("NFC", "NFD")]

    listed = read(house, "name\n" + "\n".join(names) + "\n")

    assert errors(listed) == [(3, "name")]
    assert [row.values["name"] for row in listed.rows] == [names[0]] * 2


def test_what_no_encoding_has_is_named_with_its_line(house: House) -> None:
    assert errors(read(house, b"name\n\x81\n")) == [(2, "")]


@pytest.mark.parametrize("name", ["René", "Jörg", "Müller", "Niccolò", "Zoë", "François", "Muñoz"])
def test_what_a_mac_writes_is_named_with_its_line(house: House, name: str) -> None:
    listed = read(house, f"name\nGarden\n{name}\n".encode("mac-roman"))

    assert errors(listed) == [(3, "")]
    assert "CSV UTF-8" in str(listed.wrong[0])
