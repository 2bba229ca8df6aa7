import { expect, test } from 'vitest';
import type { IssueView } from '../../../src/protocol/board.ts';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const CHILDREN = [
  { title: 'The model', body: 'A model of the greeting; it must refuse an empty name.' },
  { title: 'The view', body: 'A view of the model; it must show the greeting.', after: [0] },
];

test('a split issue waits while its sub-issues run in order, and is Done once they all are', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { plan: 0 } }\n',
    scenario: [
      {
        issue: 'DEMO-1',
        steps: [
          { split: { children: CHILDREN } },
          { split: { children: CHILDREN } },
          { done: 'split in two' },
        ],
      },
    ],
  });
  const { client } = daemon;
  const parent = await daemon.add({ status: 'Backlog' });
  const children = async () =>
    (await client.get<IssueView[]>('/issues')).filter((issue) => issue.parent === parent);
  await daemon.untilEvents('the first part is specified', (events) =>
    events.some((event) => event.type === 'attempt.report_accepted' && event.issue !== parent),
  );
  const [model, view, ...more] = await children();
  expect(more).toEqual([]);
  expect([model?.title, view?.title]).toEqual(['The model', 'The view']);
  expect([model?.blockedBy, view?.blockedBy]).toEqual([[], [model?.id]]);
  const [first, second] = [model?.id ?? '', view?.id ?? ''];

  await daemon.untilStatus(first, 'Todo');
  const waits = await client.get<IssueExplanation>(`/issues/${second}/explain`);
  expect([waits.state.suggestedAction, waits.state.reason]).toEqual(['skip', 'blocked']);
  expect((await client.get<IssueExplanation>(`/issues/${parent}/explain`)).state.reason).toBe('split_waits');

  await client.post(`/issues/${first}/move`, { status: 'Done' });
  await daemon.untilStatus(second, 'Todo');
  expect((await daemon.issue(parent)).status).toBe('Backlog');
  await client.post(`/issues/${second}/move`, { status: 'Done' });
  const done = await daemon.untilStatus(parent, 'Done');
  expect(done.labels).toEqual(['chore']);

  const dispatched = (await client.events()).flatMap((event) =>
    event.type === 'attempt.dispatched' ? [`${event.issue} ${event.mode} ${event.attempt}`] : [],
  );
  expect(dispatched).toEqual([`${parent} architect 1`, `${first} architect 1`, `${second} architect 1`]);
  expect(await children()).toHaveLength(2);
});
