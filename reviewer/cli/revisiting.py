"""`label --worklist`: open the traces whose mode changed since this annotator labelled them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reviewer import settings
from reviewer.cli.context import Context
from reviewer.cli.sitting import Talk, outside
from reviewer.cli.told import newcomer
from reviewer.label import Annotator
from reviewer.tui.running import run

if TYPE_CHECKING:
    from reviewer.session.revisiting import WorklistSession


def open_worklist(context: Context, name: str | None, round: int | None, *, blind: bool, reveal: bool) -> int:
    """The review screen over the worklist of `name`; without `round` old labels stay current in theirs."""
    from reviewer.session.revisiting import round_of

    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        number = round or round_of(store, taxonomy)
        talk = Talk()
        if new := newcomer(store, Annotator(*settings.identity(name))):
            talk.say(new)
    talk.say(
        f"labels under {taxonomy.id} {taxonomy.version} go into round {number}; old ones stay as they are"
    )

    def session() -> WorklistSession:
        from reviewer.session.revisiting import WorklistSession

        desk = context.desk(context.open_store(), name, number, taxonomy, origin="tui")
        return WorklistSession(desk, blind=blind, reveal=reveal)

    return run(session, context.open_reading, taxonomy, "ReviewApp", outside(name, talk))
