"""The errors that `reviewer` raises on purpose, each with one line that says what to do.

    ReviewerError
    ├── InputError          a file, line or value that somebody gave us is unusable
    │   └── NotThere        a file or folder that is not there
    ├── NotFound            no such trace, annotator, mode, file
    ├── LabelRefused        a decision that must not be stored as it stands
    ├── TaxonomyError       a taxonomy file that cannot be used
    ├── SuggesterStopped    a suggester that cannot go on to the next trace either
    └── StoreError          the store cannot do what was asked
        ├── StoreMissing    there is no store at this path
        ├── StoreTooNew     written by a later version of reviewer
        ├── StoreDamaged    not a store of ours, or broken
        ├── StoreReadOnly   it can be read, but not written
        └── StoreBusy       another process holds the lock for too long

Anything else that escapes is a bug and stays a traceback. The messages may quote foreign text
(paths, values): whoever prints one passes it through `reviewer.text.safe`.
"""


class ReviewerError(Exception):
    """Base of all errors that a person can do something about."""


class InputError(ReviewerError):
    """A file, line or value from outside that cannot be used."""


class NotThere(InputError):
    """A file or folder that somebody named does not exist."""


class NotFound(ReviewerError):
    """Something was named that is not there."""


class LabelRefused(ReviewerError):
    """A label, note or adjudication that must not be stored as it stands."""


class TaxonomyError(ReviewerError):
    """A taxonomy file that cannot be used."""


class SuggesterStopped(ReviewerError):
    """A suggester cannot go on: what it met, every other trace would meet too (a refused key, no money)."""


class StoreError(ReviewerError):
    """The store cannot do what was asked."""


class StoreMissing(StoreError):
    """There is no store at this path."""


class StoreTooNew(StoreError):
    """The store was written by a later version of reviewer."""


class StoreDamaged(StoreError):
    """The file is not a store of ours, or it is broken."""


class StoreReadOnly(StoreError):
    """The store can be read but not written."""


class StoreBusy(StoreError):
    """Another process holds the lock for too long."""


def why(error: OSError | ValueError) -> str:
    """Why a file cannot be read or written, for a line that names the file already: no number, no path."""
    if isinstance(error, UnicodeDecodeError):
        return f"not text in UTF-8, at byte {error.start}"
    return getattr(error, "strerror", None) or " ".join(str(error).split())
