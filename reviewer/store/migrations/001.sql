-- Migration 1: the store as first released. The guards that make events append-only are in schema.py,
-- which checks them at every open.

CREATE TABLE traces(              -- one row a trace (the lineage); nothing here enters a label
  tid INTEGER PRIMARY KEY, trace_id TEXT NOT NULL UNIQUE,
  parent_id TEXT NOT NULL, parent_step TEXT NOT NULL,              -- sub-agent run; never in a queue by default
  format TEXT NOT NULL, importer INTEGER NOT NULL, source_path TEXT NOT NULL, source_index INTEGER NOT NULL,
  benchmark TEXT NOT NULL, task_id TEXT NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL, agent TEXT NOT NULL,
  attempt INTEGER, ended TEXT NOT NULL, revision INTEGER NOT NULL, content_hash TEXT NOT NULL,
  n_steps INTEGER NOT NULL, n_messages INTEGER NOT NULL, n_tool_calls INTEGER NOT NULL, n_errors INTEGER NOT NULL,
  tokens_in INTEGER, tokens_out INTEGER, cost REAL, started TEXT NOT NULL, seconds REAL, meta TEXT NOT NULL,
  imported_at TEXT NOT NULL) STRICT;
CREATE INDEX traces_task ON traces(benchmark, task_id, model, attempt);
CREATE INDEX traces_parent ON traces(parent_id) WHERE parent_id <> '';
CREATE TABLE revisions(           -- records: 8-byte hashes of the conversation records, to see whether a file only grew
  tid INTEGER NOT NULL REFERENCES traces, revision INTEGER NOT NULL, content_hash TEXT NOT NULL, records BLOB NOT NULL,
  at TEXT NOT NULL, PRIMARY KEY(tid, revision)) STRICT, WITHOUT ROWID;
CREATE TABLE steps(               -- outline only: a million rows scan fast
  tid INTEGER NOT NULL, revision INTEGER NOT NULL, n INTEGER NOT NULL,
  source_ids TEXT NOT NULL, source TEXT NOT NULL, kind TEXT NOT NULL, tools TEXT NOT NULL, head TEXT NOT NULL,
  n_calls INTEGER NOT NULL, error INTEGER NOT NULL, at TEXT NOT NULL, seconds REAL, size INTEGER NOT NULL,
  PRIMARY KEY(tid, revision, n)) STRICT, WITHOUT ROWID;
CREATE INDEX steps_errors ON steps(tid, revision, n) WHERE error;
CREATE TABLE bodies(              -- ASCII JSON (lone surrogates, NaN, 70-bit integers survive), zlib over 1 kB, 256 kB parts
  tid INTEGER NOT NULL, revision INTEGER NOT NULL, n INTEGER NOT NULL, part INTEGER NOT NULL,
  codec INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(tid, revision, n, part)) STRICT;
CREATE TABLE raw(                 -- the source record as it stood in the file
  tid INTEGER NOT NULL, revision INTEGER NOT NULL, part INTEGER NOT NULL,
  codec INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(tid, revision, part)) STRICT;
CREATE TABLE outcomes(            -- no foreign key: a grade may come before its trace
  id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, passed INTEGER, score REAL, detail TEXT NOT NULL,
  final_state TEXT NOT NULL, expected_state TEXT NOT NULL, origin TEXT NOT NULL, supersedes TEXT NOT NULL,
  at TEXT NOT NULL) STRICT;
CREATE INDEX outcomes_trace ON outcomes(trace_id);

CREATE TABLE annotators(id TEXT PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE taxonomies(hash TEXT PRIMARY KEY, id TEXT NOT NULL, version TEXT NOT NULL, toml TEXT NOT NULL,
  data TEXT NOT NULL) STRICT;  -- data: the same as JSON, which is read ten times faster
CREATE TABLE events(              -- the treasure. No foreign key to traces: labels travel and outlive them
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK(kind IN ('label','note','retract','adjudicate','flag','unflag','skip')),
  trace_id TEXT NOT NULL, annotator TEXT NOT NULL, content_hash TEXT NOT NULL, taxonomy TEXT NOT NULL,
  taxonomy_hash TEXT NOT NULL, round INTEGER NOT NULL, assignment TEXT NOT NULL,
  mode TEXT NOT NULL, submode TEXT NOT NULL, secondary TEXT NOT NULL, facets TEXT NOT NULL,
  step_source TEXT NOT NULL, step_n INTEGER, note TEXT NOT NULL, reason TEXT NOT NULL, confidence TEXT NOT NULL,
  guideline INTEGER NOT NULL, condition TEXT CHECK(condition IN ('blind','suggestion','peers')),
  shown TEXT NOT NULL,            -- JSON list of the suggestions and events that were seen before
  seconds REAL, steps_opened INTEGER,
  restores TEXT NOT NULL,         -- set by an undo: the event whose content this one puts back
  at TEXT NOT NULL, origin TEXT NOT NULL, app TEXT NOT NULL,
  CHECK(kind NOT IN ('label','adjudicate') OR (mode <> '' AND taxonomy_hash <> '' AND condition IS NOT NULL))) STRICT;
CREATE INDEX events_trace ON events(trace_id, annotator);
CREATE INDEX events_who ON events(annotator, at);
CREATE TABLE supersedes(event TEXT NOT NULL, old TEXT NOT NULL, PRIMARY KEY(event, old)) STRICT, WITHOUT ROWID;
CREATE INDEX supersedes_old ON supersedes(old);
CREATE TABLE exposures(id TEXT PRIMARY KEY, annotator TEXT NOT NULL, trace_id TEXT NOT NULL, kind TEXT NOT NULL,
  ref TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE INDEX exposures_who ON exposures(annotator, trace_id);
CREATE TABLE suggestions(         -- also what failed: status says why
  id TEXT PRIMARY KEY, request TEXT NOT NULL, trace_id TEXT NOT NULL, content_hash TEXT NOT NULL,
  taxonomy_hash TEXT NOT NULL, suggester TEXT NOT NULL, model TEXT NOT NULL, prompt_hash TEXT NOT NULL,
  settings TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, mode TEXT NOT NULL, runner_up TEXT NOT NULL,
  rationale TEXT NOT NULL, confidence REAL, step_source TEXT NOT NULL, step_n INTEGER, evidence TEXT NOT NULL,
  omitted TEXT NOT NULL, usage TEXT NOT NULL, cost REAL, at TEXT NOT NULL) STRICT;
CREATE INDEX suggestions_trace ON suggestions(trace_id, suggester, at);
CREATE INDEX suggestions_request ON suggestions(request, status);
CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE places(annotator TEXT PRIMARY KEY, trace_id TEXT NOT NULL, step INTEGER NOT NULL) STRICT;
CREATE TABLE drafts(              -- notes that were begun and not saved; no labels, so they may be overwritten
  annotator TEXT NOT NULL, trace_id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(annotator, trace_id)) STRICT;
