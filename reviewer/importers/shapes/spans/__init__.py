"""Spans of OpenTelemetry, however they were written down, into traces of steps: one room for all dialects.

`shapes` finds the spans of a file, `genai`, `openinference` and `vercel` say what one span means,
`messages` reads the messages in it, `steps` makes steps of them all, `traces` the traces. The formats in
`formats/` choose among them and know nothing else.
"""
