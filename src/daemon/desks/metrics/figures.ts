/** The figures of a legion at this moment, as gauges: a name, what it means, and a value for each set of labels. */

import type { WorkerRecord } from '../../../core/state/state.ts';
import { lifecycleOf } from '../../../domain/lifecycle.ts';
import { sumOf } from '../../../health/spending.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import { spentBy } from '../../../swarm/spending.ts';
import type { World } from '../../world.ts';

export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: () => Values | Promise<Values>;
}

type Values = readonly { readonly labels: Record<string, string>; readonly value: number }[];

export function figures(world: World, inbox: () => Promise<readonly InboxItem[]>): readonly Figure[] {
  const { ledger, view, settings, troubles } = world;
  const workers = () => [...ledger.swarm.workers.values()];
  return [
    {
      name: 'legion_workers',
      help: 'Workers by mode and by the state of their present attempt.',
      labels: ['mode', 'state'],
      values: () => counted(workers(), ({ mode, facts }) => ({ mode, state: lifecycleOf(facts) })),
    },
    {
      name: 'legion_failed_lives',
      help: 'Crashes and errors that count against the limit of respawns.',
      labels: ['mode'],
      values: () =>
        counted(
          workers().flatMap(({ mode, failedLives }) => failedLives.map(() => mode)),
          (mode) => ({ mode }),
        ),
    },
    {
      name: 'legion_issues',
      help: 'Issues on the board as last seen, by status.',
      labels: ['status'],
      values: () => counted(view.all, ({ status }) => ({ status })),
    },
    {
      name: 'legion_api_budget',
      help: 'What the board’s service still lets Legion ask, and what it gives in a window.',
      labels: ['service', 'what'],
      values: () => budgetValues(world),
    },
    {
      name: 'legion_inbox_items',
      help: 'What waits for a person, by kind.',
      labels: ['kind'],
      values: async () => counted(await inbox(), ({ kind }) => ({ kind })),
    },
    {
      name: 'legion_kills',
      help: 'Workers that were ended by force, by what turned out later.',
      labels: ['verdict'],
      values: () => {
        const { right, wrong, unjudged } = ledger.swarm.kills;
        return Object.entries({ right, wrong, unjudged: unjudged.length }).map(([verdict, value]) => ({
          labels: { verdict },
          value,
        }));
      },
    },
    {
      name: 'legion_kill_rate',
      help: 'Shares of the judged kills that were right and wrong; absent before the first is judged.',
      labels: ['verdict'],
      values: () => {
        const { right, wrong } = ledger.swarm.kills;
        if (right + wrong === 0) return [];
        return Object.entries({ right, wrong }).map(([verdict, count]) => ({
          labels: { verdict },
          value: count / (right + wrong),
        }));
      },
    },
    {
      name: 'legion_spent',
      help: 'What workers have used up: seconds of work, turns, tokens, dollars.',
      labels: ['mode', 'measure'],
      values: () => spentByMode(workers(), world.clock.now()),
    },
    single(
      'legion_places',
      'Workers that may be at work at once, reviewers not counted.',
      () => settings().places.workers,
    ),
    single(
      'legion_open_intents',
      'Effects begun and not known to have ended.',
      () => ledger.swarm.intents.size,
    ),
    single('legion_starts_paused', '1 while no worker is started.', () =>
      ledger.swarm.breaker.open ? 1 : 0,
    ),
    single('legion_journal_version', 'The sequence number of the last event.', () => ledger.version),
    single('legion_troubles', 'What is wrong and does not stop the daemon.', () => troubles.list().length),
    single('process_resident_memory_bytes', 'Resident memory of the daemon.', () =>
      process.memoryUsage.rss(),
    ),
  ];
}

function spentByMode(workers: readonly WorkerRecord[], now: number): Values {
  return [...Map.groupBy(workers, ({ mode }) => mode)].flatMap(([mode, all]) => {
    const { wallMs, turns, tokens, usd } = sumOf(...all.map((worker) => spentBy(worker, now)));
    return Object.entries({ seconds: wallMs / 1_000, turns, tokens, usd }).map(([measure, value]) => ({
      labels: { mode, measure },
      value,
    }));
  });
}

function single(name: string, help: string, value: () => number): Figure {
  return { name, help, labels: [], values: () => [{ labels: {}, value: value() }] };
}

function counted<T>(items: readonly T[], labelsOf: (item: T) => Record<string, string>): Values {
  const groups = Map.groupBy(items.map(labelsOf), (labels) => JSON.stringify(labels));
  return [...groups.values()].map((group) => ({ labels: group[0] ?? {}, value: group.length }));
}

/** Nothing where nobody counts. */
function budgetValues({ tracker }: World): Values {
  const budget = tracker.budget?.();
  if (budget === undefined) return [];
  const { kind: service } = tracker;
  return [
    { labels: { service, what: 'remaining' }, value: budget.remaining },
    { labels: { service, what: 'limit' }, value: budget.limit },
  ];
}
