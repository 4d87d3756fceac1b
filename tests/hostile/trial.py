"""A case being tried: its folder, the command line, what the import said. It judges nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from tests.conftest import Ran
from tests.hostile.case import Case

TAXONOMY = 'id = "test"\nversion = "1"\n'
# Labels of the cases that say "no failure".
SOUND = {"none", "no_failure"}


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(f"not strict JSON: {constant}")


def strict(text: str) -> Any:
    """The value of a JSON text; NaN and Infinity are no JSON."""
    return json.loads(text, parse_constant=_refuse)


class Trial:
    """One case in an empty store. `imported` is what the import that the checks are about did."""

    def __init__(self, case: Case, folder: Path, run: Callable[..., Ran]) -> None:
        self.case = case
        self.folder = folder
        self.store = folder / "store.db"
        self._run = run
        self._taxonomy: list[object] = []
        self.imported = Ran(0, "", "")
        self.seconds = 0.0
        self.later: list[str] = []
        self.seen: dict[str, Any] = {}  # what one check leaves for the next of its kind
        case.write(folder)

    # -- the command line ----------------------------------------------------------------------

    def run(self, *arguments: object) -> Ran:
        """A command on the store of this case."""
        return self._run("--store", self.store, *self._taxonomy, *arguments)

    def beside(self, store: Path, *arguments: object) -> None:
        """A command on another store; it must succeed."""
        ran = self._run("--store", store, *arguments)
        assert ran.status == 0, ran

    def ask(self, *arguments: object) -> Any:
        """The JSON value that a command prints; the command must succeed."""
        ran = self.run(*arguments, "--json")
        assert ran.status == 0, ran
        return strict(ran.out)

    def bring_in(self, names: list[str]) -> None:
        self.imported = self.run("import", *(self.folder / name for name in names))

    @property
    def said(self) -> str:
        """Everything that the import printed."""
        return self.imported.out + self.imported.err

    def traces(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask("traces", "--children") if self.store.exists() else []
        return found

    def history(self) -> list[dict[str, Any]]:
        """Every event about every trace, with the trace it is about."""
        return [
            {**event, "trace": trace["id"]}
            for trace in self.traces()
            for event in self.ask("history", trace["id"])
        ]

    def labels(self) -> list[tuple[str, str, str]]:
        """(id, kind, mode) of every event of a person: what must not change by looking."""
        return sorted(
            (event["id"], event["kind"], str(event["mode"]))
            for event in self.history()
            if event["kind"] != "suggestion"
        )

    def current(self) -> list[dict[str, Any]]:
        """The labels that stand."""
        rows = [strict(line) for line in self.run("export", "jsonl").out.splitlines()]
        return [
            {**label, "trace": row["trace_id"]}
            for row in rows
            for label in row["labels"]
            if label["kind"] == "label"
        ]

    # -- scenarios -----------------------------------------------------------------------------

    def play(self) -> None:
        """The scenario of the case, or one import of everything."""
        if not self.case.scenario:
            self.bring_in(self.case.traces)
        for action in self.case.scenario:
            getattr(self, f"_do_{action['do']}")(action)

    def use_modes(self, labels: set[str]) -> None:
        """Label under a small taxonomy of exactly these labels."""
        kinds = {label: 'kind = "non_failure"\n' if label in SOUND else "" for label in sorted(labels)}
        modes = (f'\n[[mode]]\nid = "{label}"\n{kind}' for label, kind in kinds.items())
        file = self.folder / "test.toml"
        file.write_text(TAXONOMY + "".join(modes), "utf-8")
        self._taxonomy = ["--taxonomy", file]

    @property
    def taxonomy(self) -> str | None:
        """The file of the small taxonomy, where the case labels under one."""
        return str(self._taxonomy[-1]) if self._taxonomy else None

    def label(self, name: str, trace: str, mode: str, *more: object) -> None:
        ran = self.run("annotate", trace, mode, "--as", name, *more)
        assert ran.status == 0, ran

    def _do_import(self, action: Mapping[str, Any]) -> None:
        self.bring_in(action["files"])

    def _do_label(self, action: Mapping[str, Any]) -> None:
        self.at(action.get("store", "A"))
        self.use_modes({one["value"] for one in self.case.scenario if one["do"] == "label"})
        named = action["trace"]  # a place in the list, or the id of a task
        trace = next(one["id"] for place, one in enumerate(self.traces()) if named in (place, one["task_id"]))
        step = ("--step", action["step"]) if "step" in action else ()
        self.label(action["as"], trace, action["value"], *step)
        if step:
            text = self.ask("show", trace, "--step", action["step"])["message"]
            self.seen["labelled message"] = text
        self.seen["labels"] = self.labels()

    def place(self, name: str) -> Path:
        """The file of one of the stores of this case; A is the one that checks look at."""
        return self.folder / ("store.db" if name == "A" else f"{name}.db")

    def at(self, name: str) -> Trial:
        """Go on in this store."""
        self.store = self.place(name)
        return self

    def _do_copy_store(self, action: Mapping[str, Any]) -> None:
        assert self.run("backup", self.place(action["to"])).status == 0

    def _do_merge(self, action: Mapping[str, Any]) -> None:
        ran = self.at(action["into"]).run("merge", self.place(action["from"]))
        assert ran.status == 0, ran
        self.at("A")

    def _do_label_from(self, action: Mapping[str, Any]) -> None:
        rows = json.loads(self.case.files[action["file"]])
        self.use_modes({row["label"] for row in rows if row["label"]})
        ids = {trace["task_id"]: trace["id"] for trace in self.traces()}
        for row in rows:
            trace, name, mode = ids[row["trace"]], row["annotator"], row["label"]
            if row.get("source") == "suggestion":
                answers = self.folder / "answers.json"
                answers.write_text(json.dumps({trace: {"mode": mode}}), "utf-8")
                assert self.run("suggest", "--with", "scripted", "--answers", answers).status == 0
            elif row.get("source") == "adjudication":
                ran = self.run("adjudicate", trace, mode, "--as", name, "--reason", "the rule says so")
                assert ran.status == 0, ran
            elif mode is None:
                assert self.run("annotate", trace, "--clear", "--as", name).status == 0
            else:
                self.label(name, trace, mode)

    def _do_agreement(self, action: Mapping[str, Any]) -> None:
        self.seen["agreement"] = self.ask("agreement")

    def _do_expect_labels(self, action: Mapping[str, Any]) -> None:
        standing = self.current()
        assert len(standing) == action["n"], standing
        assert {label["annotator"]["name"]: label["mode"] for label in standing} == action["of"]
