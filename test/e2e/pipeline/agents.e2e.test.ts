import { expect, test, vi } from 'vitest';
import { recordConsent } from '../../../src/config/consent.ts';
import type { EventOf } from '../../../src/core/model/event.ts';
import { git } from '../../ports/forge/git.ts';
import { AUTO_MERGE_FILES, setUpDaemons, type TestDaemon } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const planned = (daemon: TestDaemon, issue: string) =>
  daemon.untilIssue(
    issue,
    'past its plan',
    ({ status }) => !['Triage', 'Backlog', 'Todo'].includes(status ?? ''),
  );

async function listAttempts(daemon: TestDaemon): Promise<EventOf<'attempt.dispatched'>[]> {
  const events = await daemon.client.events();
  return events.filter((event) => event.type === 'attempt.dispatched');
}

test('starts no worker if the agent’s program is missing, gives the reason, and continues once the program exists', async () => {
  const daemon = await startDaemon({ yaml: 'agents: { default: { agent: claude-code } }\n' });
  const issue = await daemon.add();
  await daemon.untilEvents('it is refused', (events) =>
    events.some((event) => event.type === 'decision.made' && /on the PATH/.test(event.evidence.join())),
  );
  expect(await listAttempts(daemon)).toEqual([]);
  const { troubles } = await daemon.client.get<{ troubles: { code: string }[] }>('/health');
  expect(troubles).toMatchObject([{ code: 'agent.not_ready' }]);
  const why = await daemon.client.get<{ state: object }>(`/issues/${issue}/explain`);
  expect(why.state).toMatchObject({ reason: 'agent_not_ready' });
  daemon.legion.reconfigure('agents: { default: { agent: scripted } }\n');
  await planned(daemon, issue);
});

test('starts no worker if no agent is chosen, and explains how to choose one', async () => {
  const daemon = await startDaemon({ yaml: 'agents: {}\n' });
  const issue = await daemon.add();
  await daemon.untilEvents('it is refused', (events) =>
    events.some((event) => event.type === 'decision.made' && event.reason === 'agent_not_chosen'),
  );
  expect(await listAttempts(daemon)).toEqual([]);
  const { troubles } = await daemon.client.get<{ troubles: object[] }>('/health');
  expect(troubles).toMatchObject([
    { code: 'agent.not_chosen', next: expect.stringContaining('`legion init`') },
  ]);
  daemon.legion.reconfigure('agents: { default: { agent: scripted } }\n');
  await planned(daemon, issue);
  expect(await daemon.client.get('/health')).toMatchObject({ troubles: [], scripted: true });
});

test("starts no real worker without the operator's consent, no matter how the daemon was started, and continues once the operator consents", async () => {
  const daemon = await startDaemon({ isAgreed: false, yaml: 'agents: { default: { agent: codex } }\n' });
  const issue = await daemon.add();
  const decided = (reason: string) =>
    daemon.untilEvents(reason, (events) =>
      events.some((event) => event.type === 'decision.made' && event.reason === reason),
    );
  await decided('consent_required');
  const health = () => daemon.client.get<{ troubles: object[] }>('/health');
  expect((await health()).troubles).toMatchObject([{ code: 'consent.required' }]);
  expect(await listAttempts(daemon)).toEqual([]);
  const budgets = { issueUsd: 10, dayUsd: 50, issueTokens: 10_000_000, dayTokens: 50_000_000 };
  const trust = { agents: ['codex'], isolation: 'none', budgets } as const;
  recordConsent(daemon.legion.state, { ...trust, agents: [...trust.agents] }, { by: 'ada', at: 1 });
  await decided('agent_not_ready');
  expect((await health()).troubles).toMatchObject([{ code: 'agent.not_ready' }]);
  daemon.legion.reconfigure('agents: { default: { agent: codex } }\nbudgets: { day: { usd: 51 } }\n');
  await vi.waitFor(
    async () =>
      expect((await health()).troubles).toContainEqual(expect.objectContaining({ code: 'consent.required' })),
    { timeout: 30_000 },
  );
  expect((await daemon.issue(issue)).labels).not.toContain('worker-active');
});

test('outside a demo repository, stops the work of the scripted agent before the merge, and notifies a person', async () => {
  const daemon = await startDaemon({ isDemo: false, files: AUTO_MERGE_FILES });
  const issue = await daemon.add();
  const main = () => git(daemon.legion.repository, 'rev-parse', 'main');
  const before = await main();
  await daemon.untilEvents('it is not merged', (events) =>
    events.some((event) => event.type === 'decision.made' && event.reason === 'scripted_work'),
  );
  const text = expect.stringContaining('never merged outside a demo repository');
  expect(await daemon.inbox()).toMatchObject([{ kind: 'escalation', issue, text }]);
  expect((await listAttempts(daemon)).map(({ mode }) => mode)).not.toContain('merge');
  expect(await main()).toBe(before);
});

test('uses the fallback agent if the first agent cannot work', async () => {
  const daemon = await startDaemon({
    yaml: 'agents: { default: { agent: codex, fallback: { agent: scripted } } }\n',
  });
  const issue = await daemon.add();
  await planned(daemon, issue);
  expect(new Set((await listAttempts(daemon)).map(({ agent }) => agent))).toEqual(new Set(['scripted']));
});

const HONEST = [{ phase: 'architect', steps: [{ handoff: 'specified' }, { done: 'specified' }] }];
const CHECKPOINT = { stage: 'begun', completed: ['reading'], remaining: ['writing'], lastAction: 'read' };
const POOR = [
  {
    phase: 'architect',
    steps: [{ checkpoint: CHECKPOINT }, { rate_limited: { reset_in: '1h' } }, { exit: 1 }],
  },
];

test("if a worker runs out of quota, another agent continues from its checkpoint, and no other work goes to the first agent's provider", async () => {
  const daemon = await startDaemon({
    files: {
      'poor.json': JSON.stringify({ rules: POOR }),
      'rich.json': JSON.stringify({ rules: HONEST }),
    },
    yaml: `agents:
  default: { agent: scripted, model: poor.json, fallback: { model: rich.json } }
`,
  });
  const issue = await daemon.add();
  await planned(daemon, issue);
  const first = (await listAttempts(daemon)).filter(({ mode }) => mode === 'architect');
  expect(first.map(({ model, version }) => [model, version])).toEqual([
    ['poor.json', 0],
    ['rich.json', 0],
  ]);
  expect(daemon.prompts(issue, 'architect').at(-1)).toContain('Completed: reading');
  const events = await daemon.client.events();
  expect(events.filter((event) => event.type === 'attempt.crashed')).toEqual([]);
  expect(events.filter((event) => event.type === 'attempt.waiting')).toMatchObject([{ for: 'quota' }]);
  const second = await daemon.add({ title: 'Add another greeting' });
  await planned(daemon, second);
  const others = (await listAttempts(daemon)).filter(
    (event) => event.issue === second && event.mode === 'architect',
  );
  expect(others.map(({ model }) => model)).toEqual(['rich.json']);
});
