"""The terminal app. Textual lives in this room only; it never sees the store, only sessions."""
