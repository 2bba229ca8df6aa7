import { expect, test, vi } from 'vitest';
import { recordConsent } from '../../../src/config/consent.ts';
import type { EventOf } from '../../../src/core/model/event.ts';
import { git } from '../../ports/forge/git.ts';
import { type Life, MERGING, stage } from '../support/legion.ts';

const begin = stage();

const planned = (life: Life, issue: string) =>
  life.untilIssue(
    issue,
    'past its plan',
    ({ status }) => !['Triage', 'Backlog', 'Todo'].includes(status ?? ''),
  );

async function lives(life: Life): Promise<EventOf<'attempt.dispatched'>[]> {
  const events = await life.door.events();
  return events.filter((event) => event.type === 'attempt.dispatched');
}

test('without the agent’s program nobody is started, it is said why, and once there is an agent work goes on', async () => {
  const life = await begin({ yaml: 'agents: { default: { agent: claude-code } }\n' });
  const issue = await life.add();
  await life.untilEvents('it is refused', (events) =>
    events.some((event) => event.type === 'decision.made' && /on the PATH/.test(event.evidence.join())),
  );
  expect(await lives(life)).toEqual([]);
  const { troubles } = await life.door.get<{ troubles: { code: string }[] }>('/health');
  expect(troubles).toMatchObject([{ code: 'agent.not_ready' }]);
  const why = await life.door.get<{ state: object }>(`/issues/${issue}/explain`);
  expect(why.state).toMatchObject({ reason: 'agent_not_ready' });
  life.legion.reconfigure('agents: { default: { agent: scripted } }\n');
  await planned(life, issue);
});

test('without a chosen agent nobody is started, and a problem says how to choose one', async () => {
  const life = await begin({ yaml: 'agents: {}\n' });
  const issue = await life.add();
  await life.untilEvents('it is refused', (events) =>
    events.some((event) => event.type === 'decision.made' && event.reason === 'agent_not_chosen'),
  );
  expect(await lives(life)).toEqual([]);
  const { troubles } = await life.door.get<{ troubles: object[] }>('/health');
  expect(troubles).toMatchObject([
    { code: 'agent.not_chosen', next: expect.stringContaining('`legion init`') },
  ]);
  life.legion.reconfigure('agents: { default: { agent: scripted } }\n');
  await planned(life, issue);
  expect(await life.door.get('/health')).toMatchObject({ troubles: [], scripted: true });
});

test('without consent no real worker starts, whoever started the daemon; with it work goes on', async () => {
  const life = await begin({ isAgreed: false, yaml: 'agents: { default: { agent: codex } }\n' });
  const issue = await life.add();
  const decided = (reason: string) =>
    life.untilEvents(reason, (events) =>
      events.some((event) => event.type === 'decision.made' && event.reason === reason),
    );
  await decided('consent_required');
  const health = () => life.door.get<{ troubles: object[] }>('/health');
  expect((await health()).troubles).toMatchObject([{ code: 'consent.required' }]);
  expect(await lives(life)).toEqual([]);
  const budgets = { issueUsd: 10, dayUsd: 50, issueTokens: 10_000_000, dayTokens: 50_000_000 };
  const trust = { agents: ['codex'], isolation: 'none', budgets } as const;
  recordConsent(life.legion.state, { ...trust, agents: [...trust.agents] }, { by: 'ada', at: 1 });
  await decided('agent_not_ready');
  expect((await health()).troubles).toMatchObject([{ code: 'agent.not_ready' }]);
  life.legion.reconfigure('agents: { default: { agent: codex } }\nbudgets: { day: { usd: 51 } }\n');
  await vi.waitFor(
    async () =>
      expect((await health()).troubles).toContainEqual(expect.objectContaining({ code: 'consent.required' })),
    { timeout: 30_000 },
  );
  expect((await life.issue(issue)).labels).not.toContain('worker-active');
});

test('scripted work stops before the merge of a repository that is no demo, and a person is told', async () => {
  const life = await begin({ isDemo: false, files: MERGING });
  const issue = await life.add();
  const main = () => git(life.legion.repository, 'rev-parse', 'main');
  const before = await main();
  await life.untilEvents('it is not merged', (events) =>
    events.some((event) => event.type === 'decision.made' && event.reason === 'scripted_work'),
  );
  const text = expect.stringContaining('never merged outside a demo repository');
  expect(await life.inbox()).toMatchObject([{ kind: 'escalation', issue, text }]);
  expect((await lives(life)).map(({ mode }) => mode)).not.toContain('merge');
  expect(await main()).toBe(before);
});

test('where the first choice cannot work its fallback does', async () => {
  const life = await begin({
    yaml: 'agents: { default: { agent: codex, fallback: { agent: scripted } } }\n',
  });
  const issue = await life.add();
  await planned(life, issue);
  expect(new Set((await lives(life)).map(({ agent }) => agent))).toEqual(new Set(['scripted']));
});

const HONEST = [{ phase: 'architect', steps: [{ handoff: 'specified' }, { done: 'specified' }] }];
const CHECKPOINT = { stage: 'begun', completed: ['reading'], remaining: ['writing'], lastAction: 'read' };
const POOR = [
  {
    phase: 'architect',
    steps: [{ checkpoint: CHECKPOINT }, { rate_limited: { reset_in: '1h' } }, { exit: 1 }],
  },
];

test('a worker without quota goes on elsewhere from its checkpoint, and nobody else asks the same provider meanwhile', async () => {
  const life = await begin({
    files: {
      'poor.json': JSON.stringify({ rules: POOR }),
      'rich.json': JSON.stringify({ rules: HONEST }),
    },
    yaml: `agents:
  default: { agent: scripted, model: poor.json, fallback: { model: rich.json } }
`,
  });
  const issue = await life.add();
  await planned(life, issue);
  const first = (await lives(life)).filter(({ mode }) => mode === 'architect');
  expect(first.map(({ model, version }) => [model, version])).toEqual([
    ['poor.json', 0],
    ['rich.json', 0],
  ]);
  expect(life.prompts(issue, 'architect').at(-1)).toContain('Completed: reading');
  const events = await life.door.events();
  expect(events.filter((event) => event.type === 'attempt.crashed')).toEqual([]);
  expect(events.filter((event) => event.type === 'attempt.waiting')).toMatchObject([{ for: 'quota' }]);
  const second = await life.add({ title: 'Add another greeting' });
  await planned(life, second);
  const others = (await lives(life)).filter((event) => event.issue === second && event.mode === 'architect');
  expect(others.map(({ model }) => model)).toEqual(['rich.json']);
});
