"""The offline suggester: rules over named signals, no model, no network.

Its rooms, from the bottom up: `seen` (what is asked of a trace), `signals` (the named signs and their list),
`pointers` (what is said where none fires); `suggester` makes one proposal of them by `rules.toml`. No room
knows one above it.
"""

from reviewer.suggest.rules.suggester import Rules, build, modes_of, table

__all__ = ["Rules", "build", "modes_of", "table"]
