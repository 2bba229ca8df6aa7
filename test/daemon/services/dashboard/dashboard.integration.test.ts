/**
 * Tests the dashboard service on a real legion: the board, an issue's history and attempts, its
 * changes, and the figures.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { toWorkerId } from '../../../../src/core/model/ids.ts';
import { performCommand } from '../../../../src/daemon/commands/perform.ts';
import { openServices } from '../../../../src/daemon/services/open-services.ts';
import {
  attemptSchema,
  boardSchema,
  figuresSchema,
  spanSchema,
  storySchema,
} from '../../../../src/protocol/dashboard.ts';
import { diffSchema } from '../../../../src/protocol/repository.ts';
import { overridePort } from '../../../support/override-port.ts';
import { type DeskLegion, deskLegion } from '../legion.ts';

const ABOUT = { version: '', pid: 1, startedAt: 0 };

let legion: DeskLegion;
beforeAll(async () => {
  legion = await deskLegion({ 'old.txt': `${lines(40)}\n`, 'gone.txt': 'gone\n', 'kind.txt': 'a file\n' });
});
afterAll(() => legion.close());

const desk = () => legion.desks.dashboard;
const cardOf = async (issue: string) => (await desk().board({})).cards.find(({ id }) => id === issue);

test('shows the board recorded in the journal until the board is read', async () => {
  await legion.append({
    type: 'issue.sighted',
    issue: 'OLD-1',
    sight: 1,
    title: 'From before',
    status: 'Todo',
    column: 'Today',
  });
  const board = await desk().board({});
  expect(boardSchema.parse(board)).toEqual(board);
  expect(board).toMatchObject({ isPresent: true, readAt: null, version: legion.world.ledger.version });
  expect(board.cards).toMatchObject([{ id: 'OLD-1', title: 'From before', column: 'Today', worker: null }]);
  await legion.append({ type: 'issue.left', issue: 'OLD-1', sight: 2 });
  expect((await desk().board({})).cards).toEqual([]);
});

test('gives the board a different version tag if old finished issues are included', () => {
  const { boardMark } = desk();
  expect(boardMark({ finished: 'all' })).not.toBe(boardMark({}));
});

test('a card shows the worker, its last action, what the issue waits for, and whether a person is needed', async () => {
  const issue = await legion.issue('In Progress');
  legion.settings = { autoAdvance: false };
  await legion.control.preview(issue);
  const about = await legion.dispatched(issue, 'implement');
  legion.world.boardView.replaceAll(legion.world.boardView.all);
  expect(await cardOf(issue)).toMatchObject({
    worker: { state: 'spawned', attempt: 1, last: null },
    waits: null,
  });
  await legion.append(
    { type: 'attempt.active', ...about },
    {
      type: 'checkpoint.saved',
      ...about,
      checkpoint: 1,
      stage: 'x',
      completed: [],
      remaining: [],
      lastAction: 'ran the tests',
    },
    { type: 'attempt.spent', ...about, turns: 1, tokens: 10, usd: 0.5 },
  );
  expect(await cardOf(issue)).toMatchObject({
    status: 'In Progress',
    needsYou: false,
    spentUsd: 0.5,
    pullRequest: null,
    worker: { id: toWorkerId(issue, 'implement'), state: 'executing', last: { what: 'ran the tests' } },
  });
  await legion.append(
    { type: 'question.asked', ...about, question: 1, text: 'Which\ndoor?' },
    { type: 'attempt.waiting', ...about, wait: 1, for: 'user' },
    {
      type: 'decision.made',
      issue,
      decision: 1,
      action: 'skip',
      mode: 'implement',
      reason: 'waits_for_answer',
      evidence: [],
    },
  );
  expect(await cardOf(issue)).toMatchObject({
    needsYou: true,
    worker: { state: 'waiting-user', last: { what: 'asked: Which door?' } },
    waits: { says: 'A question is open.', by: 'person' },
  });
  const { state } = await legion.desks.operator.explain(issue);
  expect((await cardOf(issue))?.needsYou).toBe(
    (await legion.desks.operator.inbox()).some((item) => item.issue === issue),
  );
  expect(state.labels).toEqual((await cardOf(issue))?.labels);
  await legion.leave();
});

test('reuses the board and its version tag while nothing changes; an event or a reconcile pass changes the tag', async () => {
  const { dashboard } = legion.desks;
  const mark = dashboard.boardMark({});
  expect(await dashboard.board({})).toBe(await dashboard.board({}));
  expect(dashboard.boardMark({})).toBe(mark);
  await legion.append({ type: 'clock.jumped', jump: legion.world.ledger.state.lastJump + 1, byMs: 1 });
  const after = dashboard.boardMark({});
  expect(after).not.toBe(mark);
  legion.world.boardView.replaceAll(legion.world.boardView.all);
  expect(dashboard.boardMark({})).not.toBe(after);
  expect(dashboard.boardMark({ version: 3 })).toBe(dashboard.boardMark({ version: 3 }));
});

test('queries neither tracker nor forge, except for an issue that was never read', async () => {
  const { world: context } = legion;
  const asked: string[] = [];
  const spied = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name === 'mayDispatch') return member.bind(target);
        return (...given: unknown[]) => {
          asked.push(String(name));
          return member.apply(target, given) as unknown;
        };
      },
    });
  const [repository] = context.repositories.all;
  if (repository === undefined) throw new Error('there is no repository');
  const watched = { ...repository, forge: spied(repository.forge) };
  const repositories = { ...context.repositories, all: [watched], find: () => watched, of: () => watched };
  const watching = { ...context, tracker: spied(context.tracker), repositories };
  const { dashboard } = openServices(watching, legion.control, ABOUT);
  const issue = [...context.ledger.state.issues.keys()][0] ?? '';
  await dashboard.board({});
  await dashboard.board({ version: 2 });
  await dashboard.span();
  await dashboard.figures(60_000);
  await dashboard.story(issue, { limit: 10 });
  await dashboard.attempts(issue);
  await dashboard.diff(issue);
  expect(asked).toEqual([]);
  const unseen = await legion.issue('Todo');
  expect(await dashboard.story(unseen, { limit: 10 })).toEqual({ entries: [], more: false });
  expect(await dashboard.attempts(unseen)).toEqual([]);
  expect(await dashboard.diff(unseen)).toMatchObject({
    of: 'nothing',
    says: 'No pull request is known, and there is no workspace.',
  });
  expect(asked).toEqual(['read', 'read', 'read']);
});

test('does not report an issue as unknown while the board cannot be read', async () => {
  const away = new LegionError('tracker.unavailable', 'away');
  const tracker = overridePort(legion.world.tracker, { read: () => Promise.reject(away) });
  const { dashboard } = openServices({ ...legion.world, tracker }, legion.control, ABOUT);
  await expect(dashboard.story('NOPE-1', { limit: 5 })).rejects.toBe(away);
  await expect(dashboard.attempts('NOPE-1')).rejects.toBe(away);
  await expect(dashboard.diff('NOPE-1')).rejects.toBe(away);
});

test('the history lists every event of the issue in words with its cause, in pages from the end', async () => {
  const issue = await legion.issue('In Progress');
  const about = await legion.dispatched(issue, 'implement');
  const { state } = legion.world.ledger;
  const intent = state.lastIntent + 1;
  const message = state.lastMessage + 1;
  await legion.append(
    { type: 'intent.opened', intent, command: { kind: 'reread_forge', issue } },
    { type: 'intent.settled', intent, outcome: 'done', detail: 'read' },
    {
      type: 'message.queued',
      message,
      to: toWorkerId(issue, 'implement'),
      key: 'k',
      body: 'From operator ada:\n\nHurry.',
    },
    { type: 'message.delivered', message },
    { type: 'issue.sighted', issue, sight: 1, title: 'T', status: 'In Progress', column: 'Doing' },
    { type: 'kill.performed', ...about, kill: state.kills.last + 1, evidence: ['silent=700 s'] },
    { type: 'attempt.crashed', ...about, evidence: ['exit=1'] },
    { type: 'crashes.reset', issue, mode: 'implement', generation: 1, by: 'ada' },
  );
  const whole = await desk().story(issue, { limit: 200 });
  expect(storySchema.parse(whole)).toEqual(whole);
  expect(whole.more).toBe(false);
  expect(whole.entries.map(({ type, by }) => [type, by])).toEqual([
    ['attempt.dispatched', 'legion'],
    ['intent.opened', 'legion'],
    ['intent.settled', 'legion'],
    ['message.queued', 'person'],
    ['message.delivered', 'legion'],
    ['issue.sighted', 'board'],
    ['kill.performed', 'legion'],
    ['attempt.crashed', 'legion'],
    ['crashes.reset', 'person'],
  ]);
  expect(whole.entries[6]).toMatchObject({ mode: 'implement', attempt: 1, evidence: ['silent=700 s'] });
  expect(whole.entries[7]).toMatchObject({ says: 'implement (attempt 1) crashed', evidence: ['exit=1'] });
  expect(whole.entries.filter(({ routine }) => routine).map(({ type }) => type)).toEqual([
    ...['intent.opened', 'intent.settled', 'message.delivered'],
  ]);
  const [last, earlier] = [await desk().story(issue, { limit: 4 }), whole.entries.at(-4)?.version];
  expect(last).toEqual({ entries: whole.entries.slice(-4), more: true });
  expect(await desk().story(issue, { limit: 5, before: earlier })).toEqual({
    entries: whole.entries.slice(0, 5),
    more: false,
  });
  await expect(desk().story('NOPE-1', { limit: 5 })).rejects.toMatchObject({ code: 'tracker.issue_unknown' });
});

test('lists each attempt of each worker with its end, report, usage and health verdicts', async () => {
  const issue = await legion.issue('In Progress');
  const first = await legion.dispatched(issue, 'implement');
  await legion.append(
    { type: 'attempt.spent', ...first, turns: 2, tokens: 20, usd: 0.25 },
    { type: 'attempt.warned', ...first, warning: 'worker turns', why: 'nearly used up' },
  );
  await legion.crashed(issue, 'implement');
  const second = await legion.dispatched(issue, 'implement');
  const kill = legion.world.ledger.state.kills.last + 1;
  await legion.append(
    { type: 'kill.performed', ...first, kill, evidence: ['silent'] },
    { type: 'kill.judged', ...first, kill, right: false, why: 'it had just committed' },
    { type: 'attempt.waiting', ...second, wait: 1, for: 'user' },
  );
  await legion.dispatched(issue, 'implement');
  await legion.finished(issue, 'implement');
  const lives = await desk().attempts(issue);
  expect(lives.map((life) => attemptSchema.parse(life))).toEqual(lives);
  expect(lives.map(({ attempt, state, endedAt }) => [attempt, state, endedAt !== null])).toEqual([
    [1, 'crashed', true],
    [2, 'waiting-user', true],
    [3, 'finished', true],
  ]);
  expect(lives[0]).toMatchObject({
    ending: 'implement (attempt 1) crashed',
    spent: { turns: 2, tokens: 20, usd: 0.25 },
  });
  expect(lives[0]?.verdicts.map(({ says }) => says)).toEqual([
    'implement (attempt 1) was warned: nearly used up',
    'implement (attempt 1) crashed',
    'implement (attempt 1) was killed',
    'implement (attempt 1) was killed by mistake: it had just committed',
  ]);
  expect(lives[1]?.ending).toBe('attempt 3 replaced it');
  expect(lives[2]).toMatchObject({ report: { outcome: 'done', summary: 'it is done' }, spent: { usd: 0 } });
});

test('figures count finished issues, lead times, kills, crashes and money within the requested period', async () => {
  const before = await desk().figures(3_600_000);
  const issue = await legion.issue('Todo');
  const sighting = { type: 'issue.sighted', issue, title: 'T', column: 'x' } as const;
  await legion.append({ ...sighting, sight: 1, status: 'Todo' });
  const about = await legion.dispatched(issue, 'plan');
  await legion.append({ type: 'attempt.spent', ...about, turns: 1, tokens: 100, usd: 1 });
  await legion.append({ type: 'attempt.spent', ...about, turns: 2, tokens: 150, usd: 1.5 });
  await legion.crashed(issue, 'plan');
  await legion.append(
    {
      type: 'merge.landed',
      issue,
      merge: 1,
      pullRequest: 1,
      headSha: 'a',
      mergedSha: 'b',
      auto: false,
    },
    { ...sighting, sight: 2, status: 'Done' },
    { ...sighting, sight: 2, status: 'Done' },
  );
  const open = await legion.dispatched(await legion.issue('Todo'), 'plan');
  await legion.append({ type: 'attempt.spent', ...open, turns: 1, tokens: 10, usd: 4 });
  // Usage that the issue's last worker reports after Done is still attributed to the issue.
  await legion.append({ type: 'attempt.spent', ...about, turns: 2, tokens: 150, usd: 1.75 });
  const after = await desk().figures(3_600_000);
  expect(figuresSchema.parse(after)).toEqual(after);
  expect(after.leadTimes.at(-1)).toMatchObject({ issue });
  expect(after.throughput.reduce((sum, { done }) => sum + done, 0)).toBe(
    1 + before.throughput.reduce((sum, { done }) => sum + done, 0),
  );
  expect(after.spent.usd - before.spent.usd).toBeCloseTo(5.75);
  expect(after.spent.doneUsd - before.spent.doneUsd).toBeCloseTo(1.75);
  expect(after.spent.tokens - before.spent.tokens).toBe(160);
  expect(after.attempts.total - before.attempts.total).toBe(2);
  expect(after.attempts.crashed - before.attempts.crashed).toBe(1);
  expect(after.phases.find(({ status }) => status === 'Todo')?.count).toBeGreaterThan(0);
  expect(after.throughput).toHaveLength(24);
  expect((await desk().figures(5 * 24 * 3_600_000)).throughput).toHaveLength(5);
});

test("each event falls into exactly one interval of the journal's time span", async () => {
  const span = await desk().span();
  expect(spanSchema.parse(span)).toEqual(span);
  expect(span.first.version).toBe(1);
  expect(span.last.version).toBe(legion.world.ledger.version);
  expect(span.parts.reduce((sum, { count }) => sum + count, 0)).toBe(legion.world.ledger.version);
});

test('the diff shows the changes of the pull request, even with unusual file names', async () => {
  const issue = await legion.issue('In Progress');
  await legion.pullRequest(issue, { 'new.txt': 'one\ntwo\n', '"od d\\.txt"': 'odd\n', 'README.md': 'bye\n' });
  await legion.control.preview(issue);
  const found = await desk().diff(issue);
  expect(diffSchema.parse(found)).toEqual(found);
  expect(found).toMatchObject({ of: 'pull_request', truncated: false });
  expect(found.head).toMatch(/^[0-9a-f]{40}$/);
  expect(found.files.find(({ path }) => path === 'new.txt')).toEqual({
    path: 'new.txt',
    change: 'added',
    additions: 2,
    deletions: 0,
    patch: '@@ -0,0 +1,2 @@\n+one\n+two\n',
    cut: false,
  });
  expect(found.files.find(({ path }) => path === 'README.md')?.patch).toBe('@@ -1 +1 @@\n-hello\n+bye\n');
});

test('without a pull request, the diff shows the workspace with its uncommitted changes, or a reason if there is no workspace either', async () => {
  const issue = await legion.issue('In Progress');
  await legion.control.preview(issue);
  expect(await desk().diff(issue)).toMatchObject({
    of: 'nothing',
    says: 'There is no pull request, and there is no workspace.',
  });
  const { path } = await legion.world.workspaces.ensure(issue, legion.repository);
  expect(await desk().diff(issue)).toMatchObject({ of: 'workspace', files: [] });
  renameSync(join(path, 'old.txt'), join(path, 'renamed.txt'));
  unlinkSync(join(path, 'gone.txt'));
  unlinkSync(join(path, 'kind.txt'));
  symlinkSync('/etc/passwd', join(path, 'kind.txt'));
  execFileSync('git', ['-C', path, 'add', '--all']);
  mkdirSync(join(path, 'folder'));
  writeFileSync(join(path, 'folder', 'not\nadded\t"yet".txt'), 'no end');
  writeFileSync(join(path, 'picture.png'), Buffer.from([0, 1, 2]));
  symlinkSync('/etc/passwd', join(path, 'link.txt'));
  writeFileSync(join(path, 'README.md'), 'diff --git a/x b/x\n@@ -1 +1 @@\n');
  const found = await desk().diff(issue);
  expect(diffSchema.parse(found)).toEqual(found);
  expect(found.says).toBe('There is no pull request; these are the changes in the workspace.');
  expect(
    Object.fromEntries(found.files.map(({ path: name, change, from }) => [name, from ?? change])),
  ).toEqual({
    'README.md': 'changed',
    'gone.txt': 'deleted',
    'kind.txt': 'retyped',
    'renamed.txt': 'old.txt',
    'folder/not\nadded\t"yet".txt': 'added',
    'picture.png': 'added',
    'link.txt': 'added',
  });
  const patchOf = (name: string) => found.files.find((file) => file.path === name);
  expect(patchOf('README.md')?.patch).toBe('@@ -1 +1,2 @@\n-hello\n+diff --git a/x b/x\n+@@ -1 +1 @@\n');
  expect(patchOf('folder/not\nadded\t"yet".txt')?.patch).toBe(
    '@@ -0,0 +1 @@\n+no end\n\\ No newline at end of file\n',
  );
  expect(patchOf('picture.png')).toMatchObject({ additions: null, patch: '' });
  expect(JSON.stringify(found)).not.toContain('root:');
});

test('a card uses the same text as `explain`, and shows that an issue in the inbox needs a person', async () => {
  legion.settings = { autoAdvance: true };
  const waiting = [
    await legion.issue('Todo', ['user-input-needed']),
    await legion.issue('In Progress', ['legion-paused']),
    await legion.issue('Backlog', ['needs-approval']),
    await legion.issue('Icebox'),
    await legion.issue('Done'),
  ];
  for (const issue of waiting) await legion.control.advance(issue);
  const needed = new Set((await legion.desks.operator.inbox()).map(({ issue }) => issue));
  for (const issue of waiting) {
    const { state } = await legion.desks.operator.explain(issue);
    const card = await cardOf(issue);
    const { by, what } = state.until;
    const says = by === 'nothing_more' ? null : { says: state.says, by, what };
    expect([issue, card?.waits]).toEqual([issue, says]);
    expect([issue, card?.needsYou]).toEqual([issue, needed.has(issue)]);
  }
  expect([...needed]).toEqual(expect.arrayContaining(waiting.slice(0, 3)));
});

test('with auto_advance off, a card shows the due step as `explain` does, and says that the issue waits for a person to advance it', async () => {
  legion.settings = { autoAdvance: false };
  const [due, paused, over, old] = [
    await legion.issue('Todo'),
    await legion.issue('In Progress', ['legion-paused']),
    await legion.issue('Done'),
    await legion.issue('Todo'),
  ];
  await legion.append({
    type: 'decision.made',
    issue: old,
    decision: 1,
    action: 'skip',
    mode: 'plan',
    reason: 'waits_for_answer',
    evidence: [],
  });
  for (const issue of [due, paused, over, old]) await legion.control.preview(issue);
  const held = {
    says: 'This phase has not been worked on yet. It is waiting to be advanced.',
    by: 'person',
    what: 'someone advances it with `legion advance` or on its page, because auto_advance is off',
  };
  expect((await cardOf(due))?.waits).toEqual(held);
  expect((await cardOf(old))?.waits).toEqual(held);
  expect((await cardOf(over))?.waits).toBeNull();
  for (const issue of [due, paused, old]) {
    const { state } = await legion.desks.operator.explain(issue);
    const { says = '', ...until } = (await cardOf(issue))?.waits ?? {};
    expect([issue, state.until]).toMatchObject([issue, until]);
    expect(says.startsWith(state.says)).toBe(true);
  }
  // A person has advanced the issue, so the decided step is in progress.
  const intent = legion.world.ledger.state.lastIntent + 1;
  await legion.append({ type: 'intent.opened', intent, command: { kind: 'reread_forge', issue: old } });
  expect((await cardOf(old))?.waits).toMatchObject({ says: 'A question is open.' });
  await legion.append({ type: 'intent.settled', intent, outcome: 'done', detail: 'read' });
  const mark = desk().boardMark({});
  legion.settings = { autoAdvance: true };
  expect(desk().boardMark({})).not.toBe(mark);
  expect((await cardOf(due))?.waits).toBeNull();
});

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
}

test('if a person moves an issue to Done, the figures leave it out until its merge is known', async () => {
  const countDone = async () =>
    (await desk().figures(3_600_000)).throughput.reduce((sum, { done }) => sum + done, 0);
  const before = await countDone();
  const issue = await legion.issue('Todo');
  const sighting = { type: 'issue.sighted', issue, title: 'T', column: 'x' } as const;
  const landed = { type: 'merge.landed', issue, headSha: 'a', mergedSha: 'b', auto: false } as const;
  await legion.append({ ...sighting, sight: 1, status: 'Todo' });
  await legion.dispatched(issue, 'plan');
  await legion.append({ ...sighting, sight: 2, status: 'Done' });
  expect(await countDone()).toBe(before);
  await legion.append({ ...landed, merge: 1, pullRequest: 7 });
  expect(await countDone()).toBe(before + 1);

  // The issue is reopened, and a person moves it to Done again.
  await legion.append({ ...sighting, sight: 3, status: 'Todo' }, { ...sighting, sight: 4, status: 'Done' });
  expect(await countDone()).toBe(before + 1);
  await legion.append({ ...sighting, sight: 5, status: 'Retro' });
  const decision = (legion.world.ledger.state.issues.get(issue)?.lastDecision ?? 0) + 1;
  await legion.append(
    {
      type: 'decision.made',
      issue,
      decision,
      action: 'transition_to_done',
      mode: 'merge',
      reason: 'merged',
      evidence: [],
    },
    { ...sighting, sight: 6, status: 'Done' },
  );
  expect(await countDone()).toBe(before + 2);
});

test('the board immediately shows moves and labels, whether a person or Legion made them', async () => {
  const { control, desks, world: context } = legion;
  const issue = await legion.issue('Backlog');
  await control.preview(issue);
  context.boardView.replaceAll(context.boardView.all);
  await desks.issues.move(issue, 'Todo');
  expect(await cardOf(issue)).toMatchObject({ status: 'Todo', column: 'Todo' });
  await desks.issues.label(issue, { add: ['worker-done'], remove: [] });
  expect(await cardOf(issue)).toMatchObject({ labels: ['worker-done'] });

  const labels = { add: [], remove: ['worker-done' as const] };
  const { signal } = new AbortController();
  await performCommand(
    context,
    { kind: 'write_issue', issue, ...labels, moveTo: 'In Progress', covers: 0 },
    signal,
  );
  expect(await cardOf(issue)).toMatchObject({ status: 'In Progress', column: 'In Progress', labels: [] });

  await desks.operator.pause(issue, 'ada', 'later');
  expect(await cardOf(issue)).toMatchObject({ labels: ['legion-paused'] });
});
