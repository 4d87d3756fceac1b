"""Which shell commands and pieces of code write, which only say what they would do, and what they write."""

from __future__ import annotations

import time

import pytest

from reviewer.facts import is_check, is_write
from reviewer.facts.calls import paths_written
from reviewer.facts.written_code import SCAN, code_writes
from reviewer.trace import ToolCall

WRITES = r"""
find . -name '*.pyc' -delete
find build -type f -exec rm {} \;
find . -name '*.py' -execdir mv {} {}.old ';'
find . -exec sh -c 'mv "$1" "$1.bak"' _ {} +
find . -newer x -fprint list.txt
find . -type f | xargs rm -f
truncate -s 0 app.log
sed -i.bak -e 's/a/b/' a.py
cat x | tee -a out.txt
dd if=/dev/zero of=disk.img bs=1M count=1
rsync -a src/ dst/
rsync -av --exclude n src/ dst/
mv -t old a.py
install -m 755 tool /usr/bin/tool
git checkout -- a.py
git checkout main -- src/a.py
git clean -fd
git apply fix.patch
patch -p1 -i fix.patch
python3 -c "open(p, 'r+').truncate()"
python3 -c "open(os.path.join(os.path.dirname(p), 'b'), mode='w')"
python3 -c "p.open('w').write(x)"
python3 -c "Path('old').unlink()"
python3 -c "Path('a').rename('b')"
node -e "require('fs').appendFileSync('a','b')"
ruby -pi -e 'x' a.rb
perl -e 'open(F, ">", "a")'
ex -sc '%s/a/b/|x' a.py
vim -c wq a.py
sort a | sponge a
""".strip().splitlines()
READS = r"""
find . -name '*.pyc' -print
find . -name '*.py' -exec grep -l x {} +
find . -name delete
cat x | tee
make 2>&1 | tee /dev/stderr
dd if=a.bin bs=1 count=4
dd if=a.bin of=/dev/null
rsync -avn src/ dst/
rsync --dry-run -a src/ dst/
rsync --list-only host::
install -d build/x
git apply --numstat fix.patch
git clean -nd
patch --dry-run -p1 < fix.patch
python3 -c "print(open(os.path.join(d, 'axe.txt')).read())"
python3 -c "open(p).read().replace('x', 'w')"
python3 -c "df.rename(columns=x); print(df.to_json())"
perl -Mstrict -e 'print 1'
vim x
""".strip().splitlines()
PATHS = [
    ("truncate -s 0 app.log", [("app.log", False)]),
    ("touch -d yesterday a.txt", [("a.txt", False)]),
    ("sed -i -e s/a/b/ a.py b.py", [("a.py", False), ("b.py", False)]),
    ("sed -i s/a/b/ a.py", [("a.py", False)]),
    ("sed -i '' 's/a.b/c/' src/a.ts", [("src/a.ts", False)]),
    ("sed -i .bak 's|a/b|c|' src/a.ts", [("src/a.ts", False)]),
    ("sed -i '' -e 's|a/b|c|' -e s/x.y/z/ src/a.ts b.ts", [("src/a.ts", False), ("b.ts", False)]),
    ("perl -pi -e s/a/b/ a.py", [("a.py", False)]),
    ("cat x | tee -a out.txt /dev/stderr", [("out.txt", False)]),
    ("dd if=a of=disk.img", [("disk.img", False)]),
    ("mv -t old a.py b.py", [("a.py", True), ("b.py", True), ("old", False)]),
    ("rsync -a -e ssh src/ dst/", [("dst/", False)]),
    ("rsync -a src/ host:dst/", []),
    ("install -m 755 tool bin/tool", [("bin/tool", False)]),
    ("git mv a.py b.py", [("a.py", True), ("b.py", False)]),
    ("git rm -q a.py", [("a.py", True)]),
    ("git rm --cached a.py", []),
    ("git checkout -- a.py", []),
    ("patch a.py fix.patch", [("a.py", False)]),
    ("patch -p1 < fix.patch", []),
    ("patch -p1 -i fix.patch", []),
    ("find . -name x -exec rm {} +", []),
    ("rm -- -odd.txt", [("-odd.txt", True)]),
    ("python3 -c \"Path('q.py').open('w')\"", [("q.py", False)]),
    ("python3 -c \"open('q.py', 'rb')\"", []),
]


def shell(command: str) -> ToolCall:
    return ToolCall("bash", {"command": command})


@pytest.mark.parametrize("command", WRITES)
def test_commands_that_write(command: str) -> None:
    assert is_write(shell(command))


@pytest.mark.parametrize("command", READS)
def test_commands_that_do_not(command: str) -> None:
    assert not is_write(shell(command))


@pytest.mark.parametrize(("command", "paths"), PATHS, ids=[command for command, _ in PATHS])
def test_what_is_written(command: str, paths: list[tuple[str, bool]]) -> None:
    assert list(paths_written(shell(command))) == paths


def test_a_heredoc_of_python_and_of_an_editor() -> None:
    assert is_write(shell("python3 - <<'EOF'\nwith open('a.py', 'w') as f:\n    f.write(x)\nEOF"))
    assert not is_write(shell("python3 - <<'EOF'\nwith open('a.py') as f:\n    print(f.read())\nEOF"))
    assert is_write(shell("ed -s a.py <<'EOF'\n1d\nw\nq\nEOF"))
    assert not is_write(shell("ed -s a.py <<'EOF'\n1p\nq\nEOF"))


def test_find_may_check_too() -> None:
    assert is_check(shell("find tests -name 'test_*.py' -exec pytest -q {} +"))


@pytest.mark.parametrize("part", ["open(", "open((", "open(a,", "Path(", "open(('x'), "])
def test_odd_code_costs_little(part: str) -> None:
    started = time.perf_counter()
    code_writes(part * (SCAN // len(part)))
    assert time.perf_counter() - started < 1
