import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

/** Only the plan phase runs, because later phases have no slot. */
const PLANNING = `limits: { respawns: 1, per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, breaker_crashes: 100 }
`;

const CRASHES = [{ crash: 1 }];

/**
 * Eleven lines of plain text, and one line with colours, cursor movement and a secret that must not
 * leak.
 */
const LAST_WORDS = [
  ...Array.from({ length: 11 }, (_, index) => `step ${index + 1}`),
  `the key is \u001b[31msk-${'ant'}-${'a1B2'.repeat(6)}\u001b[0m\u001b[2K\u0007`,
].join('\n');

test('restarts a crashed worker with its checkpoint, and asks a person once when the crash limit is exceeded', async () => {
  const daemon = await startDaemon({
    yaml: PLANNING,
    scenario: [
      {
        issue: 'DEMO-1',
        attempt: 1,
        steps: [
          {
            checkpoint: {
              stage: 'half way',
              completed: ['the model'],
              remaining: ['the view'],
              lastAction: 'wrote it',
            },
          },
          { crash: 'SIGKILL' },
        ],
      },
      { issue: 'DEMO-2', attempt: 1, steps: CRASHES },
      { issue: 'DEMO-2', attempt: 2, steps: [{ say: LAST_WORDS }, ...CRASHES] },
      { issue: 'DEMO-3', attempt: 1, steps: CRASHES },
      { issue: 'DEMO-3', attempt: 2, steps: [{ exit: 0 }] },
    ],
  });
  const { client } = daemon;
  const [lucky, resumed, byHand] = [
    await daemon.add({ status: 'Todo' }),
    await daemon.add({ status: 'Todo' }),
    await daemon.add({ status: 'Todo' }),
  ];

  await daemon.untilStatus(lucky, 'In Progress');
  const [first, second, ...more] = daemon.prompts(lucky, 'plan');
  expect(more).toEqual([]);
  expect(first).not.toContain('checkpoint');
  expect(second).toContain('An earlier attempt at this phase ended before the phase was done.');
  expect(second).toContain('Completed: the model');
  expect(second).toContain('Remaining: the view');
  expect(second).toContain('Last action: wrote it');

  for (const [id, code] of [
    [resumed, '1'],
    [byHand, '0 and without a report'],
  ] as const) {
    const { labels } = await daemon.untilLabel(id, 'legion-paused');
    expect(labels).toEqual(['chore', 'legion-paused']);
    const { comments, workers } = await daemon.untilComments(id, 1);
    expect(workers.map(({ mode, attempt, crashes }) => [mode, attempt, crashes])).toEqual([['plan', 2, 2]]);
    expect(comments.map(({ by, text }) => [by, text.split('\n')[0]])).toEqual([
      ['legion', `Paused after 2 crashes of the plan worker: scripted exited with code ${code}.`],
    ]);
    expect(comments[0]?.text).toContain(`Next: \`legion resume ${id}\``);
  }
  const shown = [
    ...Array.from({ length: 9 }, (_, index) => `step ${index + 3}`),
    'the key is [redacted]',
  ].join('\n');
  const explained = await client.get<IssueExplanation>(`/issues/${resumed}/explain`);
  expect(explained).toMatchObject({
    state: {
      says: 'Paused after 2 crashes of the plan worker: scripted exited with code 1.',
      until: { by: 'person', next: `legion resume ${resumed}` },
    },
    lastOutput: { mode: 'plan', attempt: 2, text: shown },
  });
  const { comments: said } = await daemon.detail(resumed);
  expect(said[0]?.text).toContain(`Last output of the plan worker:\n\n\`\`\`text\n${shown}\n\`\`\``);
  const item = (await daemon.inbox()).find(({ issue }) => issue === resumed);
  expect(item?.text).toBe(`${explained.state.says}\n\nLast output of the plan worker:\n${shown}`);
  const inbox = await daemon.inbox();
  expect(inbox.map(({ kind, issue, next }) => [kind, issue, next])).toEqual(
    expect.arrayContaining([
      ['paused', resumed, `legion resume ${resumed}`],
      ['paused', byHand, `legion resume ${byHand}`],
    ]),
  );
  expect(inbox).toHaveLength(2);

  await client.post(`/issues/${resumed}/resume`, { by: 'Ada' });
  await client.post(`/issues/${byHand}/labels`, { remove: ['legion-paused'] });
  for (const id of [resumed, byHand]) {
    // The view lists an owed label until the journal records the write that dropped it.
    const { labels } = await daemon.untilIssue(
      id,
      'in In Progress without worker-done',
      (seen) => seen.status === 'In Progress' && !seen.labels.includes('worker-done'),
    );
    expect(labels).toEqual(['chore']);
    const { workers } = await daemon.detail(id);
    expect(workers.map(({ attempt, status, crashes }) => [attempt, status, crashes])).toEqual([
      [3, 'finished', 0],
    ]);
  }
  expect(await daemon.inbox()).toEqual([]);
  const journal = await client.events();
  expect(journal.filter(({ type }) => type === 'attempt.crashed')).toHaveLength(5);
});

test('after three crashes at once, all starts are blocked; once a person has resumed starts, the workers continue', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { respawns: 3, per_mode: { implement: 0 } }\n',
    scenario: [{ attempt: 1, steps: CRASHES }],
  });
  const issues = [
    await daemon.add({ status: 'Todo' }),
    await daemon.add({ status: 'Todo' }),
    await daemon.add({ status: 'Todo' }),
  ];
  const health = () => daemon.client.get<{ starts: { allowed: boolean } }>('/health');
  await daemon.untilEvents('the breaker is open', (events) =>
    events.some(({ type }) => type === 'breaker.opened'),
  );
  expect((await health()).starts.allowed).toBe(false);
  const items = (await daemon.inbox()).filter(({ issue }) => issue === null);
  expect(items.map(({ kind, title, next }) => [kind, title, next])).toEqual([
    ['paused', 'Worker starts are paused', 'legion resume'],
  ]);
  const before = (await daemon.client.events()).filter(({ type }) => type === 'attempt.dispatched').length;
  await daemon.client.post('/state/advance', { issue: issues[0] });
  const after = (await daemon.client.events()).filter(({ type }) => type === 'attempt.dispatched').length;
  expect(after).toBe(before);

  await daemon.client.post('/resume', { by: 'Ada' });
  for (const id of issues) await daemon.untilStatus(id, 'In Progress');
  expect((await health()).starts.allowed).toBe(true);
});
