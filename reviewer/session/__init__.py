"""Sittings at the desk, without a terminal: label, undo, reveal; read; adjudicate.

A session is plain, synchronous code over one store, used in the thread that made it. Screens and
commands call it and paint what it returns: everything that may be seen is in its answers, and what
counts as an exposure is committed before the answer is given.
"""

from reviewer.session.adjudication import AdjudicationSession
from reviewer.session.desk import Desk
from reviewer.session.reading import Reading
from reviewer.session.review import ReviewSession, View

__all__ = ["AdjudicationSession", "Desk", "Reading", "ReviewSession", "View"]
