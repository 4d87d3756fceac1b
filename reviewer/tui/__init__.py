"""The Textual app: screens and widgets over a session. The only room that imports `textual`."""
