"""reviewer: read what an AI agent did, decide how it failed, and prove that you agree."""

__version__ = "0.1.0"
