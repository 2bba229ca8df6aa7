-- The board.db of the earlier version. The test replaces the words in braces. Never regenerate it: it stands for files that users have.
PRAGMA application_id = 1279741506;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE numbers (last INTEGER NOT NULL) STRICT;
INSERT INTO numbers VALUES(13);
CREATE TABLE issues (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
    priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 4),
    parent TEXT REFERENCES issues (id),
    created_at REAL NOT NULL,
    entered_at REAL NOT NULL
  ) STRICT;
INSERT INTO issues VALUES(1,'DEMO-1','operator:1ff6ef21-8a3a-4cdd-8924-d0ceca4f0c1e','Greet a person','The library should export a function that greets a person by name; an empty name must be refused.','Done',0,0,NULL,1794970229052.0,1794970238270.0);
INSERT INTO issues VALUES(2,'DEMO-2','operator:254b49e2-53d8-4e30-816c-80fdd1b24cb8','Refuse an empty name','The library should export a function that greets a person by name; an empty name must be refused.','Done',0,0,NULL,1794970229123.0,1794970242137.0);
INSERT INTO issues VALUES(3,'DEMO-3','operator:966fc737-0e20-4df9-a412-d887bf840542','Greet in many ways','The library should export a function that greets a person by name; an empty name must be refused.','Backlog',0,0,NULL,1794970229359.0,1794970229359.0);
INSERT INTO issues VALUES(4,'DEMO-4','operator:89f942d9-9762-4b61-9b5e-3dd494a4142a','Choose a colour','The library should export a function that greets a person by name; an empty name must be refused.','Todo',0,0,NULL,1794970229370.0,1794970229370.0);
INSERT INTO issues VALUES(5,'DEMO-5','operator:82a2aab2-c592-419d-9b0d-0c9a6423b991','Greet at night','The library should export a function that greets a person by name; an empty name must be refused.','Testing',0,0,NULL,1794970245707.0,1794970247339.0);
INSERT INTO issues VALUES(6,'DEMO-6','operator:0749fedd-fc1f-4412-93f5-b33c69d39108','Greet in the morning','The library should export a function that greets a person by name; an empty name must be refused.','Todo',0,0,NULL,1794970245742.0,1794970245742.0);
INSERT INTO issues VALUES(7,'DEMO-7','operator:f9c81912-85b6-4d35-98e2-b26323d07cd9','Greet at noon','The library should export a function that greets a person by name; an empty name must be refused.','In Progress',0,0,NULL,1794970245762.0,1794970245762.0);
INSERT INTO issues VALUES(8,'DEMO-8','operator:37500e11-e0d7-404e-b0fb-de22cc2dd325','Greet a crowd','The library should export a function that greets a person by name; an empty name must be refused.','Todo',0,0,NULL,1794970245781.0,1794970245781.0);
INSERT INTO issues VALUES(9,'DEMO-9','operator:d4da4cbd-8de9-4c1e-a949-b3bb49dc515d','Greet later','The library should export a function that greets a person by name; an empty name must be refused.','Backlog',0,0,NULL,1794970245788.0,1794970245788.0);
INSERT INTO issues VALUES(10,'DEMO-10','operator:cb752140-7151-4981-9e3c-bd674857c6d5','Say goodbye','The library should export a function that greets a person by name; an empty name must be refused.','Todo',0,0,NULL,1794970245795.0,1794970250228.0);
INSERT INTO issues VALUES(11,'DEMO-11','operator:bc6feef0-91c0-4785-b53d-95bd5f3c7c08','Speak languages','The library should export a function that greets a person by name; an empty name must be refused.','Backlog',0,0,NULL,1794970245821.0,1794970245821.0);
INSERT INTO issues VALUES(12,'DEMO-12','DEMO-11:split:1:0','Greet in German','Export a function that greets a person in German.','Backlog',0,0,'DEMO-11',1794970246746.0,1794970246746.0);
INSERT INTO issues VALUES(13,'DEMO-13','DEMO-11:split:1:1','Greet in French','Export a function that greets a person in French.','Backlog',0,0,'DEMO-11',1794970246748.0,1794970246748.0);
CREATE TABLE labels (
    issue TEXT NOT NULL REFERENCES issues (id),
    name TEXT NOT NULL,
    PRIMARY KEY (issue, name)
  ) STRICT, WITHOUT ROWID;
INSERT INTO labels VALUES('DEMO-1','auto-merged');
INSERT INTO labels VALUES('DEMO-1','chore');
INSERT INTO labels VALUES('DEMO-10','chore');
INSERT INTO labels VALUES('DEMO-10','needs-approval');
INSERT INTO labels VALUES('DEMO-10','rollback');
INSERT INTO labels VALUES('DEMO-11','chore');
INSERT INTO labels VALUES('DEMO-11','worker-done');
INSERT INTO labels VALUES('DEMO-12','needs-approval');
INSERT INTO labels VALUES('DEMO-12','worker-done');
INSERT INTO labels VALUES('DEMO-2','auto-merged');
INSERT INTO labels VALUES('DEMO-2','chore');
INSERT INTO labels VALUES('DEMO-3','chore');
INSERT INTO labels VALUES('DEMO-3','needs-approval');
INSERT INTO labels VALUES('DEMO-3','worker-done');
INSERT INTO labels VALUES('DEMO-4','chore');
INSERT INTO labels VALUES('DEMO-4','user-input-needed');
INSERT INTO labels VALUES('DEMO-4','worker-active');
INSERT INTO labels VALUES('DEMO-5','chore');
INSERT INTO labels VALUES('DEMO-5','legion-paused');
INSERT INTO labels VALUES('DEMO-5','worker-active');
INSERT INTO labels VALUES('DEMO-6','chore');
INSERT INTO labels VALUES('DEMO-6','worker-active');
INSERT INTO labels VALUES('DEMO-7','chore');
INSERT INTO labels VALUES('DEMO-7','worker-active');
INSERT INTO labels VALUES('DEMO-8','chore');
INSERT INTO labels VALUES('DEMO-8','legion-paused');
INSERT INTO labels VALUES('DEMO-9','chore');
CREATE TABLE blockers (
    issue TEXT NOT NULL REFERENCES issues (id),
    blocker TEXT NOT NULL REFERENCES issues (id),
    PRIMARY KEY (issue, blocker)
  ) STRICT, WITHOUT ROWID;
INSERT INTO blockers VALUES('DEMO-13','DEMO-12');
INSERT INTO blockers VALUES('DEMO-9','DEMO-3');
CREATE TABLE comments (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    issue TEXT NOT NULL REFERENCES issues (id),
    key TEXT,
    author TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('legion', 'writer')),
    at REAL NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (issue, key)
  ) STRICT;
INSERT INTO comments VALUES(1,'DEMO-1','DEMO-1:add_needs_approval:0:status=Backlog,label=worker-done','legion','legion',1794970230368.0,replace('The specification waits for your approval: Specification of DEMO-1: Greet a person.\nNext: `legion approve DEMO-1`\n- status=Backlog\n- label=worker-done','\n',char(10)));
INSERT INTO comments VALUES(2,'DEMO-3','DEMO-3:add_needs_approval:0:status=Backlog,label=worker-done','legion','legion',1794970230431.0,replace('The specification waits for your approval: Specification of DEMO-3: Greet in many ways.\nNext: `legion approve DEMO-3`\n- status=Backlog\n- label=worker-done','\n',char(10)));
INSERT INTO comments VALUES(3,'DEMO-1',NULL,'Ada','writer',1794970230469.0,'Approved by Ada.');
INSERT INTO comments VALUES(4,'DEMO-1','DEMO-1:plan:2:plan','legion','legion',1794970234105.0,'A plan is on its way.');
INSERT INTO comments VALUES(5,'DEMO-1','DEMO-1:dispatch_merger:7640bf8813f118ad1b32727ecd87facd3f6d0390','legion','legion',1794970237515.0,replace('Every condition of the auto-merge gate holds, so this is merged without a person:\n- pass: not_draft (draft=false)\n- pass: no_open_question (user-input-needed=false)\n- pass: tested_beyond_static (suites=unit)\n- pass: small (lines=6/100, files=2/2)\n- pass: no_dependency_added (dependencies=none)\n- pass: no_infrastructure (infrastructure=none)\n- pass: safe_kind (safe labels: chore)','\n',char(10)));
INSERT INTO comments VALUES(6,'DEMO-2','DEMO-2:dispatch_merger:306cbe1a86d0cc722bd3d24bf60e605df0ee6bdd','legion','legion',1794970241242.0,replace('Every condition of the auto-merge gate holds, so this is merged without a person:\n- pass: not_draft (draft=false)\n- pass: no_open_question (user-input-needed=false)\n- pass: tested_beyond_static (suites=unit)\n- pass: small (lines=8/100, files=2/2)\n- pass: no_dependency_added (dependencies=none)\n- pass: no_infrastructure (infrastructure=none)\n- pass: safe_kind (safe labels: chore)','\n',char(10)));
INSERT INTO comments VALUES(7,'DEMO-12','DEMO-12:add_needs_approval:0:status=Backlog,label=worker-done','legion','legion',1794970247651.0,replace('The specification waits for your approval: Specification of DEMO-12: Greet in German.\nNext: `legion approve DEMO-12`\n- status=Backlog\n- label=worker-done','\n',char(10)));
INSERT INTO comments VALUES(8,'DEMO-10','DEMO-10:dispatch_merger:5f8925ef7278d7cf66d6e2b0a1f5468a79d7c791','legion','legion',1794970249495.0,replace('Every condition of the auto-merge gate holds, so this is merged without a person:\n- pass: not_draft (draft=false)\n- pass: no_open_question (user-input-needed=false)\n- pass: tested_beyond_static (suites=unit)\n- pass: small (lines=6/100, files=2/2)\n- pass: no_dependency_added (dependencies=none)\n- pass: no_infrastructure (infrastructure=none)\n- pass: safe_kind (safe labels: chore)','\n',char(10)));
INSERT INTO comments VALUES(9,'DEMO-10',NULL,'Ada','writer',1794970250226.0,'Ada requested a rollback: pull request 5 reverts the merge. main contains the change until it is merged: `legion pr merge 5`. Say here what was wrong with the change.');
INSERT INTO comments VALUES(10,'DEMO-5',NULL,'Ada','writer',1794970250249.0,'Paused by Ada: waits for the translator');
INSERT INTO comments VALUES(11,'DEMO-8','DEMO-8:add_legion_paused:0:status=Todo,would=dispatch_planner,It crashed 2 times; once is what a respawn is allowed for. The last time: Its process exited with 1 and it left no report; it was probed and in 1 s nothing stirred (process, report agree).','legion','legion',1794970252082.0,replace('Paused after 2 crashes of the plan worker: scripted exited with code 1.\nNext: `legion resume DEMO-8`\n- status=Todo\n- would=dispatch_planner\n- It crashed 2 times; once is what a respawn is allowed for. The last time: Its process exited with 1 and it left no report; it was probed and in 1 s nothing stirred (process, report agree).','\n',char(10)));
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('comments',11);
CREATE INDEX blockers_by_blocker ON blockers (blocker);
CREATE INDEX comments_by_time ON comments (issue, at);
COMMIT;
