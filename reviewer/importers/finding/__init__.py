"""Which files are read, and who reads each: folders and patterns, what only lies beside traces, the formats.

`files` is the one door: `find` and `open_source`. A source is shown to one format after the other, as it
stands and by what it wraps, and what is said around its file is joined to its traces. Knows all rooms below,
and formats by asking them alone.
"""
