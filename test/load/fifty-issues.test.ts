import { expect, test } from 'vitest';
import type { IssueView } from '../../src/protocol/board.ts';
import type { HealthView } from '../../src/protocol/status.ts';
import { countMaxConcurrent, findDoubleDispatches } from '../e2e/support/attempts.ts';
import { AUTO_MERGE_FILES, setUpDaemons } from '../e2e/support/legion.ts';
import { git } from '../ports/forge/git.ts';
import { until } from '../support/running-daemon.ts';

const begin = setUpDaemons();

const ISSUES = 50;
const PLACES = 10;
/**
 * The test takes a minute and a half on a quiet machine with two cores, and many times that on a
 * busy one.
 */
const ALL_OVER_MS = 900_000;

test(
  'fifty issues at once in one repository all finish or wait for a person, without duplicate workers or races',
  async () => {
    const daemon = await begin({
      yaml: `limits: { workers: ${PLACES} }\n`,
      files: AUTO_MERGE_FILES,
      scenario: [
        { issue: 'DEMO-7', phase: 'plan', attempt: 1, steps: [{ crash: 'SIGKILL' }] },
        { issue: 'DEMO-21', phase: 'implement', attempt: 1, steps: [{ crash: 1 }] },
        { issue: 'DEMO-30', phase: 'plan', steps: [{ ask: 'Which one?' }] },
        { issue: 'DEMO-40', phase: 'review', steps: [{ ask: 'May I?' }] },
      ],
    });
    const { client, legion } = daemon;
    const added = await Promise.all(
      Array.from({ length: ISSUES }, (_, index) =>
        daemon.add({ status: 'Todo', title: `Change ${index + 1}` }),
      ),
    );
    const board = await until(
      () => client.get<IssueView[]>('/issues'),
      (issues) =>
        issues.every(({ status, labels }) => status === 'Done' || labels.includes('user-input-needed')),
      ALL_OVER_MS,
    );
    const waiting = board.filter(({ status }) => status !== 'Done').map(({ id }) => id);
    expect(waiting.sort()).toEqual(['DEMO-30', 'DEMO-40']);
    const inbox = await daemon.inbox();
    expect(inbox.map(({ kind, issue }) => [kind, issue]).sort()).toEqual([
      ['question', 'DEMO-30'],
      ['question', 'DEMO-40'],
    ]);

    const events = await client.events();
    expect(findDoubleDispatches(events)).toEqual([]);
    expect(countMaxConcurrent(events, (mode) => mode !== 'review')).toBeLessThanOrEqual(PLACES);
    const crashed = events.flatMap((event) => (event.type === 'attempt.crashed' ? [event.issue] : []));
    expect(crashed.sort()).toEqual(['DEMO-21', 'DEMO-7']);
    const failed = events.filter((event) => event.type === 'intent.settled' && event.outcome === 'failed');
    expect(failed).toEqual([]);
    expect((await client.get<HealthView>('/health')).troubles).toEqual([]);

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
