/** What the demo says of an issue comes from the journal's events alone. */
import { describe, expect, test } from 'vitest';
import type { Command, Purpose } from '../../src/core/model/command.ts';
import type { EventBody } from '../../src/core/model/event.ts';
import { Chronicle, type Happened, nameOfLife } from '../../src/demo/history.ts';
import { actsDue } from '../../src/demo/person.ts';
import { onFreshBoard } from '../../src/demo/stories.ts';
import { issueSummary } from '../../src/demo/summary.ts';
import { told } from '../../src/demo/telling.ts';
import type { Mode } from '../../src/domain/mode.ts';

const ISSUE = 'DEMO-1';
const ON_THE_BOARD = { id: ISSUE, title: 'T', status: 'Done', createdAt: 1_000 };

describe('the chronicle of a demo', () => {
  test('names each phase once and counts every life, the ones after a crash and an answer too', () => {
    const { chronicle } = chronicleOf(
      spawn('plan', 1, 'start'),
      spawn('implement', 1, 'start'),
      spawn('implement', 2, 'crash'),
      spawn('test', 1, 'start'),
      spawn('implement', 3, 'retro'),
      spawn('implement', 4, 'crash'),
    );
    const { phases, attempts, lives } = issueSummary(ON_THE_BOARD, chronicle);
    expect({ phases, attempts }).toEqual({ phases: ['plan', 'implement', 'test', 'retro'], attempts: 6 });
    expect(lives.at(-1)).toEqual({ phase: 'retro', attempt: 4, purpose: 'crash' });
    const course = chronicle.of(ISSUE);
    expect(course.lives.map((life) => nameOfLife(life, course))).toEqual([
      'plan',
      'implement',
      'implement #2',
      'test',
      'retro',
      'retro #2',
    ]);
  });

  test('moves an issue only when the write is done, and knows when it was Done', () => {
    const { chronicle, take } = chronicleOf(write(1, { moveTo: 'Icebox' }), settled(1, 'failed'));
    expect(chronicle.of(ISSUE).status).toBe('Triage');
    take(write(2, { moveTo: 'Done' }));
    take(settled(2, 'done'), 5_000);
    expect(issueSummary(ON_THE_BOARD, chronicle)).toMatchObject({
      durationMs: 4_000,
      mergedSha: null,
      merge: null,
    });
  });

  test('keeps how a life ended first, and who let the merge through', () => {
    const about = { issue: ISSUE, mode: 'merge', attempt: 1 } as const;
    const { chronicle } = chronicleOf(
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
    expect(issueSummary(ON_THE_BOARD, chronicle)).toMatchObject({ mergedSha: 'm', merge: 'person' });
    expect(chronicle.of(ISSUE).lives).toMatchObject([{ end: 'done', exited: false }]);
  });
});

describe('the person of a demo', () => {
  test('has something to do exactly while something waits for it', () => {
    const { chronicle, take } = chronicleOf();
    const due = () => actsDue(chronicle, onFreshBoard()).map(({ kind, issue }) => `${kind} ${issue}`);
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

describe('the telling of a demo', () => {
  test('says why a worker is at it again, and what went wrong', () => {
    const about = { issue: ISSUE, mode: 'implement' } as const;
    const { chronicle } = chronicleOf(spawn('implement', 1, 'start'), spawn('implement', 2, 'test_failure'));
    const words = (event: EventBody) => told({ ...event, at: 0 }, chronicle);
    expect(words({ type: 'attempt.spawned', ...about, attempt: 2, pid: 9, startTime: '1' })?.text).toBe(
      'implement #2 is at work again: the tests failed',
    );
    expect(words({ type: 'attempt.exited', ...about, attempt: 1, code: null, signal: 'SIGKILL' })).toEqual({
      issue: ISSUE,
      text: 'implement was ended by SIGKILL',
      mood: 'bad',
    });
    expect(words({ type: 'attempt.exited', ...about, attempt: 2, code: 0, signal: null })).toBeUndefined();
  });
});

function chronicleOf(...events: readonly EventBody[]) {
  const chronicle = new Chronicle();
  const take = (event: EventBody, at = 2_000) => chronicle.take({ ...event, at } satisfies Happened);
  for (const event of events) take(event);
  return { chronicle, take };
}

function spawn(mode: Mode, attempt: number, purpose: Purpose): EventBody {
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
