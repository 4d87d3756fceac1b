"""What an abstention says: the step at which a reader may begin, why there, and what was looked at.

A pointer is what the run shows without proving a mode; where a signal leaves one aside, it stands beside that
signal. Not known here: any mode, and whether the signals could have seen more.
"""
