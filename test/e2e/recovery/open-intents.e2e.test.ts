import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody, EventOf } from '../../../src/core/model/event.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { git } from '../../ports/forge/git.ts';
import { openIntents, startWorkerProcess, withBoard } from '../support/daemon-process.ts';
import { setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { ISSUE } from '../support/steps.ts';
import { findWorkspace } from '../support/worker-files.ts';
import { killWorker, listWorkerProcesses } from '../support/worker-processes.ts';

const startDaemon = setUpDaemons();

/**
 * Turns off decisions, so that the daemon only completes intents that were already open when it
 * started.
 */
const HANDS_OFF = 'auto_advance: false\nhealth: { stop_grace: 0s, term_to_kill: 0.5s }\n';

const WITHOUT_KEYWORD = [
  { write: { path: 'work.txt', content: `${ISSUE}\n` } },
  { commit: `${ISSUE}: work` },
  { push: true },
  { pr_open: { title: `${ISSUE}: work`, body: 'It says nothing of the issue.' } },
  { done: 'handed in' },
];

/**
 * Starts the daemon and waits until every intent is settled. Resolves to the outcomes of the
 * intents, in order.
 */
async function settled(daemon: TestDaemon, intents: readonly number[]): Promise<EventOf<'intent.settled'>[]> {
  await daemon.start();
  const outcomesIn = (events: readonly { type: string }[]) =>
    intents.map((intent) =>
      (events as EventOf<'intent.settled'>[]).filter(
        (event) => event.type === 'intent.settled' && event.intent === intent,
      ),
    );
  const events = await daemon.untilEvents('every intent is settled', (all) =>
    outcomesIn(all).every((each) => each.length > 0),
  );
  const outcomes = outcomesIn(events);
  expect(outcomes.map((each) => each.length)).toEqual(intents.map(() => 1));
  return outcomes.flat();
}

function stopOf(issue: string): Command {
  return { kind: 'stop', issue, mode: 'plan', attempt: 1, evidence: ['a person said so'] };
}

/** Reads the body of the issue's pull request as the forge stores it. */
function bodyOf({ legion }: TestDaemon, issue: string): string {
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

test('writes and comments that a killed daemon left open are applied exactly once, whether or not that daemon had already applied them', async () => {
  const daemon = await startDaemon({ yaml: HANDS_OFF });
  const [undone, done] = [await daemon.add({ status: 'Todo' }), await daemon.add({ status: 'Todo' })];
  await daemon.stop();
  const commands = (issue: string): Command[] => [
    { kind: 'write_issue', issue, moveTo: 'In Progress', add: ['worker-active'], remove: [], covers: 0 },
    { kind: 'comment', issue, key: 'a', text: 'a comment' },
    { kind: 'escalate', issue, key: 'b', text: 'an escalation' },
    { kind: 'reread_forge', issue },
  ];
  await withBoard(daemon.legion, async (board) => {
    await board.write(done, { moveTo: 'In Progress', labels: { add: ['worker-active'], remove: [] } });
    await board.comment(done, 'a', 'a comment');
    await board.comment(done, 'b', 'an escalation');
  });
  const intents = await openIntents(
    daemon.legion,
    [...commands(undone), ...commands(done)].map((command) => ({ command })),
  );
  const outcomes = await settled(daemon, intents);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    ...['done', 'done', 'done', 'done'],
    ...['done', 'done', 'done', 'done'],
  ]);
  for (const id of [undone, done]) {
    const { issue, comments } = await daemon.detail(id);
    expect([issue.status, issue.labels]).toEqual(['In Progress', ['chore', 'worker-active']]);
    expect(comments.map(({ text }) => text)).toEqual(['a comment', 'an escalation']);
  }
});

test('carries out a start that was left open unless the process is already running, and a stop that was left open unless the process is already gone', async () => {
  const daemon = await startDaemon({
    yaml: HANDS_OFF,
    scenario: [{ steps: [{ say: 'thinking' }, { hang: 'silent' }] }],
  });
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await daemon.add({ status: 'Todo' }));
  const [unstarted = '', running = '', unstopped = '', gone = ''] = ids;
  for (const issue of [unstopped, gone]) await daemon.client.post('/workers', { issue, mode: 'plan' });
  await daemon.stop();
  await killWorker(daemon.legion.state, `${gone.toLowerCase()}-plan`);
  const { pid } = await startWorkerProcess(daemon.legion, `${running.toLowerCase()}-plan`, 1);
  const spawn = (issue: string) => ({
    command: { kind: 'spawn', issue, mode: 'plan', attempt: 1, version: 0, purpose: 'start' } as const,
    also: [dispatched(issue)],
  });
  const stop = (issue: string) => ({
    command: stopOf(issue),
    also: [{ type: 'attempt.stopped', issue, mode: 'plan', attempt: 1, why: 'a person said so' } as const],
  });
  const intents = await openIntents(daemon.legion, [
    spawn(unstarted),
    spawn(running),
    stop(unstopped),
    stop(gone),
  ]);
  const outcomes = await settled(daemon, intents);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', expect.anything()]);
  // The daemon finds the running process immediately. If it repeated the start, it would first
  // prepare a workspace, and the worker might report in the meantime.
  expect(outcomes[1]).toMatchObject({ detail: `pid ${pid} was already running` });
  const events = await daemon.client.events();
  const spawns = (issue: string) =>
    events.flatMap((event) =>
      event.type === 'attempt.spawned' && event.issue === issue ? [[event.attempt, event.pid]] : [],
    );
  expect(spawns(unstarted)).toEqual([[1, expect.any(Number)]]);
  expect(spawns(running)).toEqual([[1, pid]]);
  const agents = (issue: string) => listWorkerProcesses(daemon.legion.state, `${issue.toLowerCase()}-plan`);
  expect(agents(running)).toContain(pid);
  expect([agents(unstopped), agents(gone)]).toEqual([[], []]);
  const workers = await daemon.client.get<WorkerView[]>('/workers');
  const states = ids.map((id) => workers.find(({ issue }) => issue === id)?.status);
  expect(states.slice(2)).toEqual(['stopped', 'stopped']);
});

test('for intents that were left open, runs a quality gate once per commit, adds the closing line to a pull request once, and removes a workspace once', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { test: 0 } }\n',
    files: {
      '.legion/config.yml': 'commands: { quality_gate: [sh, -c, "echo run >>../gate.log"] }\n',
      '.gitignore': 'legion.yaml\n',
    },
    scenario: [{ mode: 'implement', steps: WITHOUT_KEYWORD }],
  });
  const ids = [
    await daemon.add({ status: 'In Progress' }),
    await daemon.add({ status: 'In Progress' }),
    await daemon.add({ status: 'Icebox' }),
    await daemon.add({ status: 'Icebox' }),
  ];
  const [undone = '', done = '', uncleaned = '', cleaned = ''] = ids;
  for (const id of [undone, done]) await daemon.untilStatus(id, 'Testing');
  daemon.legion.reconfigure(HANDS_OFF);
  await daemon.stop();
  const proofs = async () =>
    (await daemon.client.events()).filter((event) => event.type === 'evidence.recorded').length;
  await daemon.start();
  const before = await proofs();
  // Lets the daemon create a worktree for an issue without any work.
  await daemon.client.post('/workers', { issue: uncleaned, mode: 'plan', force: true });
  await daemon.untilEvents('planned', (events) =>
    events.some((event) => event.type === 'attempt.exited' && event.issue === uncleaned),
  );
  const workspace = findWorkspace(daemon.legion, uncleaned);
  const line = (id: string) => `Closes ${id}`;
  await daemon.stop();
  const proven = await git(findWorkspace(daemon.legion, undone), 'rev-parse', 'HEAD');
  await git(findWorkspace(daemon.legion, undone), 'commit', '--quiet', '--allow-empty', '--message=more');
  const head = await git(findWorkspace(daemon.legion, undone), 'rev-parse', 'HEAD');
  const first = await openIntents(daemon.legion, [
    { command: { kind: 'add_closing_keyword', issue: done, line: line(done) } },
  ]);
  await settled(daemon, first);
  await daemon.stop();

  const intents = await openIntents(daemon.legion, [
    { command: { kind: 'run_quality_gate', issue: undone, sha: proven } },
    { command: { kind: 'run_quality_gate', issue: undone, sha: head } },
    { command: { kind: 'run_quality_gate', issue: done, sha: '0'.repeat(40) } },
    { command: { kind: 'add_closing_keyword', issue: undone, line: line(undone) } },
    { command: { kind: 'add_closing_keyword', issue: done, line: line(done) } },
    { command: { kind: 'clean_workspace', issue: uncleaned } },
    { command: { kind: 'clean_workspace', issue: cleaned } },
  ]);
  const outcomes = await settled(daemon, intents);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    ...['done', 'done', 'superseded', 'done', 'done', 'done', 'done'],
  ]);
  expect(await proofs()).toBe(before + 1);
  expect(readFileSync(join(workspace, '../gate.log'), 'utf8')).toBe('run\n'.repeat(before + 1));
  for (const id of [undone, done]) {
    expect(bodyOf(daemon, id).split(line(id))).toHaveLength(2);
  }
  expect(existsSync(workspace)).toBe(false);
});
