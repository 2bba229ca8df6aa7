-- A journal as the first Legion wrote it: rows without a checksum, events without the fields that came later, a snapshot of
-- the first shape. Never regenerate it: it stands for the files people have.
PRAGMA application_id = 1279741514;
PRAGMA user_version = 1;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  epoch INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE snapshots (
  version INTEGER PRIMARY KEY,
  shape INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT;
INSERT INTO snapshots VALUES (3, 1, '{"version":3,"workers":[],"issues":[]}');
INSERT INTO events VALUES
  (1, 1000, 1, 'leader.elected', '{"type":"leader.elected","leader":"first"}'),
  (2, 2000, 1, 'decision.made', '{"type":"decision.made","issue":"A-1","decision":1,"action":"dispatch_planner","mode":"plan","reason":"todo","evidence":["it is in Todo"]}'),
  (3, 2000, 1, 'intent.opened', '{"type":"intent.opened","intent":1,"command":{"kind":"probe","issue":"A-1","mode":"plan","attempt":1,"how":"ask"}}'),
  (4, 2100, 1, 'attempt.dispatched', '{"type":"attempt.dispatched","issue":"A-1","mode":"plan","attempt":1,"session":"s-1","version":0,"host":"here"}'),
  (5, 2200, 1, 'attempt.spawned', '{"type":"attempt.spawned","issue":"A-1","mode":"plan","attempt":1,"pid":4711,"startTime":"99"}'),
  (6, 2300, 1, 'attempt.active', '{"type":"attempt.active","issue":"A-1","mode":"plan","attempt":1}'),
  (7, 2400, 1, 'attempt.waiting', '{"type":"attempt.waiting","issue":"A-1","mode":"plan","attempt":1,"wait":1,"for":"user"}'),
  (8, 2500, 1, 'attempt.woken', '{"type":"attempt.woken","issue":"A-1","mode":"plan","attempt":1,"wait":1}'),
  (9, 2600, 1, 'intent.settled', '{"type":"intent.settled","intent":1,"outcome":"done","detail":"started"}'),
  (10, 3000, 1, 'attempt.reported', '{"type":"attempt.reported","issue":"A-1","mode":"plan","attempt":1,"report":1,"outcome":"done","summary":"planned"}'),
  (11, 3100, 1, 'attempt.report_refused', '{"type":"attempt.report_refused","issue":"A-1","mode":"plan","attempt":1,"report":1,"missing":"a handoff"}'),
  (12, 3200, 1, 'handoff.written', '{"type":"handoff.written","issue":"A-1","phase":"plan","revision":1,"content":{"summary":"Steps."}}'),
  (13, 3300, 1, 'attempt.reported', '{"type":"attempt.reported","issue":"A-1","mode":"plan","attempt":1,"report":2,"outcome":"done","summary":"planned"}'),
  (14, 3400, 1, 'attempt.report_accepted', '{"type":"attempt.report_accepted","issue":"A-1","mode":"plan","attempt":1,"report":2}'),
  (15, 3500, 1, 'attempt.exited', '{"type":"attempt.exited","issue":"A-1","mode":"plan","attempt":1,"code":0,"signal":null}'),
  (16, 4000, 2, 'leader.elected', '{"type":"leader.elected","leader":"second"}'),
  (17, 4100, 2, 'attempt.dispatched', '{"type":"attempt.dispatched","issue":"A-1","mode":"implement","attempt":1,"session":"s-2","version":0,"host":"here"}'),
  (18, 4200, 2, 'attempt.crashed', '{"type":"attempt.crashed","issue":"A-1","mode":"implement","attempt":1,"evidence":["its process is gone"]}'),
  (19, 4300, 2, 'labels.owed', '{"type":"labels.owed","issue":"A-1","revision":1,"add":[],"remove":[]}'),
  (20, 4400, 2, 'evidence.recorded', '{"type":"evidence.recorded","issue":"A-1","kind":"quality_gate","revision":1,"sha":"abc","verdict":"passed","by":"a-1-implement","suites":[],"detail":"green"}');
