-- The study: who is to label what and why they were drawn, who is the same person, and the groups of open codes.
CREATE TABLE draws(               -- one call of `assign`: what was drawn, with the settings that make it repeatable (JSON)
  id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK(kind IN ('new','again')), round INTEGER NOT NULL,
  settings TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE assignments(         -- probability: with which chance this trace came to this annotator, for weights
  id TEXT PRIMARY KEY, draw TEXT NOT NULL, trace_id TEXT NOT NULL, annotator TEXT NOT NULL, round INTEGER NOT NULL,
  place INTEGER NOT NULL, blind INTEGER NOT NULL, stratum TEXT NOT NULL, probability REAL NOT NULL) STRICT;
CREATE INDEX assignments_who ON assignments(annotator, round);
CREATE TABLE links(               -- said by a person: two annotators are one, or (same = 0) are not. What no row of the same pair
                                  -- supersedes counts; where such rows contradict each other the two stay apart
  id TEXT PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL, same INTEGER NOT NULL CHECK(same IN (0, 1)),
  said_by TEXT NOT NULL, at TEXT NOT NULL, supersedes TEXT NOT NULL) STRICT;  -- supersedes: JSON list of ids
CREATE TABLE codes(               -- the group that a note was put in, and by whom, while codes are made of notes; no label
  event TEXT PRIMARY KEY, code TEXT NOT NULL, annotator TEXT NOT NULL, at TEXT NOT NULL) STRICT;
