"""From the bytes of a file to its values: decoding, mends, packed files, and what is too large to be held.

Everything here knows files, texts and JSON values, and neither a trace nor a format. `decode` gives a small
file whole; `line_files`, `array_files` and `object_files` give a large one piece by piece; `beside` reads
what nobody named. Knows `base` alone.
"""
