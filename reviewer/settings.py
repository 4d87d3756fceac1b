"""What belongs to the person at the keyboard: the config folder, who they are, colours.

Knows the file system and the environment; no store, no screen. `REVIEWER_CONFIG_DIR` overrides the
folder of platformdirs; `REVIEWER_STORE` names the store where `--store` does not.
"""

from __future__ import annotations

import contextlib
import json
import os
import unicodedata
from pathlib import Path

from reviewer.errors import InputError, why

DEFAULT_STORE = "reviews.db"
_NAME_LIMIT = 80


def config_dir() -> Path:
    """The folder for settings of this user; it is made when something is kept there."""
    override = os.environ.get("REVIEWER_CONFIG_DIR")
    if override:
        return Path(override)
    from platformdirs import user_config_path

    return user_config_path("reviewer", appauthor=False)


def store_path(given: str | None) -> Path:
    """`--store`, else `REVIEWER_STORE`, else `reviews.db` in the current folder."""
    return file_named(given or os.environ.get("REVIEWER_STORE") or DEFAULT_STORE)


def file_named(given: str) -> Path:
    """The path of a file; InputError where it is written as a folder's, and would lose its slash."""
    try:
        there = Path(given).exists()
    except OSError as error:  # in a folder that nobody may enter, a name too long
        raise InputError(f"{given}: cannot be looked at: {why(error)}") from None
    if given.endswith("/") and not there:  # what is there is refused with a better reason
        raise InputError(f"{given}: a folder, and a store is one file; put its name behind the slash")
    return Path(given)


def login_name() -> str:
    """The name of the user who is logged in; `me` where the system does not say."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "me"


def identity(name: str | None = None) -> tuple[str, str]:
    """(id, name) of the annotator `name` (default: the login name) on this machine; made at the first call.

    The id is random, made once for each OS user and name, so that the same name on two machines stays
    two people until somebody links them. Two processes that ask at once get the same one.
    """
    name = unicodedata.normalize("NFC", login_name() if name is None else name).strip()
    if not name.strip() or len(name) > _NAME_LIMIT or not name.isprintable():
        raise InputError(f"--as {name!r}: a name has 1 to {_NAME_LIMIT} printable characters")
    folder = config_dir() / "annotators"
    file = folder / f"{_file_name(name)}.json"
    try:
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _create_once(file, json.dumps({"id": f"a1-{os.urandom(16).hex()}", "name": name}))
        known = json.loads(file.read_text("utf-8"))
        if known["name"] != name:
            raise InputError(
                f"--as {name!r}: too like {known['name']!r}, who is known here; type it that way"
            )
        return str(known["id"]), name
    except OSError as error:
        raise InputError(
            f"{folder}: cannot keep who {name!r} is ({error.strerror}); "
            "set REVIEWER_CONFIG_DIR to a folder of yours"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file}: damaged; restore it, or delete it to become a new annotator") from error


def known(name: str) -> bool:
    """Whether somebody of this name, in whichever spelling, works on this machine; the login name does."""
    name = unicodedata.normalize("NFC", name).strip()
    try:
        return name == login_name() or (config_dir() / "annotators" / f"{_file_name(name)}.json").exists()
    except OSError:  # `identity` says what is wrong with the folder
        return True


def identities() -> dict[str, str]:
    """The name of each annotator that was made with this config folder, by id; damaged files are no one.

    Whoever may not read the folder cannot be anybody of it either: none.
    """
    found: dict[str, str] = {}
    try:
        files = sorted((config_dir() / "annotators").glob("*.json"))
    except OSError:
        return found
    for file in files:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            known = json.loads(file.read_text("utf-8"))
            found[str(known["id"])] = str(known["name"])
    return found


def machine() -> str:
    """A random id of the config folder, made at the first call.

    It tells this machine from others: what somebody agrees to here holds for no copy of a store elsewhere.
    """
    folder = config_dir()
    file = folder / "machine"
    try:
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _create_once(file, f"m1-{os.urandom(16).hex()}")
        return file.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be kept or read ({error}); set REVIEWER_CONFIG_DIR") from error


def _file_name(name: str) -> str:
    """The file of an annotator: one for all spellings that only differ in case or form of their letters."""
    plain = unicodedata.normalize("NFKC", name).casefold().encode().hex()
    if len(plain) <= 120:
        return plain
    import hashlib

    return hashlib.sha256(plain.encode()).hexdigest()


def _create_once(file: Path, text: str) -> None:
    """Write `file` whole, unless somebody else has just done it; a hard link never overwrites."""
    part = file.with_suffix(f".{os.getpid()}-{os.urandom(4).hex()}")
    part.write_text(text, "utf-8")
    try:
        os.link(part, file)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        with contextlib.suppress(FileExistsError), file.open("x", encoding="utf-8") as whole:
            whole.write(text)
    finally:
        part.unlink()
