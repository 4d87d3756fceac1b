"""Traces in the store: put them in once, read them back step by step.

Knows identity and revisions (DESIGN, Store): same id and content is unchanged; a session that grew is
a new revision; anything else with the same id is a second trace with an id of its own. Does not know
labels, except that a revision which a label refers to is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from reviewer.errors import NotFound
from reviewer.store import codec
from reviewer.store.amending import SET, amended
from reviewer.store.connection import Connection
from reviewer.store.rows import INFO_COLUMNS, info_from_row, info_to_row, step_from_json, step_to_json
from reviewer.trace import OutlineRow, Step, Trace, TraceInfo, headline, trace_id
from reviewer.values import dataclass

PutKind: TypeAlias = Literal["new", "unchanged", "updated", "clash"]


@dataclass(frozen=True, slots=True)
class Put:
    """What became of a trace that was put in, and the id it has in the store."""

    kind: PutKind
    trace_id: str


class Traces:
    """The traces of one store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db

    # -- in ------------------------------------------------------------------------------------

    def put(self, trace: Trace, *, now: str) -> Put:
        """Put one trace in; the caller holds the transaction (`Store.write`)."""
        known = self._lineage(trace.info.trace_id)
        if known is None:
            return Put("new", self._insert(trace, now))
        for tid, revision, own in [(*known, trace.info.trace_id), *self._cousins(trace)]:
            kind = self._meet(tid, revision, trace, own, now)
            if kind is not None:
                return Put(kind, own)
        own = trace_id([trace.info.trace_id, trace.info.content_hash])
        if self._lineage(own) is not None:
            return Put("unchanged", own)
        return Put("clash", self._insert(replace(trace, info=replace(trace.info, trace_id=own)), now))

    def _meet(self, tid: int, revision: int, trace: Trace, own: str, now: str) -> PutKind | None:
        """What `trace` is to the one that is here: the same, a later or an earlier copy; None: another."""
        if self._has_revision(tid, trace):
            return self._read_anew(tid, trace, own)
        old = self._records(tid, revision)
        if trace.records and old and trace.records.startswith(old):
            self._update(tid, revision + 1, replace(trace, info=replace(trace.info, trace_id=own)), now)
            return "updated"
        # an older copy of a session that has grown since brings nothing new
        return "unchanged" if trace.records and old.startswith(trace.records) else None

    def _read_anew(self, tid: int, trace: Trace, own: str) -> PutKind:
        """The same record read by another version of its importer (a corrected map) replaces its steps."""
        sql = "SELECT format, importer, revision, content_hash FROM traces WHERE tid = ?"
        format, importer, revision, content_hash = self._db.execute(sql, (tid,)).fetchone()
        new = trace.info
        if (new.format, new.content_hash) != (format, content_hash) or new.importer == importer:
            return "unchanged"
        for table in ("steps", "bodies", "raw", "indexed", "search_rows"):
            self._db.execute(f"DELETE FROM {table} WHERE tid = ? AND revision = ?", (tid, revision))
        self._describe(tid, replace(trace.info, trace_id=own, revision=revision))
        self.fill(tid, revision, trace)
        return "updated"

    def _cousins(self, trace: Trace) -> list[tuple[int, int, str]]:
        """(tid, revision, id) of the traces that begin with the same record: clashes, which grow too."""
        if not trace.records:
            return []
        sql = """SELECT DISTINCT t.tid, t.revision, t.trace_id FROM revisions r JOIN traces t ON t.tid = r.tid
                 WHERE substr(r.records, 1, 8) = ? AND t.trace_id <> ?"""
        return self._db.execute(sql, (trace.records[:8], trace.info.trace_id)).fetchall()

    def _lineage(self, full_id: str) -> tuple[int, int] | None:
        found: tuple[int, int] | None = self._db.execute(
            "SELECT tid, revision FROM traces WHERE trace_id = ?", (full_id,)
        ).fetchone()
        return found

    def _has_revision(self, tid: int, trace: Trace) -> bool:
        sql = "SELECT 1 FROM revisions WHERE tid = ? AND content_hash = ?"
        return self._db.execute(sql, (tid, trace.info.content_hash)).fetchone() is not None

    def _records(self, tid: int, revision: int) -> bytes:
        sql = "SELECT records FROM revisions WHERE tid = ? AND revision = ?"
        row = self._db.execute(sql, (tid, revision)).fetchone()
        return bytes(row[0]) if row else b""

    def _insert(self, trace: Trace, now: str) -> str:
        columns = ", ".join(INFO_COLUMNS)
        marks = ", ".join("?" * (len(INFO_COLUMNS) + 1))
        info = replace(trace.info, revision=1)
        cursor = self._db.execute(
            f"INSERT INTO traces({columns}, imported_at) VALUES({marks})", (*info_to_row(info), now)
        )
        self._revise(int(cursor.lastrowid or 0), 1, trace, now)
        return info.trace_id

    def _update(self, tid: int, revision: int, trace: Trace, now: str) -> None:
        self._describe(tid, replace(trace.info, revision=revision))
        self._revise(tid, revision, trace, now)
        self._forget_unlabelled(tid, trace.info.trace_id, revision)

    def _describe(self, tid: int, info: TraceInfo) -> None:
        """What the file says now, under what somebody said of it."""
        columns = ", ".join(f"{name} = ?" for name in INFO_COLUMNS)
        row = self._db.execute("SELECT meta FROM traces WHERE tid = ?", (tid,)).fetchone()
        values = info_to_row(amended(info, codec.loads(row[0]).get(SET, {})))
        self._db.execute(f"UPDATE traces SET {columns} WHERE tid = ?", (*values, tid))

    def _revise(self, tid: int, revision: int, trace: Trace, now: str) -> None:
        row = (tid, revision, trace.info.content_hash, trace.records, now)
        self._db.execute("INSERT INTO revisions VALUES(?, ?, ?, ?, ?)", row)
        self.fill(tid, revision, trace)

    def fill(self, tid: int, revision: int, trace: Trace) -> None:
        """Write the steps and the source record of a revision; the caller holds the transaction."""
        at = (tid, revision)
        raw = trace.raw.encode("utf-8", "surrogatepass")
        self._db.executemany(
            "INSERT INTO raw VALUES(?, ?, ?, ?, ?)", ((*at, *part) for part in codec.pack(raw))
        )
        outline: list[tuple[Any, ...]] = []
        bodies: list[tuple[Any, ...]] = []
        for step in trace.steps:
            body = step_to_json(step).encode("ascii")
            outline.append((*at, *_outline(step, len(body))))
            bodies.extend((*at, step.n, *part) for part in codec.pack(body))
        self._db.executemany("INSERT INTO steps VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", outline)
        self._db.executemany("INSERT INTO bodies VALUES(?, ?, ?, ?, ?, ?)", bodies)

    def _forget_unlabelled(self, tid: int, full_id: str, revision: int) -> None:
        """Drop the bodies of older revisions that no label refers to; their line in `revisions` stays."""
        sql = """SELECT revision FROM revisions r WHERE tid = ? AND revision < ? AND NOT EXISTS(
                 SELECT 1 FROM events e WHERE e.trace_id = ? AND e.content_hash = r.content_hash)"""
        for (old,) in self._db.execute(sql, (tid, revision, full_id)).fetchall():
            for table in ("steps", "bodies", "raw"):
                self._db.execute(f"DELETE FROM {table} WHERE tid = ? AND revision = ?", (tid, old))

    # -- out -----------------------------------------------------------------------------------

    def resolve(self, prefix: str) -> str:
        """The full id that `prefix` (any unique beginning, with or without `t1-`) names."""
        wanted = prefix if "t1-".startswith(prefix[:3]) else f"t1-{prefix}"
        sql = "SELECT trace_id FROM traces WHERE trace_id >= ? AND trace_id < ? ORDER BY trace_id LIMIT 4"
        with self._connection.told():
            found = [
                row[0] for row in self._db.execute(sql, (codec.text(wanted), codec.text(wanted) + "\x7f"))
            ]
        if len(found) == 1 or wanted in found:
            return wanted if wanted in found else found[0]
        if not found:
            raise NotFound(f"no trace begins with {prefix!r}; `reviewer traces` lists them")
        raise NotFound(
            f"{prefix!r} is the beginning of several traces ({', '.join(found[:3])} …); type more of it"
        )

    def info(self, full_id: str) -> TraceInfo:
        if (found := self.find(full_id)) is None:
            raise NotFound(f"no trace {full_id}; `reviewer traces` lists them")
        return found

    def find(self, full_id: str) -> TraceInfo | None:
        """Like `info`, but None where the store does not hold the trace (labels outlive traces)."""
        return next(self._infos("trace_id = ?", (full_id,)), None)

    def all(self, *, children: bool = False) -> list[TraceInfo]:
        """Every trace in order of import; sub-agent runs with `children`, or where no parent is here."""
        return list(self.each(children=children))

    def each(self, *, children: bool = False) -> Iterator[TraceInfo]:
        """The same, one in memory at a time."""
        alone = "NOT EXISTS(SELECT 1 FROM traces p WHERE p.trace_id = traces.parent_id)"
        return self._infos("TRUE" if children else f"parent_id = '' OR {alone}")

    def any(self) -> bool:
        """Whether the store holds a trace at all."""
        with self._connection.told():
            return self._db.execute("SELECT 1 FROM traces LIMIT 1").fetchone() is not None

    def children(self, full_id: str) -> list[TraceInfo]:
        return list(self._infos("parent_id = ?", (full_id,)))

    def siblings(self, info: TraceInfo) -> list[TraceInfo]:
        """Other attempts at the same task."""
        same = "benchmark = ? AND task_id = ? AND trace_id <> ? AND parent_id = ''"
        alike = self._infos(same, (info.benchmark, info.task_id, info.trace_id)) if info.task_id else ()
        return [other for other in alike if other.task_key == info.task_key]

    def _infos(self, where: str, values: Sequence[Any] = ()) -> Iterator[TraceInfo]:
        sql = f"SELECT {', '.join(INFO_COLUMNS)} FROM traces WHERE {where} ORDER BY tid"
        with self._connection.told():
            yield from (info_from_row(row) for row in self._db.execute(sql, values))

    def _at(self, full_id: str) -> tuple[int, int]:
        with self._connection.told():
            known = self._lineage(full_id)
        if known is None:
            raise NotFound(f"no trace {full_id}; `reviewer traces` lists them")
        return known

    def outline(self, full_id: str, first: int = 1, count: int = -1) -> list[OutlineRow]:
        """Rows `first` … of the newest revision, without bodies; `count` -1 means to the end."""
        sql = """SELECT n, source, kind, tools, head, n_calls, error, at, seconds, size, source_ids FROM steps
                 WHERE tid = ? AND revision = ? AND n >= ? ORDER BY n LIMIT ?"""
        with self._connection.told():
            rows = self._db.execute(sql, (*self._at(full_id), first, count)).fetchall()
        return [
            OutlineRow(
                n, source, kind, tools, head, calls, bool(error), at, seconds, size, codec.loads(ids)[0]
            )
            for n, source, kind, tools, head, calls, error, at, seconds, size, ids in rows
        ]

    def next_error(self, full_id: str, n: int, direction: int) -> int | None:
        """The number of the nearest step with an error after (`direction` 1) or before (-1) step `n`."""
        side, order = (">", "ASC") if direction > 0 else ("<", "DESC")
        sql = f"""SELECT n FROM steps WHERE tid = ? AND revision = ? AND error AND n {side} ?
                  ORDER BY n {order} LIMIT 1"""
        with self._connection.told():
            row = self._db.execute(sql, (*self._at(full_id), n)).fetchone()
        return row[0] if row else None

    def step_number(self, full_id: str, stable_id: str) -> int | None:
        """Where the step with this stable id stands in the newest revision."""
        sql = "SELECT n FROM steps WHERE tid = ? AND revision = ? AND json_extract(source_ids, '$[0]') = ?"
        with self._connection.told():
            row = self._db.execute(sql, (*self._at(full_id), codec.text(stable_id))).fetchone()
        return row[0] if row else None

    def step(self, full_id: str, n: int) -> Step:
        """One step with its body."""
        sql = "SELECT codec, data FROM bodies WHERE tid = ? AND revision = ? AND n = ? ORDER BY part"
        with self._connection.told():
            rows = self._db.execute(sql, (*self._at(full_id), n)).fetchall()
        if not rows:
            count = self.info(full_id).n_steps
            there = f"its steps are 1 to {count}" if count else "it has none"
            raise NotFound(f"trace {full_id} has no step {n}: {there}")
        return step_from_json(codec.unpack(rows).decode("ascii"))

    def steps(self, full_id: str, first: int = 1, count: int = -1) -> Iterator[Step]:
        """Steps `first` … in order, one body in memory at a time; `count` -1 means to the end."""
        sql = """SELECT n, codec, data FROM bodies WHERE tid = ? AND revision = ? AND n >= ? AND n < ?
                 ORDER BY n, part"""
        end = first + count if count >= 0 else 1 << 62
        with self._connection.told():
            current, parts = -1, list[tuple[int, bytes]]()
            for n, kind, data in self._db.execute(sql, (*self._at(full_id), first, end)):
                if n != current and parts:
                    yield step_from_json(codec.unpack(parts).decode("ascii"))
                    parts = []
                current = n
                parts.append((kind, data))
            if parts:
                yield step_from_json(codec.unpack(parts).decode("ascii"))

    def trace(self, full_id: str) -> Trace:
        """The whole trace, but without its raw source (see `raw`)."""
        return Trace(self.info(full_id), tuple(self.steps(full_id)))

    def raw(self, full_id: str) -> str:
        """The JSON text of the source record, as it stood in the file."""
        sql = "SELECT codec, data FROM raw WHERE tid = ? AND revision = ? ORDER BY part"
        with self._connection.told():
            rows = self._db.execute(sql, self._at(full_id)).fetchall()
        return codec.unpack(rows).decode("utf-8", "surrogatepass")


def _outline(step: Step, size: int) -> tuple[Any, ...]:
    tools = ", ".join(dict.fromkeys(call.name for call in step.calls))
    ids = codec.dumps([*step.source_ids] or [step.stable_id])
    head = codec.text(headline(step))
    return (
        *(
            step.n,
            ids,
            step.source,
            step.kind,
            codec.text(tools)[:80],
            head,
            len(step.calls),
            int(step.error),
        ),
        *(codec.text(step.at), step.seconds, size),
    )
