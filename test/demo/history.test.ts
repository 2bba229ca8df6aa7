/** Tests that the demo's history of an issue is derived only from the journal's events. */
import { describe, expect, test } from 'vitest';
import type { Command, SpawnPurpose } from '../../src/core/model/command.ts';
import type { EventBody } from '../../src/core/model/event.ts';
import type { Mode } from '../../src/core/model/mode.ts';
import { DemoHistory, formatAttemptName, type TimedEvent } from '../../src/demo/history.ts';
import { narrateEvent } from '../../src/demo/narrate.ts';
import { listDueActions } from '../../src/demo/person.ts';
import { listFreshBoardStories } from '../../src/demo/stories.ts';
import { buildDemoIssueSummary } from '../../src/demo/summary.ts';

const ISSUE = 'DEMO-1';
const ON_THE_BOARD = { id: ISSUE, title: 'T', status: 'Done', createdAt: 1_000 };

describe('the history of a demo', () => {
  test('lists each phase once and counts every attempt, including those after a crash or an answer', () => {
    const { history } = chronicleOf(
      spawn('plan', 1, 'start'),
      spawn('implement', 1, 'start'),
      spawn('implement', 2, 'crash'),
      spawn('test', 1, 'start'),
      spawn('implement', 3, 'retro'),
      spawn('implement', 4, 'crash'),
    );
    const { phases, attempts, lives } = buildDemoIssueSummary(ON_THE_BOARD, history);
    expect({ phases, attempts }).toEqual({ phases: ['plan', 'implement', 'test', 'retro'], attempts: 6 });
    expect(lives.at(-1)).toEqual({ phase: 'retro', attempt: 4, purpose: 'crash' });
    const issue = history.getIssue(ISSUE);
    expect(issue.attempts.map((attempt) => formatAttemptName(attempt, issue))).toEqual([
      'plan',
      'implement',
      'implement #2',
      'test',
      'retro',
      'retro #2',
    ]);
  });

  test('moves an issue only after the board write has succeeded, and records when the issue became Done', () => {
    const { history, take } = chronicleOf(write(1, { moveTo: 'Icebox' }), settled(1, 'failed'));
    expect(history.getIssue(ISSUE).status).toBe('Triage');
    take(write(2, { moveTo: 'Done' }));
    take(settled(2, 'done'), 5_000);
    expect(buildDemoIssueSummary(ON_THE_BOARD, history)).toMatchObject({
      durationMs: 4_000,
      mergedSha: null,
      merge: null,
    });
  });

  test('if the end of an attempt is recorded twice, keeps the first record; also records that a person approved the merge', () => {
    const about = { issue: ISSUE, mode: 'merge', attempt: 1 } as const;
    const { history } = chronicleOf(
      spawn('merge', 1, 'start'),
      {
        type: 'merge.landed',
        issue: ISSUE,
        merge: 1,
        pullRequest: 1,
        headSha: 'h',
        mergedSha: 'm',
        auto: false,
      },
      { type: 'attempt.report_accepted', ...about, report: 1 },
      { type: 'attempt.stopped', ...about, why: 'asked to' },
    );
    expect(buildDemoIssueSummary(ON_THE_BOARD, history)).toMatchObject({ mergedSha: 'm', merge: 'person' });
    expect(history.getIssue(ISSUE).attempts).toMatchObject([{ end: 'done', exited: false }]);
  });
});

describe('the simulated person of a demo', () => {
  test('acts only while something waits for a person', () => {
    const { history, take } = chronicleOf();
    const due = () =>
      listDueActions(history, listFreshBoardStories()).map(({ kind, issue }) => `${kind} ${issue}`);
    expect(due()).toEqual([]);
    take({ type: 'question.asked', issue: ISSUE, mode: 'implement', attempt: 1, question: 4, text: '?' });
    expect(due()).toEqual(['answer DEMO-1']);
    take({ type: 'question.answered', issue: ISSUE, question: 4, by: 'you', text: '!' });
    expect(due()).toEqual([]);
    take(write(7, { add: ['needs-approval'] }));
    expect(due()).toEqual([]);
    take(settled(7, 'done'));
    expect(due()).toEqual(['approve DEMO-1']);
    take(write(8, { moveTo: 'Done', remove: ['needs-approval'] }));
    take(settled(8, 'done'));
    expect(due()).toEqual([]);
    take(write(9, { issue: 'DEMO-3', moveTo: 'Icebox' }));
    take(settled(9, 'done'));
    expect(due()).toEqual(['clarify DEMO-3']);
  });
});

describe('the narration of a demo', () => {
  test('says why a worker is running again, and what went wrong', () => {
    const about = { issue: ISSUE, mode: 'implement' } as const;
    const { history } = chronicleOf(spawn('implement', 1, 'start'), spawn('implement', 2, 'test_failure'));
    const words = (event: EventBody) => narrateEvent({ ...event, at: 0 }, history);
    expect(words({ type: 'attempt.spawned', ...about, attempt: 2, pid: 9, startTime: '1' })?.text).toBe(
      'implement #2 is running again: the tests failed',
    );
    expect(words({ type: 'attempt.exited', ...about, attempt: 1, code: null, signal: 'SIGKILL' })).toEqual({
      issue: ISSUE,
      text: 'implement was killed by SIGKILL',
      mood: 'bad',
    });
    expect(words({ type: 'attempt.exited', ...about, attempt: 2, code: 0, signal: null })).toBeUndefined();
  });
});

function chronicleOf(...events: readonly EventBody[]) {
  const history = new DemoHistory();
  const take = (event: EventBody, at = 2_000) => history.applyEvent({ ...event, at } satisfies TimedEvent);
  for (const event of events) take(event);
  return { history, take };
}

function spawn(mode: Mode, attempt: number, purpose: SpawnPurpose): EventBody {
  const command: Command = { kind: 'spawn', issue: ISSUE, mode, attempt, version: 0, purpose };
  return { type: 'intent.opened', intent: 100 + attempt, command };
}

function write(intent: number, what: Partial<Extract<Command, { kind: 'write_issue' }>>): EventBody {
  const command: Command = { kind: 'write_issue', issue: ISSUE, add: [], remove: [], covers: 0, ...what };
  return { type: 'intent.opened', intent, command };
}

function settled(intent: number, outcome: 'done' | 'failed'): EventBody {
  return { type: 'intent.settled', intent, outcome, detail: '' };
}
