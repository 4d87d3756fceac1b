"""`show --step N --raw`: the source records that a step was made of, where that can be told."""

from __future__ import annotations

import json

from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.errors import InputError
from reviewer.session.held import in_record, opinions_said
from reviewer.session.records import record_of, signs_of, speaks
from reviewer.store import Store


def show_step_record(
    context: Context, store: Store, full_id: str, n: int, name: str | None, *, sealed: bool, as_json: bool
) -> None:
    """Print each record of step `n` as a line of JSON (`as_json`: all as one list).

    InputError: which they are cannot be told; or they hold what a judge or a person said, and the trace is
    `sealed` for `name`. Where they do and it is not, that is on record first.
    """
    record = record_of(store.traces.raw(full_id), signs_of(store.traces.step(full_id, n)))
    if record.whole:
        raise InputError(
            f"which part of the source record step {n} was made of cannot be told; --raw without --step "
            "prints the whole, --step without --raw the step"
        )
    if name is not None and speaks(record, opinions_said(store, full_id)):
        if sealed:
            raise InputError(
                f"this record holds what a judge or a person said: {name} may see it after a label of "
                f"{name}'s own; --step {n} without --raw shows the step"
            )
        shown = in_record(store, full_id, store.outcomes.of(full_id))
        told.record(context.desk(store, name, None), name, {full_id: shown})
    if as_json:
        out.show_json(list(record.values))
        return
    out.verbatim("\n".join(json.dumps(value, ensure_ascii=False) for value in record.values))
