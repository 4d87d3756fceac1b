"""`python -m reviewer` is `reviewer`."""

from reviewer.cli import main

main()
