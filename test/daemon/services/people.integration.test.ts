import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Action } from '../../../src/core/model/action.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { openServices } from '../../../src/daemon/services/open-services.ts';
import { type InboxItem, inboxItemSchema } from '../../../src/protocol/operator.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.operator;
});
afterAll(() => legion.close());

test('approves a waiting issue only once, in the person’s name', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  expect(await itemsOf(issue)).toMatchObject([{ kind: 'approval', next: `legion approve ${issue}` }]);
  await desk.approve(issue, { by: 'ada', through: 'cli' });
  expect(await legion.labels(issue)).toContain('human-approved');
  expect(await legion.comments(issue)).toMatchObject([
    { author: 'ada', by: 'writer', text: 'Approved by ada.' },
  ]);
  expect(legion.wakes.at(-1)).toBe(issue);
  expect((await desk.approve(issue, { by: 'bob', through: 'cli' })).says).toContain('already');
  expect(await legion.comments(issue)).toHaveLength(1);
  expect(await itemsOf(issue)).toEqual([]);
});

test('an approval item says what needs approval and how to read it', async () => {
  const specified = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await desk.writeHandoff(specified, 'architect', { summary: 'Greet by name', decided: ['In English'] });
  expect(await itemsOf(specified)).toMatchObject([
    {
      text: 'The specification is waiting for your approval: Greet by name.',
      read: `legion issue show ${specified}`,
    },
  ]);
  expect((await legion.desks.issues.show(specified)).specification).toMatchObject({
    summary: 'Greet by name',
    decided: ['In English'],
  });
  expect((await desk.approve(specified, { by: 'ada', through: 'cli' })).says).toBe(
    `The specification of ${specified} is approved. It continues.`,
  );

  const finished = await legion.issue('Retro', ['needs-approval', 'worker-done']);
  const { number, head } = await legion.pullRequest(finished);
  expect((await desk.approve(finished, { by: 'ada', through: 'cli' })).says).toBe(
    `The merge of ${finished} (pull request ${number} at ${head.slice(0, 10)}) is approved. It continues.`,
  );
});

test('accepts an approval although the label needs-approval is not written to the board yet', async () => {
  const issue = await legion.issue('Backlog');
  await legion.append({ type: 'labels.owed', issue, revision: 1, add: ['needs-approval'], remove: [] });
  await desk.approve(issue, { by: 'ada', through: 'cli' });
  expect(await effective(issue)).toEqual(['human-approved', 'needs-approval']);
});

test('refuses to approve an issue that is not waiting for approval', async () => {
  const issue = await legion.issue('Todo');
  await expect(desk.approve(issue, { by: 'ada', through: 'cli' })).rejects.toMatchObject({
    code: 'approval.not_due',
  });
  await expect(desk.approve('DEMO-999', { by: 'ada', through: 'cli' })).rejects.toMatchObject({
    code: 'tracker.issue_unknown',
  });
});

test('an answer closes the question, is posted on the issue, and lets the worker continue', async () => {
  const issue = await asking('Which format?');
  expect(await itemsOf(issue)).toMatchObject([
    {
      kind: 'question',
      question: 1,
      text: 'plan asks: Which format?',
      next: expect.stringContaining(`legion answer ${issue}`),
    },
  ]);
  await desk.answer(issue, { text: 'JSON.', by: 'ada' });
  expect(legion.world.ledger.state.issues.get(issue)?.questions[1]?.answer).toMatchObject({
    by: 'ada',
    text: 'JSON.',
  });
  expect(await effective(issue)).toEqual(['user-feedback-given', 'user-input-needed']);
  expect(await legion.comments(issue)).toMatchObject([{ author: 'ada', text: 'JSON.' }]);
  expect((await desk.explain(issue)).state).toMatchObject({ suggestedAction: 'relay_user_feedback' });
  expect(await itemsOf(issue)).toEqual([]);
});

test('the response to an answer says whether the worker continues', async () => {
  const continues = await asking('Which format?');
  expect(await desk.answer(continues, { text: 'JSON.', by: 'ada' })).toEqual({
    says: `Question 1 of ${continues} is answered. It continues.`,
  });
  const held = await asking('Which format?');
  legion.settings = { autoAdvance: false };
  const off = await desk.answer(held, { text: 'JSON.', by: 'ada' });
  legion.settings = {};
  expect(off.says).toBe(
    `Question 1 of ${held} is answered. auto_advance is off: run \`legion advance ${held}\` to let its worker continue.`,
  );
  const full = await asking('Which format?');
  legion.settings = { slots: { workers: 0, perMode: {} } };
  const later = await desk.answer(full, { text: 'JSON.', by: 'ada' });
  legion.settings = {};
  expect(later.says).toContain('It does not continue yet:');
});

test('the response to an approval of a paused issue says that the issue is still paused, and how to resume it', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'legion-paused']);
  expect((await desk.approve(issue, { by: 'ada', through: 'cli' })).says).toBe(
    `The specification of ${issue} is approved. It is still paused: \`legion resume ${issue}\` lets it continue.`,
  );
});

test('the response to resuming an issue of a paused legion shows the command that resumes the whole legion', async () => {
  const issue = await legion.issue('Todo');
  await desk.pause(undefined, 'ada', 'maintenance');
  await expect(desk.resume(issue, 'ada')).rejects.toMatchObject({
    code: 'resume.not_paused',
    message: `${issue} itself is not paused, but the whole legion is paused. Run \`legion resume\` without an issue.`,
  });
  await desk.resume(undefined, 'ada');
});

test('the response to resuming a paused issue of a halted legion says that the legion is still halted', async () => {
  const issue = await legion.issue('Todo', ['legion-paused']);
  await desk.halt('ada', 'fire');
  expect((await desk.resume(issue, 'ada')).says).toBe(
    `${issue} is no longer paused; its rounds, crashes and budgets start from zero. The legion is halted: \`legion resume\` lets it continue.`,
  );
  await desk.resume(undefined, 'ada');
});

test('the explanation of a paused issue shows the command that resumes only this issue', async () => {
  const issue = await legion.issue('Todo', ['legion-paused']);
  expect((await desk.explain(issue)).state.until).toEqual({
    by: 'person',
    what: `someone runs \`legion resume ${issue}\`, or removes the label legion-paused`,
    next: `legion resume ${issue}`,
  });
});

test("the response to answering Legion's own question says that the issue continues, even if the loop acts immediately", async () => {
  const issue = await legion.issue('In Progress', ['user-input-needed', 'worker-done']);
  const world = {
    ...legion.world,
    // Simulates a loop that reads the answer as soon as it is woken, before the board shows it.
    wake: () =>
      void legion.append({
        type: 'labels.owed',
        issue,
        revision: 2,
        add: [],
        remove: ['user-feedback-given'],
      }),
  };
  const info = { version: '', pid: 1, startedAt: 0 };
  const { operator } = openServices(world, legion.control, info);
  const { says } = await operator.answer(issue, { text: 'Try the other way.', by: 'ada' });
  expect(says).toBe(`Your answer on ${issue} is recorded. It continues.`);
});

test('the inbox reports that consent is missing and shows the command that gives it', async () => {
  const missing = new LegionError('consent.required', 'budgets.day.usd rises from 5 to 50');
  legion.world.problems.report('consent', missing);
  try {
    expect(await desk.inbox()).toContainEqual(
      expect.objectContaining({ kind: 'problem', text: missing.message, next: 'legion up' }),
    );
  } finally {
    legion.world.problems.resolve('consent');
  }
});

test('the inbox shows a daily budget of zero as exhausted since Legion first noticed it, not since midnight', async () => {
  const from = Date.now();
  legion.settings = { budgets: { ...legion.world.settings().budgets, day: { usd: 0 } } };
  try {
    const item = (await desk.inbox()).find(({ kind }) => kind === 'budget');
    expect(item?.since).toBeGreaterThanOrEqual(from);
  } finally {
    legion.settings = {};
  }
});

test('a rolled-back issue whose work was done again asks for approval of its new merge', async () => {
  const redone = await legion.issue('Retro', ['rollback', 'needs-approval', 'worker-done']);
  const rolledBack = await legion.issue('Todo', ['rollback', 'needs-approval']);
  expect(await itemsOf(redone)).toMatchObject([{ approves: 'merge' }]);
  expect(await itemsOf(rolledBack)).toMatchObject([{ approves: 'restart' }]);
});

test('only the first answer is used, and a question that is not open cannot be answered', async () => {
  const issue = await asking('Which format?');
  const both = await Promise.allSettled([
    desk.answer(issue, { text: 'JSON.', by: 'ada', question: 1 }),
    desk.answer(issue, { text: 'XML.', by: 'bob', question: 1 }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = { code: 'question.none_open' };
  await expect(desk.answer(issue, { text: 'x', by: 'ada', question: 1 })).rejects.toMatchObject(refused);
  await expect(desk.answer(issue, { text: 'x', by: 'ada', question: 2 })).rejects.toMatchObject(refused);
  await expect(desk.answer(await legion.issue('Todo'), { text: 'x', by: 'ada' })).rejects.toMatchObject(
    refused,
  );
});

test('an issue still waits for an answer if the worker that asked is gone', async () => {
  const issue = await asking('Which format?');
  await legion.append({ type: 'labels.owed', issue, revision: 1, add: ['user-input-needed'], remove: [] });
  await legion.crashed(issue, 'plan');
  expect(await itemsOf(issue)).toMatchObject([{ kind: 'question', question: 1 }]);
  await desk.answer(issue, { text: 'JSON.', by: 'ada' });
  expect(await effective(issue)).toContain('user-feedback-given');
});

test('an answer to Legion’s own question is posted as a comment with a label', async () => {
  const issue = await legion.issue('In Progress', ['user-input-needed', 'worker-done']);
  await legion.append(
    ...[
      decided(issue, 1, 'add_user_input_needed', 'round_limit'),
      decided(issue, 2, 'skip', 'waits_for_answer'),
    ],
  );
  expect(await itemsOf(issue)).toMatchObject([
    {
      kind: 'escalation',
      text: expect.stringMatching(/^Waiting for you /),
      next: `legion answer ${issue} "…"`,
    },
  ]);
  await desk.answer(issue, { text: 'Try the other way.', by: 'ada' });
  expect(await effective(issue)).toContain('user-feedback-given');
  expect(await legion.comments(issue)).toMatchObject([{ author: 'ada', text: 'Try the other way.' }]);
  expect(await itemsOf(issue)).toEqual([]);
});

test('pauses an issue once, and records who paused it and why', async () => {
  const issue = await legion.issue('Todo');
  await desk.pause(issue, 'ada', 'wait for the release');
  expect(await legion.labels(issue)).toContain('legion-paused');
  expect((await desk.pause(issue, 'bob', 'me too')).says).toContain('already');
  expect(await legion.comments(issue)).toMatchObject([
    { author: 'ada', text: 'Paused by ada: wait for the release' },
  ]);
  expect((await desk.explain(issue)).state).toMatchObject({ suggestedAction: 'skip', reason: 'paused' });
});

test('resuming an issue resets its rounds and crashes', async () => {
  const issue = await legion.issue('Todo', ['legion-paused']);
  await legion.dispatched(issue, 'plan');
  await legion.crashed(issue, 'plan');
  await legion.append(
    { type: 'round.counted', issue, reason: 'plan_review', generation: 0, count: 1 },
    decided(issue, 1, 'add_legion_paused', 'crash_limit'),
    decided(issue, 2, 'skip', 'paused'),
  );
  expect(await itemsOf(issue)).toMatchObject([
    {
      kind: 'paused',
      text: 'Paused after 1 crash of the plan worker: exit=1.',
      next: `legion resume ${issue}`,
    },
  ]);
  await desk.resume(issue, 'ada');
  expect(await legion.labels(issue)).toEqual([]);
  expect(legion.world.ledger.state.issues.get(issue)?.rounds).toEqual({});
  expect(legion.desks.workers.get(`${issue}-plan`).crashes).toBe(0);
  await expect(desk.resume(issue, 'ada')).rejects.toMatchObject({ code: 'resume.not_paused' });
});

test('`resume` also lifts a pause that is not on the board yet', async () => {
  const issue = await legion.issue('Todo');
  await legion.append({ type: 'labels.owed', issue, revision: 1, add: ['legion-paused'], remove: [] });
  await desk.resume(issue, 'ada');
  expect(await effective(issue)).toEqual([]);
});

test('a person can pause and resume all worker starts, and the inbox shows the pause', async () => {
  await expect(desk.resume(undefined, 'ada')).rejects.toMatchObject({ code: 'resume.not_paused' });
  await desk.pause(undefined, 'ada', 'maintenance');
  expect(legion.desks.health().starts).toEqual({
    allowed: false,
    kind: 'pause',
    by: 'ada',
    why: 'paused by ada: maintenance',
    since: expect.any(Number),
  });
  expect((await desk.pause(undefined, 'bob', 'more')).says).toContain('paused by ada: maintenance');
  expect(await desk.inbox()).toContainEqual(
    expect.objectContaining({ kind: 'paused', issue: null, next: 'legion resume' }),
  );
  await desk.resume(undefined, 'ada');
  expect(legion.desks.health().starts).toEqual({ allowed: true });
  expect(legion.wakes.at(-1)).toBeUndefined();
});

test('the inbox shows an issue if its check takes too long, but never shows a finished issue', async () => {
  const late = await legion.issue('In Progress', ['worker-done']);
  await legion.append(decided(late, 1, 'retry_ci_check', 'waited_too_long'));
  expect(await itemsOf(late)).toMatchObject([
    { kind: 'escalation', next: `legion explain ${late} --details` },
  ]);
  const over = await legion.issue('Done', ['needs-approval', 'legion-paused', 'user-input-needed']);
  expect(await itemsOf(over)).toEqual([]);
});

test.each([
  ['ci_interrupted', 'A CI check was cancelled or reached no verdict.', 'run the check again'],
  ['ci_action_required', 'A CI check needs a person’s action.', 'do what the check asks'],
] as const)('the inbox shows an issue whose CI waits for a person (%s)', async (reason, text, next) => {
  const issue = await legion.issue('In Progress', ['worker-done']);
  await legion.append(decided(issue, 1, 'retry_ci_check', reason));
  expect(await itemsOf(issue)).toMatchObject([
    { kind: 'escalation', text, next: `${next}; legion ci ${issue}` },
  ]);
});

test('the inbox asks for a clearer issue even while auto_advance is off', async () => {
  const issue = await legion.issue('Icebox');
  await legion.append({
    type: 'decision.made',
    issue,
    decision: 1,
    action: 'transition_to_icebox',
    mode: 'architect',
    reason: 'routed',
    evidence: [],
  });
  legion.settings = { autoAdvance: false };
  try {
    await legion.control.preview(issue);
    expect(await itemsOf(issue)).toMatchObject([
      { kind: 'clarification', text: 'The issue is not clear enough to work on.' },
    ]);
  } finally {
    legion.settings = {};
  }
});

test.each(['halt', 'pause'] as const)(
  'while a %s of the legion is in effect, the inbox still shows what each issue waits for and since when',
  async (kind) => {
    const unclear = await legion.issue('Icebox');
    await legion.append({
      type: 'decision.made',
      issue: unclear,
      decision: 1,
      action: 'transition_to_icebox',
      mode: 'architect',
      reason: 'routed',
      evidence: [],
    });
    const approval = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
    const issues = [unclear, approval];
    const waits = async () => {
      for (const issue of issues) await legion.control.reconcile(issue);
      return (await Promise.all(issues.map(itemsOf))).flat();
    };
    const before = await waits();
    expect(before.map(({ kind: waitsFor }) => waitsFor)).toEqual(['clarification', 'approval']);
    if (kind === 'halt') await desk.halt('ada', 'maintenance');
    else await desk.pause(undefined, 'ada', 'maintenance');
    expect(await waits()).toEqual(before);
    expect(legion.world.ledger.state.issues.get(unclear)?.decision?.reason).toMatch(/halted|legion_paused/);
    await desk.resume(undefined, 'ada');
    expect(await waits()).toEqual(before);
  },
);

test('the inbox matches its schema and lists the longest waits first', async () => {
  const items = await desk.inbox();
  expect(inboxItemSchema.array().parse(items)).toEqual(items);
  expect(items.map(({ since }) => since)).toEqual(items.map(({ since }) => since).sort((a, b) => a - b));
});

test("on an external tracker, Legion writes on the person's behalf and mentions their name", async () => {
  const issue = await legion.issue('Backlog', ['needs-approval']);
  const world = { ...legion.world, board: undefined };
  const elsewhere = openServices(world, legion.control, { version: '', pid: 1, startedAt: 0 }).operator;
  await elsewhere.approve(issue, { by: 'ada', through: 'cli' });
  await elsewhere.pause(issue, 'ada', 'later');
  expect(await legion.labels(issue)).toEqual(['human-approved', 'legion-paused', 'needs-approval']);
  expect((await legion.comments(issue)).map(({ author, text }) => `${author}/${text}`)).toEqual([
    'legion/ada: Approved by ada.',
    'legion/ada: Paused by ada: later',
  ]);
  await elsewhere.resume(issue, 'ada');
  expect(await legion.labels(issue)).not.toContain('legion-paused');
});

async function asking(text: string): Promise<string> {
  const issue = await legion.issue('Todo');
  const about = await legion.dispatched(issue, 'plan');
  await legion.append(
    { type: 'question.asked', ...about, question: 1, text },
    { type: 'attempt.waiting', ...about, wait: 1, for: 'user' },
  );
  return issue;
}

function decided(issue: string, decision: number, action: Action, reason: string): EventBody {
  return { type: 'decision.made', issue, decision, action, mode: 'implement', reason, evidence: ['x=1'] };
}

async function itemsOf(issue: string): Promise<InboxItem[]> {
  return (await desk.inbox()).filter((item) => item.issue === issue);
}

async function effective(issue: string): Promise<string[]> {
  return [...computeEffectiveLabels(await legion.labels(issue), legion.world.ledger.state, issue)].sort();
}
