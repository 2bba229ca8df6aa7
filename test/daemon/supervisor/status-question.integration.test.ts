/** Asks an idle worker what it is doing, with a real process and a real journal. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { judgeHealth } from '../../../src/core/health/judge.ts';
import type { DaemonContext } from '../../../src/daemon/context/daemon-context.ts';
import { requireWorker } from '../../../src/daemon/services/workers/known-worker.ts';
import { applyVerdict } from '../../../src/daemon/supervisor/apply-verdict.ts';
import { type AttemptMemory, collectHealthEvidence } from '../../../src/daemon/supervisor/evidence.ts';
import { EMPTY_TRACE } from '../../../src/daemon/supervisor/trace.ts';
import { dispatchRequest } from '../../../src/protocol/workers.ts';
import { type DeskLegion, deskLegion } from '../services/legion.ts';
import { SOON } from '../services/repeater.ts';

let legion: DeskLegion;
let id: string;
beforeAll(async () => {
  legion = await deskLegion();
  legion.settings = { slots: { workers: 100, perMode: {} } };
  const issue = await legion.issue('Todo');
  await legion.desks.workers.dispatch(dispatchRequest.parse({ issue, mode: 'plan', force: true }));
  id = `${issue}-plan`.toLowerCase();
  await vi.waitFor(() => expect(legion.desks.workers.get(id).pid).toBeDefined(), SOON);
});
afterAll(() => legion.close());

/** Judges the worker as if its turn had ended long ago, and acts on the verdict. */
async function judgeIdle(context: DaemonContext): Promise<AttemptMemory> {
  const now = context.clock.now();
  const phase = 'plan';
  const memory: AttemptMemory = {
    suspicion: { flagged: true, since: now, phase, cpuMs: 0, probe: { state: 'not_sent' } },
    questionsAsked: 0,
    personToldAt: 'never',
  };
  const worker = requireWorker(context.ledger.state, id);
  const trace = { ...EMPTY_TRACE, agent: { kind: 'turn_ended', at: now - 3_600_000 } } as const;
  const window = { watchingSince: 0, clockSetAt: 0 };
  const seen = await collectHealthEvidence(context, worker, trace, memory, window);
  const still = {
    state: 'executing',
    stateSince: 1,
    spawnedAt: 1,
    cpu: { usedMs: 0 },
    children: { count: 0, newestAt: 'none' },
  } as const;
  const evidence = { ...seen, ...still, phase, sessionFile: { at: 1 }, checkpoint: 'none' } as const;
  const judgement = judgeHealth(evidence, now, {});
  expect(judgement, judgement.why).toMatchObject({ next: 'probe_ask', state: 'idle' });
  const found = { worker, evidence, judgement, memory, isSessionLost: false, lastError: undefined };
  return applyVerdict(context, found, () => undefined);
}

function questions(): readonly string[] {
  const folder = join(legion.world.folders.state, 'host');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('status-question-'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

test('an agent that reads no messages is not asked, and its probe counts as failed', async () => {
  expect(await judgeIdle(legion.world)).toMatchObject({
    questionsAsked: 0,
    suspicion: { probe: { state: 'failed', how: 'ask' } },
  });
  expect(questions()).toEqual([]);
});

test('an idle agent that reads messages gets a status question as its next turn', async () => {
  const { agentOf } = legion.world;
  const listening: DaemonContext = {
    ...legion.world,
    agentOf: (worker) => {
      const chosen = agentOf(worker);
      return { ...chosen, agent: { ...chosen.agent, receivesMessages: true } };
    },
  };
  expect(await judgeIdle(listening)).toMatchObject({
    questionsAsked: 1,
    suspicion: { probe: { state: 'sent', how: 'ask' } },
  });
  expect(questions().map((text) => JSON.parse(text))).toMatchObject([
    { interrupt: false, text: expect.stringContaining('Are you still working?') },
  ]);
});
