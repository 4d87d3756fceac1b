"""The house rules as tests: who may know whom, what may be imported where, how long a file may be."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "reviewer"
FILES = sorted(PACKAGE.rglob("*.py"))

# Each room and the rooms it may know. A room is a module or package directly below `reviewer`.
GROUND = {"errors", "values", "counting"}
VALUES = GROUND | {"text", "ansi", "redact", "settings", "habits", "trace"}
CODEBOOK = {"taxonomy", "taxonomy_file", "taxonomy_map", "taxonomy_place", "crosswalk"}
WORDS = VALUES | CODEBOOK | {"facts", "label", "foreign", "foreign_links", "label_file"}
KNOWS = {
    "__main__": {"cli"},
    "errors": set(),
    "values": set(),
    "counting": set(),
    "stats": set(),
    "habits": GROUND | {"settings"},
    **dict.fromkeys(("text", "ansi", "redact", "settings", "trace"), GROUND | {"text"}),
    **dict.fromkeys((*CODEBOOK, "facts", "label"), VALUES | CODEBOOK),
    "foreign": VALUES | CODEBOOK | {"label"},
    "foreign_links": VALUES | {"taxonomy", "label", "foreign"},
    "label_file": VALUES | {"taxonomy", "label", "foreign", "foreign_links"},
    **dict.fromkeys(("importers", "exporters", "suggest", "store"), WORDS),
    "study": WORDS | {"store", "stats"},
    "report": WORDS | {"store", "stats"},
    "session": WORDS | {"store", "stats", "study"},
    "tui": WORDS | {"stats", "study", "report", "session"},
    "cli": WORDS
    | {"store", "stats", "study", "report", "session", "tui", "importers", "exporters", "suggest"},
}
# The rooms inside `importers`, and the modules beside them, each with what it may know there. "list" is
# `reviewer.importers` itself: the names of the formats, which loads them when they are asked for.
SHARED = {"base", "opening", "shapes", "joining"}
IMPORTERS = {
    "base": set(),
    "maps": set(),
    "guests": {"base"},
    "label_files": {"base"},
    "opening": {"base"},
    "shapes": {"base", "opening"},
    "joining": {"base", "opening", "shapes"},
    "per_request": {"base", "opening", "shapes"},
    "formats": SHARED | {"list"},
    "list": {"base", "guests"},
    "finding": SHARED | {"list", "guests"},
    "mapped": SHARED | {"list", "formats", "maps"},
    "sketch": SHARED | {"maps", "mapped"},
}
# The rooms inside `suggest/rules`, and the module beside them, each with what it may know there.
RULES = {
    "seen": set(),
    "signals": {"seen"},
    "pointers": {"seen", "signals"},
    "suggester": {"seen", "signals", "pointers"},
    "rules": {"suggester"},
}
# Libraries that live in one room only, or in one file of another.
AT_HOME = {
    "textual": {"tui"},
    "sqlite_utils": {"store"},
    "click": {"cli"},
    "anthropic": {"suggest"},
    "numpy": {"stats"},
    "sqlite3": {"store", "importers/opening/databases.py"},
}
# What a command must not pay for before it is needed.
HEAVY = {"textual", "anthropic", "sqlite_utils", "numpy", "pydantic", "rich"}


def room_of(file: Path) -> str:
    inside = file.relative_to(PACKAGE).parts
    return inside[0].removesuffix(".py")


def imports(file: Path) -> list[tuple[str, bool]]:
    """(module, whether the import is made when the file is loaded) of every import of a file."""
    tree = ast.parse(file.read_text("utf-8"))
    inner = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    typing_only = {
        node
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and ast.unparse(test.test) == "TYPE_CHECKING"
        for node in ast.walk(test)
    }
    found = []
    for node in ast.walk(tree):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        for name in names:
            if name == "reviewer" and isinstance(node, ast.ImportFrom):
                found += [(f"reviewer.{alias.name}", node not in inner) for alias in node.names]
            else:
                found.append((name, node not in inner and node not in typing_only))
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_room_knows_only_the_rooms_below_it(file: Path) -> None:
    room = room_of(file)
    if room == "__init__":
        return
    for name, _ in imports(file):
        if name.startswith("reviewer."):
            other = name.split(".")[1]
            if other in {room, "__version__"}:
                continue
            assert other in KNOWS[room], f"{file.relative_to(ROOT)} imports {name}"


INSIDE = [file for file in FILES if room_of(file) == "importers"]


def inner_room(name: str) -> str:
    """The room inside `importers` of a module: `reviewer.importers.opening.decode` lies in `opening`."""
    inside = name.split(".")[2:3]
    return inside[0] if inside and inside[0] in IMPORTERS else "list"


@pytest.mark.parametrize("file", INSIDE, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_room_of_the_importers_knows_only_those_below_it(file: Path) -> None:
    room = inner_room(".".join(file.relative_to(ROOT).with_suffix("").parts))
    assert room in IMPORTERS
    for name, _ in imports(file):
        if name.split(".")[:2] == ["reviewer", "importers"] and (other := inner_room(name)) != room:
            assert other in IMPORTERS[room], f"{file.relative_to(ROOT)} imports {name}"


def test_every_room_of_the_importers_says_what_it_is_for() -> None:
    folder = PACKAGE / "importers"
    rooms = {file.relative_to(folder).parts[0].removesuffix(".py") for file in INSIDE}
    assert rooms - {"__init__"} == set(IMPORTERS) - {"list"}
    for room in ("opening", "shapes", "joining", "finding", "formats"):
        assert ast.get_docstring(ast.parse((folder / room / "__init__.py").read_text("utf-8")))


OF_RULES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted((PACKAGE / "suggest" / "rules").rglob("*.py"))
}
IN_RULES = "reviewer.suggest.rules."


def room_of_rules(module: str) -> str:
    """`seen` for `reviewer.suggest.rules.seen.scene`, `rules` for the package itself."""
    return f"{module}.".removeprefix(IN_RULES).partition(".")[0] or "rules"


@pytest.mark.parametrize("module", OF_RULES)
def test_a_room_of_the_rules_knows_only_those_below_it(module: str) -> None:
    room = room_of_rules(module)
    assert room in RULES and ast.get_docstring(ast.parse(OF_RULES[module].read_text("utf-8")))
    for name, _ in imports(OF_RULES[module]):
        if name.startswith(IN_RULES):
            assert room_of_rules(name) in RULES[room] | {room}, f"{module} imports {name}"
        elif name.startswith("reviewer.suggest"):
            assert (room, name) == ("suggester", "reviewer.suggest.base"), f"{module} imports {name}"


def test_no_two_modules_of_the_rules_know_each_other() -> None:
    known: dict[str, set[str]] = {module: set() for module in OF_RULES}
    for module, file in OF_RULES.items():
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):  # of a module, or of a module from its room
                names = {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
                known[module] |= names & set(OF_RULES)
    order = TopologicalSorter(known)
    assert len(list(order.static_order())) == len(OF_RULES)  # a circle is an error of its own


def test_nobody_else_looks_inside_the_rules() -> None:
    for file in set(FILES) - set(OF_RULES.values()):
        for name, _ in imports(file):
            assert not name.startswith(IN_RULES), f"{file.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_libraries_stay_in_their_room(file: Path) -> None:
    for name, _ in imports(file):
        library = name.split(".")[0]
        allowed = AT_HOME.get(library)
        homes = {room_of(file), file.relative_to(PACKAGE).as_posix()}
        assert allowed is None or homes & allowed, f"{file.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_heavy_libraries_are_imported_where_they_are_used(file: Path) -> None:
    if room_of(file) == "tui":
        return
    loaded = {name.split(".")[0] for name, at_load in imports(file) if at_load}
    assert not loaded & HEAVY


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_file_holds_one_idea(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) <= 300, f"{len(lines)} lines"
    tree = ast.parse("\n".join(lines))
    assert ast.get_docstring(tree) or file.name == "__init__.py", "no module docstring"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 70, f"{node.name} does not fit a screen"


def test_every_room_is_in_the_table() -> None:
    assert {room_of(file) for file in FILES} - {"__init__"} <= set(KNOWS)


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["status"], ["traces"], ["agreement"], ["export", "jsonl"]],
    ids=" ".join,
)
def test_light_commands_load_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    from reviewer.store import Store

    Store.open(tmp_path / "reviews.db", create=True).close()
    code = (
        f"import sys; from reviewer import cli; cli.run({arguments!r}); "
        f"print(sorted({HEAVY!r} & {{name.split('.')[0] for name in sys.modules}}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == "[]", done.stderr


def test_a_first_screen_imports_nothing_that_it_does_not_need() -> None:
    code = "import sys, reviewer.cli.labelling, reviewer.tui.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    heavy = {"reviewer.stats", "statistics", "anthropic", "numpy", "textual.widgets._text_area"}
    assert heavy & set(loaded.split()) == set()
