"""The screens: each translates keys, calls the session or the reader, and shows the answer."""
