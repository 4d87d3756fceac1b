"""From values to steps: the shapes that several formats write, each read in one place.

Messages of the chat APIs, blocks, tool calls and results, spans; drafts of steps that still grow, sums over
them, ids of tasks, records that wrap a trace. Opens no file. Knows `base` and `opening`.
"""
