/** Data of a legion with many workers and a history, for the fleet page. */
import { LIFECYCLE_STATES } from '../../../src/core/model/lifecycle.ts';
import { MODES, type Mode } from '../../../src/core/model/mode.ts';
import type { LegionFigures } from '../../../src/protocol/dashboard.ts';
import type { WorkerStatusView, WorkerView } from '../../../src/protocol/workers.ts';
import { createBusyDay } from './facts.ts';
import type { Facts } from './fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface FleetFacts {
  workers: WorkerView[];
  figures(back: number): LegionFigures;
}

export function createFleetFacts(
  fleet: FleetFacts = { workers: createBusyWorkers(), figures: createFigures },
): Facts {
  const facts = createBusyDay();
  facts.health = {
    ...facts.health,
    workers: { live: 4, waiting: 2, limit: 10 },
    budget: { limit: 5_000, remaining: 830, resetsAt: Date.now() + 23 * MINUTE },
  };
  facts.answerRoute = (route, query) => answerRoute(fleet, route, query);
  return facts;
}

function answerRoute(fleet: FleetFacts, route: string, query: URLSearchParams): unknown {
  const [, method = '', id = '', part = ''] = /^(\w+) \/workers\/([^/]+)(\/\w+)?$/.exec(route) ?? [];
  const found = fleet.workers.find((each) => each.id === id);
  if (found !== undefined && method === 'GET')
    return createWorkerStatus(found, found.crashes > 0 ? 'suspicious' : 'healthy');
  if (found !== undefined && method === 'DELETE') {
    const isCrashes = part === '/crashes';
    fleet.workers = fleet.workers.map((each) =>
      each.id === id ? { ...each, ...(isCrashes ? { crashes: 0 } : { status: 'stopped' as const }) } : each,
    );
    return { says: isCrashes ? `The crash count of ${id} was reset.` : `${id} has been asked to stop.` };
  }
  if (found !== undefined && method === 'POST') {
    return { delivery: 'queued', message: 7, says: 'It is working and reads this at the end of its turn.' };
  }
  if (route === 'GET /workers') return fleet.workers;
  if (route === 'GET /figures') return fleet.figures(Number(query.get('back')));
  return route === 'POST /pause' || route === 'POST /resume' ? { says: 'Done.' } : undefined;
}

export function createWorker(issue: string, mode: Mode, changes: Partial<WorkerView> = {}): WorkerView {
  return {
    id: `${issue}-${mode}`.toLowerCase(),
    issue,
    mode,
    attempt: 1,
    sessionId: '0d3c6a1e-7f0e-5b34-9a53-6b1f6a2f2c11',
    version: 0,
    host: 'workbench',
    agent: 'claude-code',
    model: 'claude-sonnet-5',
    status: 'executing',
    pid: 31_337,
    startedAt: Date.now() - 12 * MINUTE,
    since: Date.now() - 12 * MINUTE,
    spentUsd: 0.4,
    crashes: 0,
    crashCount: 0,
    workspace: `/srv/legion/workspaces/${issue}`,
    ...changes,
  };
}

export function createWorkerStatus(worker: WorkerView, verdict: string): WorkerStatusView {
  return {
    ...worker,
    health: {
      verdict,
      state: worker.status,
      next: 'leave_alone',
      why:
        verdict === 'healthy'
          ? 'It wrote 8 s ago, and its process is running.'
          : 'It has been silent for 34m.',
      wouldChange: 'Silence of 30m without a tool, or of 2h within one.',
      evidence: ['process=alive', 'lastEvent=8s', 'tool=Bash', 'cpu=0.4s in the last minute'],
    },
    spending: {
      wallMs: 14 * MINUTE,
      turns: 23,
      tokens: 412_000,
      usd: 1.42,
      next: 'go_on',
      why: 'It has used 28 % of its budget.',
      wouldChange: 'Spending more than $5.00.',
      evidence: ['usd=1.42 of 5', 'turns=23 of 200'],
    },
  };
}

function createBusyWorkers(): WorkerView[] {
  const now = Date.now();
  return [
    createWorker('DEMO-21', 'implement', {
      id: 'demo-21-implement',
      attempt: 2,
      startedAt: now - 4 * MINUTE,
    }),
    createWorker('DEMO-27', 'architect', { startedAt: now - 9 * MINUTE, agent: 'opencode', model: 'gpt-6' }),
    createWorker('DEMO-25', 'plan', { status: 'spawned', startedAt: now - 20_000 }),
    createWorker('DEMO-20', 'implement', { status: 'waiting-user', startedAt: now - 60 * MINUTE }),
    createWorker('DEMO-17', 'review', {
      status: 'waiting-quota',
      host: 'attic',
      agent: 'codex',
      model: 'gpt-6',
    }),
    createWorker('DEMO-18', 'test', {
      status: 'paused',
      attempt: 3,
      crashes: 2,
      crashCount: 2,
      startedAt: now - 55 * MINUTE,
    }),
    createWorker('DEMO-19', 'test', { status: 'reporting', host: 'attic' }),
    createWorker('DEMO-15', 'merge', { status: 'crashed', crashes: 1 }),
    ...Array.from({ length: 14 }, (_, index) =>
      createWorker(`DEMO-${index + 1}`, 'merge', { status: 'finished', startedAt: now - (index + 2) * HOUR }),
    ),
  ];
}

export function createManyWorkers(count: number): WorkerView[] {
  return Array.from({ length: count }, (_, index) =>
    createWorker(`BIG-${index + 1}`, MODES[index % MODES.length] ?? 'plan', {
      status: LIFECYCLE_STATES[index % LIFECYCLE_STATES.length] ?? 'finished',
      startedAt: Date.now() - index * MINUTE,
      attempt: 1 + (index % 4),
    }),
  );
}

/** The figures are deterministic, so that screenshots always look the same. */
export function createFigures(back: number): LegionFigures {
  const to = Date.now();
  const from = to - back;
  const parts = back > 2 * DAY ? Math.ceil(back / DAY) : 24;
  const throughput = Array.from({ length: parts }, (_, index) => ({
    from: from + (index * back) / parts,
    done: Math.max(0, Math.round(2 + 2.4 * Math.sin(index / 2.1) + ((index * 7) % 5) - 2)),
    usd: Math.max(0, 3 + 2.6 * Math.sin(index / 3) + ((index * 3) % 4) / 2 - 1),
  }));
  const done = throughput.reduce((sum, each) => sum + each.done, 0);
  const leadTimes = Array.from({ length: done }, (_, index) => ({
    issue: `DEMO-${index + 1}`,
    doneAt: from + ((index + 0.5) / done) * back,
    ms: (18 + ((index * 37) % 50) + ((index * 13) % 17 === 0 ? 95 : 0)) * MINUTE,
  }));
  return {
    from,
    to,
    throughput,
    leadTime: { count: done, medianMs: 43 * MINUTE, p90Ms: 66 * MINUTE },
    leadTimes,
    phases: [
      { status: 'Needs Review', count: 40, medianMs: 9 * MINUTE, p90Ms: 31 * MINUTE },
      { status: 'Todo', count: 44, medianMs: 3 * MINUTE, p90Ms: 12 * MINUTE },
      { status: 'Backlog', count: 20, medianMs: 38 * MINUTE, p90Ms: 2 * HOUR },
      { status: 'In Progress', count: 43, medianMs: 21 * MINUTE, p90Ms: 58 * MINUTE },
      { status: 'Testing', count: 41, medianMs: 6 * MINUTE, p90Ms: 14 * MINUTE },
      { status: 'Retro', count: 40, medianMs: 2 * MINUTE, p90Ms: 5 * MINUTE },
      { status: 'unknown', count: 1, medianMs: 2 * DAY, p90Ms: 2 * DAY },
    ],
    kills: { right: 7, wrong: 1, unjudged: 2 },
    attempts: { total: 260, crashed: 9 },
    spent: {
      usd: throughput.reduce((sum, each) => sum + each.usd, 0),
      tokens: 18_400_000,
      doneUsd: done * 0.5,
    },
  };
}

/** Figures before any work was done. */
export function createEmptyFigures(back: number): LegionFigures {
  const all = createFigures(back);
  return {
    ...all,
    throughput: all.throughput.map(({ from }) => ({ from, done: 0, usd: 0 })),
    leadTime: null,
    leadTimes: [],
    phases: [],
    kills: { right: 0, wrong: 0, unjudged: 0 },
    attempts: { total: 0, crashed: 0 },
    spent: { usd: 0, tokens: 0, doneUsd: 0 },
  };
}
