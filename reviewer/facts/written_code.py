"""What a piece of code writes: Python for the most part, and the usual calls of a few other languages.

Reads words, runs nothing. Not known: what a function that the code calls does, a path that is put together.
"""

from __future__ import annotations

import re

SCAN = 20_000

# How a file is opened to be written: "w", "ab", "r+", and ">" of Perl.
_MODE = r"""['"](?:\+?>|(?=[rbtU]*[wax+])[rwaxbtU+]{1,4}['"])"""
_INNER = r"(?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))"  # arguments, with calls in them
_WRITES = re.compile(
    rf"""\bopen\({_INNER}{{0,200}},\s*(?:mode\s*=\s*)?{_MODE}
      | \.open\(\s*(?:mode\s*=\s*)?{_MODE}
      | \.(?:write_text|write_bytes|writelines|unlink|savefig)\(
      | \.to_(?:csv|excel|parquet|pickle|feather)\( | \.to_json\(\s*[rf]?['"]
      | \bPath\([^()\n]{{0,200}}\)\.(?:rename|replace|touch|rmdir)\(
      | \b(?:np|numpy)\.save | \btorch\.save\(
      | \bshutil\.(?:copy|move|rmtree) | \bos\.(?:remove|rename|replace|unlink|rmdir|truncate|symlink|link)
      | \b(?:write|append|copy)(?:Text)?File(?:Sync)?\( | \bfs\.(?:unlink|rm|rename|createWriteStream)
      | \bFile\.(?:write|delete|rename)\b | \bfile_put_contents\(""",
    re.VERBOSE,
)
_PATHS = re.compile(
    rf"""\bopen\(\s*[rf]?['"]([^'"\n{{}}]{{1,300}})['"]\s*,\s*(?:mode\s*=\s*)?{_MODE}
      | \bPath\(\s*['"]([^'"\n]{{1,300}})['"]\s*\)
        \.(?:write_(?:text|bytes)\( | open\(\s*(?:mode\s*=\s*)?{_MODE})""",
    re.VERBOSE,
)


def code_writes(code: str) -> bool:
    """Whether a piece of code changes files, as far as its words tell."""
    return bool(_WRITES.search(code[:SCAN]))


def code_paths(code: str) -> list[str]:
    """The files that a piece of Python opens for writing by their literal names."""
    return list(dict.fromkeys(a or b for a, b in _PATHS.findall(code[:SCAN])))
