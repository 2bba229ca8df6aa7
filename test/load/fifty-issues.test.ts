import { expect, test } from 'vitest';
import type { IssueView } from '../../src/protocol/board.ts';
import type { HealthView } from '../../src/protocol/operator.ts';
import { doubleDispatches, mostAtOnce } from '../e2e/support/attempts.ts';
import { MERGING, stage } from '../e2e/support/legion.ts';
import { git } from '../ports/forge/git.ts';
import { until } from '../support/running-daemon.ts';

const begin = stage();

const ISSUES = 50;
const PLACES = 10;
/** A minute and a half on a quiet machine with two cores; a busy one takes many times that. */
const ALL_OVER_MS = 900_000;

test(
  'fifty issues at once on one repository are all done, or wait for a person; nobody is sent twice, nothing races',
  async () => {
    const life = await begin({
      yaml: `limits: { workers: ${PLACES} }\n`,
      files: MERGING,
      scenario: [
        { issue: 'DEMO-7', phase: 'plan', attempt: 1, steps: [{ crash: 'SIGKILL' }] },
        { issue: 'DEMO-21', phase: 'implement', attempt: 1, steps: [{ crash: 1 }] },
        { issue: 'DEMO-30', phase: 'plan', steps: [{ ask: 'Which one?' }] },
        { issue: 'DEMO-40', phase: 'review', steps: [{ ask: 'May I?' }] },
      ],
    });
    const { door, legion } = life;
    const added = await Promise.all(
      Array.from({ length: ISSUES }, (_, index) =>
        life.add({ status: 'Todo', title: `Change ${index + 1}` }),
      ),
    );
    const board = await until(
      () => door.get<IssueView[]>('/issues'),
      (issues) =>
        issues.every(({ status, labels }) => status === 'Done' || labels.includes('user-input-needed')),
      ALL_OVER_MS,
    );
    const waiting = board.filter(({ status }) => status !== 'Done').map(({ id }) => id);
    expect(waiting.sort()).toEqual(['DEMO-30', 'DEMO-40']);
    const inbox = await life.inbox();
    expect(inbox.map(({ kind, issue }) => [kind, issue]).sort()).toEqual([
      ['question', 'DEMO-30'],
      ['question', 'DEMO-40'],
    ]);

    const events = await door.events();
    expect(doubleDispatches(events)).toEqual([]);
    expect(mostAtOnce(events, (mode) => mode !== 'review')).toBeLessThanOrEqual(PLACES);
    const crashed = events.flatMap((event) => (event.type === 'attempt.crashed' ? [event.issue] : []));
    expect(crashed.sort()).toEqual(['DEMO-21', 'DEMO-7']);
    const failed = events.filter((event) => event.type === 'intent.settled' && event.outcome === 'failed');
    expect(failed).toEqual([]);
    expect((await door.get<HealthView>('/health')).troubles).toEqual([]);

    const done = added.filter((id) => !waiting.includes(id));
    const landed = events.flatMap((event) => (event.type === 'merge.landed' ? [event.issue] : []));
    expect(landed.sort()).toEqual(done.sort());
    const commits = (await git(legion.repository, 'log', '--format=%s', 'main')).split('\n');
    expect(commits).toHaveLength(done.length + 1);
    const notes = await git(legion.repository, 'ls-tree', '-r', '--name-only', 'main', 'docs/changes');
    expect(notes.split('\n')).toHaveLength(done.length);
  },
  ALL_OVER_MS,
);
