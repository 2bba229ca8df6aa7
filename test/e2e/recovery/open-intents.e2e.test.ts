import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody, EventOf } from '../../../src/core/model/event.ts';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { git } from '../../ports/forge/git.ts';
import { onBoard, openIntents, started } from '../support/daemon-process.ts';
import { type Life, stage } from '../support/legion.ts';
import { ISSUE } from '../support/steps.ts';
import { workspaceOf } from '../support/worker-files.ts';
import { killWorker, processesOfWorker } from '../support/worker-processes.ts';

const begin = stage();

/** Nothing is decided: whatever happens after the start was open before it. */
const HANDS_OFF = 'auto_advance: false\nhealth: { stop_grace: 0s, term_to_kill: 0.5s }\n';

const WITHOUT_KEYWORD = [
  { write: { path: 'work.txt', content: `${ISSUE}\n` } },
  { commit: `${ISSUE}: work` },
  { push: true },
  { pr_open: { title: `${ISSUE}: work`, body: 'It says nothing of the issue.' } },
  { done: 'handed in' },
];

/** Starts the daemon and waits until every intent is settled; resolves to their outcomes, in order. */
async function settled(life: Life, intents: readonly number[]): Promise<EventOf<'intent.settled'>[]> {
  await life.start();
  const outcomesIn = (events: readonly { type: string }[]) =>
    intents.map((intent) =>
      (events as EventOf<'intent.settled'>[]).filter(
        (event) => event.type === 'intent.settled' && event.intent === intent,
      ),
    );
  const events = await life.untilEvents('every intent is settled', (all) =>
    outcomesIn(all).every((each) => each.length > 0),
  );
  const outcomes = outcomesIn(events);
  expect(outcomes.map((each) => each.length)).toEqual(intents.map(() => 1));
  return outcomes.flat();
}

function stopOf(issue: string): Command {
  return { kind: 'stop', issue, mode: 'plan', attempt: 1, evidence: ['a person said so'] };
}

/** As the forge keeps it. */
function bodyOf({ legion }: Life, issue: string): string {
  const records = join(legion.state, 'repositories');
  const name = readdirSync(records, { recursive: true, encoding: 'utf8' }).find((each) =>
    new RegExp(`/\\d+\\.${issue.toLowerCase()}[^/]*\\.json$`).test(each),
  );
  return (JSON.parse(readFileSync(join(records, name ?? ''), 'utf8')) as { body: string }).body;
}

function dispatched(issue: string): EventBody {
  return {
    type: 'attempt.dispatched',
    issue,
    mode: 'plan',
    attempt: 1,
    session: 's',
    version: 0,
    host: 'local',
  };
}

test('writes and comments that were open are on the board once, whether they had been made or not', async () => {
  const life = await begin({ yaml: HANDS_OFF });
  const [undone, done] = [await life.add({ status: 'Todo' }), await life.add({ status: 'Todo' })];
  await life.stop();
  const commands = (issue: string): Command[] => [
    { kind: 'write_issue', issue, moveTo: 'In Progress', add: ['worker-active'], remove: [], covers: 0 },
    { kind: 'comment', issue, key: 'a', text: 'a comment' },
    { kind: 'escalate', issue, key: 'b', text: 'an escalation' },
    { kind: 'reread_forge', issue },
  ];
  await onBoard(life.legion, async (board) => {
    await board.write(done, { moveTo: 'In Progress', labels: { add: ['worker-active'], remove: [] } });
    await board.comment(done, 'a', 'a comment');
    await board.comment(done, 'b', 'an escalation');
  });
  const intents = await openIntents(
    life.legion,
    [...commands(undone), ...commands(done)].map((command) => ({ command })),
  );
  const outcomes = await settled(life, intents);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    ...['done', 'done', 'done', 'done'],
    ...['done', 'done', 'done', 'done'],
  ]);
  for (const id of [undone, done]) {
    const { issue, comments } = await life.detail(id);
    expect([issue.status, issue.labels]).toEqual(['In Progress', ['chore', 'worker-active']]);
    expect(comments.map(({ text }) => text)).toEqual(['a comment', 'an escalation']);
  }
});

test('a start that was open is made, or found where it had been; a stop ends what is there, or sees that it is gone', async () => {
  const life = await begin({
    yaml: HANDS_OFF,
    scenario: [{ steps: [{ say: 'thinking' }, { hang: 'silent' }] }],
  });
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await life.add({ status: 'Todo' }));
  const [unstarted = '', running = '', unstopped = '', gone = ''] = ids;
  for (const issue of [unstopped, gone]) await life.door.post('/workers', { issue, mode: 'plan' });
  await life.stop();
  await killWorker(life.legion.state, `${gone.toLowerCase()}-plan`);
  const { pid } = await started(life.legion, `${running.toLowerCase()}-plan`, 1);
  const spawn = (issue: string) => ({
    command: { kind: 'spawn', issue, mode: 'plan', attempt: 1, version: 0, purpose: 'start' } as const,
    also: [dispatched(issue)],
  });
  const stop = (issue: string) => ({
    command: stopOf(issue),
    also: [{ type: 'attempt.stopped', issue, mode: 'plan', attempt: 1, why: 'a person said so' } as const],
  });
  const intents = await openIntents(life.legion, [
    spawn(unstarted),
    spawn(running),
    stop(unstopped),
    stop(gone),
  ]);
  const outcomes = await settled(life, intents);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', expect.anything()]);
  // Found at once: a start that is gone through again takes a workspace's time, and a worker may have reported by then.
  expect(outcomes[1]).toMatchObject({ detail: `pid ${pid} ran already` });
  const events = await life.door.events();
  const spawns = (issue: string) =>
    events.flatMap((event) =>
      event.type === 'attempt.spawned' && event.issue === issue ? [[event.attempt, event.pid]] : [],
    );
  expect(spawns(unstarted)).toEqual([[1, expect.any(Number)]]);
  expect(spawns(running)).toEqual([[1, pid]]);
  const agents = (issue: string) => processesOfWorker(life.legion.state, `${issue.toLowerCase()}-plan`);
  expect(agents(running)).toContain(pid);
  expect([agents(unstopped), agents(gone)]).toEqual([[], []]);
  const workers = await life.door.get<WorkerView[]>('/workers');
  const states = ids.map((id) => workers.find(({ issue }) => issue === id)?.status);
  expect(states.slice(2)).toEqual(['stopped', 'stopped']);
});

test('a gate that was open is run and proven once for each commit, a closing line is in the pull request once, a workspace is removed once', async () => {
  const life = await begin({
    yaml: 'limits: { per_mode: { test: 0 } }\n',
    files: {
      '.legion/config.yml': 'commands: { quality_gate: [sh, -c, "echo run >>../gate.log"] }\n',
      '.gitignore': 'legion.yaml\n',
    },
    scenario: [{ mode: 'implement', steps: WITHOUT_KEYWORD }],
  });
  const ids = [
    await life.add({ status: 'In Progress' }),
    await life.add({ status: 'In Progress' }),
    await life.add({ status: 'Icebox' }),
    await life.add({ status: 'Icebox' }),
  ];
  const [undone = '', done = '', uncleaned = '', cleaned = ''] = ids;
  for (const id of [undone, done]) await life.untilStatus(id, 'Testing');
  life.legion.reconfigure(HANDS_OFF);
  await life.stop();
  const proofs = async () =>
    (await life.door.events()).filter((event) => event.type === 'evidence.recorded').length;
  await life.start();
  const before = await proofs();
  // A worktree as the daemon makes it, of an issue nobody has worked on.
  await life.door.post('/workers', { issue: uncleaned, mode: 'plan', force: true });
  await life.untilEvents('planned', (events) =>
    events.some((event) => event.type === 'attempt.exited' && event.issue === uncleaned),
  );
  const workspace = workspaceOf(life.legion, uncleaned);
  const line = (id: string) => `Closes ${id}`;
  await life.stop();
  const proven = await git(workspaceOf(life.legion, undone), 'rev-parse', 'HEAD');
  await git(workspaceOf(life.legion, undone), 'commit', '--quiet', '--allow-empty', '--message=more');
  const head = await git(workspaceOf(life.legion, undone), 'rev-parse', 'HEAD');
  const first = await openIntents(life.legion, [
    { command: { kind: 'add_closing_keyword', issue: done, line: line(done) } },
  ]);
  await settled(life, first);
  await life.stop();

  const intents = await openIntents(life.legion, [
    { command: { kind: 'run_quality_gate', issue: undone, sha: proven } },
    { command: { kind: 'run_quality_gate', issue: undone, sha: head } },
    { command: { kind: 'run_quality_gate', issue: done, sha: '0'.repeat(40) } },
    { command: { kind: 'add_closing_keyword', issue: undone, line: line(undone) } },
    { command: { kind: 'add_closing_keyword', issue: done, line: line(done) } },
    { command: { kind: 'clean_workspace', issue: uncleaned } },
    { command: { kind: 'clean_workspace', issue: cleaned } },
  ]);
  const outcomes = await settled(life, intents);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    ...['done', 'done', 'superseded', 'done', 'done', 'done', 'done'],
  ]);
  expect(await proofs()).toBe(before + 1);
  expect(readFileSync(join(workspace, '../gate.log'), 'utf8')).toBe('run\n'.repeat(before + 1));
  for (const id of [undone, done]) {
    expect(bodyOf(life, id).split(line(id))).toHaveLength(2);
  }
  expect(existsSync(workspace)).toBe(false);
});
