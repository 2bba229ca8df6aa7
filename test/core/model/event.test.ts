import { describe, expect, test } from 'vitest';
import {
  decodeEventBody,
  EVENT_TYPES,
  type EventBody,
  type EventType,
} from '../../../src/core/model/event.ts';

const issue = 'ENG-21';
const attempt = { issue, mode: 'implement', attempt: 3 } as const;

/** One valid body of every event type. The compiler rejects missing types. */
const GOOD: { readonly [T in EventType]: Omit<Extract<EventBody, { type: T }>, 'type'> } = {
  'leader.elected': { leader: 'host-1' },
  'decision.made': { issue, decision: 1, action: 'skip', mode: 'plan', reason: 'done', evidence: [] },
  'intent.opened': { intent: 1, command: { kind: 'clean_workspace', issue } },
  'intent.settled': { intent: 1, outcome: 'superseded', detail: '' },
  'attempt.dispatched': { ...attempt, session: 's', version: 0, host: 'host-1' },
  'attempt.spawned': { ...attempt, pid: 4242, startTime: '98765' },
  'attempt.active': { ...attempt },
  'attempt.session_paired': { ...attempt, native: 'ses_1' },
  'attempt.waiting': { ...attempt, wait: 1, for: 'quota', until: 1_700_000_000_000 },
  'attempt.reported': { ...attempt, report: 1, outcome: 'done', summary: 'built it' },
  'attempt.report_accepted': { ...attempt, report: 1 },
  'attempt.report_refused': { ...attempt, report: 1, missing: 'no pull request' },
  'attempt.exited': { ...attempt, code: null, signal: 'SIGKILL' },
  'attempt.crashed': { ...attempt, evidence: ['silent=31m'], flaggedAt: 1_700_000_000_000 },
  'attempt.paused': { ...attempt, evidence: [] },
  'attempt.stopped': { ...attempt, why: 'asked to' },
  'attempt.stop_extended': { ...attempt, extension: 1, why: 'tests are running' },
  'attempt.zombie': { ...attempt, pid: 4242 },
  'attempt.spent': { ...attempt, turns: 2, tokens: 1_500, usd: 0.25, changedAt: 1_700_000_000_000 },
  'attempt.warned': { ...attempt, warning: 'worker tokens', why: 'nearly used up' },
  'attempt.asked_to_stop': { ...attempt, why: 'used up' },
  'crashes.reset': { issue, mode: 'test', generation: 1, by: 'ann' },
  'question.asked': { ...attempt, question: 1, text: 'Which colour?' },
  'question.answered': { issue, question: 1, by: 'ann', text: 'Blue.' },
  'checkpoint.saved': {
    ...attempt,
    checkpoint: 1,
    stage: 'build',
    completed: ['a'],
    remaining: [],
    lastAction: 'ran',
  },
  'handoff.written': { issue, phase: 'retro', revision: 1, content: { left: ['nothing', null, 1] } },
  'evidence.recorded': {
    issue,
    kind: 'test',
    revision: 1,
    sha: 'abc',
    verdict: 'could_not_run',
    by: 'w',
    suites: ['unit'],
    detail: '',
  },
  'labels.owed': { issue, revision: 1, add: ['worker-done'], remove: [] },
  'labels.written': { issue, revision: 1 },
  'round.counted': { issue, reason: 'ci_failure', generation: 0, count: 1 },
  'rounds.reset': { issue, generation: 1, by: 'ann' },
  'merge.begun': {
    issue,
    begin: 1,
    pullRequest: 3,
    headSha: 'abc',
    by: 'eng-21-merge',
    actor: 'worker',
    forced: false,
    preMerge: [{ name: 'ci_green', verdict: 'pass', evidence: 'ci=passing' }],
    autoMerge: { allowed: true, conditions: [] },
  },
  'merge.failed': { issue, begin: 1, why: 'the base has moved' },
  'merge.landed': { issue, merge: 1, pullRequest: 3, headSha: 'abc', mergedSha: 'def', auto: false },
  'merge.undone': { issue, merge: 1, revert: 4, branch: 'revert-3', by: 'ada' },
  'revert.landed': { issue, revert: 4, mergedSha: 'def', by: 'ada', forced: true },
  'approval.given': { issue, approval: 1, of: 'merge', by: 'ann', through: 'cli' },
  'work.rejected': { issue, rejection: 1, of: 'merge', by: 'ann', through: 'cli', why: 'too slow' },
  'split.made': { issue, revision: 1, children: ['ENG-22', 'ENG-23'] },
  'kill.performed': { ...attempt, kill: 1, evidence: [], flaggedAt: 5, changeAt: 'none', agentEventAt: 7 },
  'kill.judged': { ...attempt, kill: 1, right: false, why: 'it reported afterwards' },
  'breaker.opened': { breaker: 1, why: '3 in 30 s' },
  'breaker.closed': { breaker: 1, by: 'ann' },
  'clock.jumped': { jump: 1, byMs: -90_000 },
  'message.queued': { message: 1, to: 'worker', key: 'k', body: 'hello' },
  'message.delivered': { message: 1 },
  'message.set_aside': { message: 1, why: 'nobody there' },
  'issue.sighted': { issue, sight: 1, title: 'A door', status: 'terminal', column: 'Closed' },
  'issue.left': { issue, sight: 2 },
  'issue.pruned': { issue, prune: 1 },
  'event.retired': { was: 'attempt.woken' },
};

const TYPES = Object.keys(GOOD) as EventType[];

const MODES = '"architect", "plan", "implement", "test", "review", "merge"';

const ROUNDS = [
  ...['ci_failure', 'test_failure', 'review_changes', 'conflict', 'sent_back', 'quality_gate', 'plan_review'],
  ...['retro', 'merge', 'closing_keyword', 'no_pr', 'no_review'],
];

const OPTIONAL = ['until', 'flaggedAt', 'changedAt', 'changeAt', 'agentEventAt', 'autoMerge'];

describe.each(TYPES)('%s', (type) => {
  const body = { type, ...GOOD[type] };

  test('is decoded unchanged, even after a JSON round trip', () => {
    expect(decodeEventBody(JSON.parse(JSON.stringify(body)))).toEqual({ ok: true, value: body });
  });

  test('is rejected with an error that contains the name of the missing or wrong field', () => {
    for (const field of Object.keys(GOOD[type])) {
      expect(complaint({ ...body, [field]: Symbol.iterator })).toMatch(new RegExp(`^event\\.${field}[.:]`));
      const { [field]: _, ...rest } = body as Record<string, unknown>;
      if (!OPTIONAL.includes(field)) expect(complaint(rest)).toMatch(new RegExp(`^event\\.${field}: `));
    }
  });
});

describe('an invalid event', () => {
  test.each<[string, EventType, object, string]>([
    [
      'a hostile issue id',
      'labels.written',
      { issue: '../x' },
      'event.issue: is not a valid issue id, got "../x"',
    ],
    ['a serial of 0', 'labels.written', { revision: 0 }, 'event.revision: must be more than 0, got number 0'],
    ['a fractional serial', 'kill.judged', { kill: 1.5 }, 'event.kill: expected int, got number 1.5'],
    [
      'a mode that is an alias',
      'attempt.active',
      { mode: 'finish' },
      `event.mode: expected one of ${MODES}, got "finish"`,
    ],
    [
      'a version below 0',
      'attempt.dispatched',
      { version: -1 },
      'event.version: must be at least 0, got number -1',
    ],
    ['a label that is not Legion’s', 'labels.owed', { add: ['bug'] }, 'event.add[0]: expected one of '],
    [
      'a child with a hostile id',
      'split.made',
      { children: ['A-1', '..'] },
      'event.children[1]: is not a valid issue id, got ".."',
    ],
    ['an unknown action', 'decision.made', { action: 'merge_now' }, 'event.action: expected one of '],
    [
      'an unknown command',
      'intent.opened',
      { command: { kind: 'rm' } },
      'event.command.kind: matches none of the allowed forms, got "rm"',
    ],
    ['an invalid time', 'attempt.waiting', { until: 'soon' }, 'event.until: expected number, got "soon"'],
    [
      'a handoff that is nested too deeply',
      'handoff.written',
      { content: bottomless() },
      'event.content: is nested deeper than 100 levels, got array of length 1',
    ],
  ])('with %s is rejected', (_, type, change, message) => {
    expect(complaint({ type, ...GOOD[type], ...change })?.slice(0, message.length)).toBe(message);
  });

  test.each([
    [{ type: 'issue.exploded' }, 'event.type: matches none of the allowed forms, got "issue.exploded"'],
    [{ type: '__proto__' }, 'event.type: matches none of the allowed forms, got "__proto__"'],
    [{ type: 7 }, 'event.type: matches none of the allowed forms, got number 7'],
    [{}, 'event.type: matches none of the allowed forms, got nothing'],
    [null, 'event: expected object, got null'],
    ['issue.pruned', 'event: expected object, got "issue.pruned"'],
    [undefined, 'event: is missing'],
  ])('%j is rejected', (data, message) => {
    expect(complaint(data)).toBe(message);
  });
});

test.each<[EventType, string, readonly string[]]>([
  ['intent.settled', 'outcome', ['done', 'failed', 'superseded']],
  ['attempt.waiting', 'for', ['user', 'quota']],
  ['attempt.reported', 'outcome', ['done', 'error']],
  ['handoff.written', 'phase', ['architect', 'plan', 'implement', 'test', 'review', 'retro', 'merge']],
  ['evidence.recorded', 'kind', ['test', 'quality_gate', 'retro']],
  ['evidence.recorded', 'verdict', ['passed', 'failed', 'could_not_run']],
  ['round.counted', 'reason', ROUNDS],
])('%s accepts exactly these values for %s', (type, field, words) => {
  for (const word of words) expect(complaint({ type, ...GOOD[type], [field]: word })).toBeUndefined();
  const list = words.map((word) => `"${word}"`).join(', ');
  expect(complaint({ type, ...GOOD[type], [field]: 'x' })).toBe(
    `event.${field}: expected one of ${list}, got "x"`,
  );
});

test('the known event types are exactly those above, without names inherited from Object', () => {
  expect([...EVENT_TYPES].sort()).toEqual([...TYPES].sort());
  expect(EVENT_TYPES.has('constructor')).toBe(false);
});

test('a wait for a person needs no end time', () => {
  const { until: _, ...waiting } = { type: 'attempt.waiting', ...GOOD['attempt.waiting'] };
  expect(decodeEventBody(waiting).ok).toBe(true);
});

test('an event of a retired type is decoded as event.retired', () => {
  expect(decodeEventBody({ type: 'attempt.woken', ...attempt, wait: 1 })).toEqual({
    ok: true,
    value: { type: 'event.retired', was: 'attempt.woken' },
  });
});

function complaint(data: unknown): string | undefined {
  const decoded = decodeEventBody(data);
  return decoded.ok ? undefined : decoded.fault.message;
}

function bottomless(): unknown {
  return JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
}
