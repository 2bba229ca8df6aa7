import { expect, test } from 'vitest';
import type { IssueView } from '../../../src/protocol/board.ts';
import type { Explanation } from '../../../src/protocol/operator.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

const CHILDREN = [
  { title: 'The model', body: 'A model of the greeting; it must refuse an empty name.' },
  { title: 'The view', body: 'A view of the model; it must show the greeting.', after: [0] },
];

test('a split issue waits for its parts, which follow their order, and is Done when they are', async () => {
  const life = await begin({
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
  const { door } = life;
  const parent = await life.add({ status: 'Backlog' });
  const children = async () =>
    (await door.get<IssueView[]>('/issues')).filter((issue) => issue.parent === parent);
  await life.untilEvents('the first part is specified', (events) =>
    events.some((event) => event.type === 'attempt.report_accepted' && event.issue !== parent),
  );
  const [model, view, ...more] = await children();
  expect(more).toEqual([]);
  expect([model?.title, view?.title]).toEqual(['The model', 'The view']);
  expect([model?.blockedBy, view?.blockedBy]).toEqual([[], [model?.id]]);
  const [first, second] = [model?.id ?? '', view?.id ?? ''];

  await life.untilStatus(first, 'Todo');
  const waits = await door.get<Explanation>(`/issues/${second}/explain`);
  expect([waits.state.suggestedAction, waits.state.reason]).toEqual(['skip', 'blocked']);
  expect((await door.get<Explanation>(`/issues/${parent}/explain`)).state.reason).toBe('split_waits');

  await door.post(`/issues/${first}/move`, { status: 'Done' });
  await life.untilStatus(second, 'Todo');
  expect((await life.issue(parent)).status).toBe('Backlog');
  await door.post(`/issues/${second}/move`, { status: 'Done' });
  const done = await life.untilStatus(parent, 'Done');
  expect(done.labels).toEqual(['chore']);

  const dispatched = (await door.events()).flatMap((event) =>
    event.type === 'attempt.dispatched' ? [`${event.issue} ${event.mode} ${event.attempt}`] : [],
  );
  expect(dispatched).toEqual([`${parent} architect 1`, `${first} architect 1`, `${second} architect 1`]);
  expect(await children()).toHaveLength(2);
});
