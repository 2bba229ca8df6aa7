/** Exports the figures of a legion in the Prometheus format. */

import { sumSpending } from '../../core/health/budget.ts';
import type { Event } from '../../core/model/event.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import type { Mode } from '../../core/model/mode.ts';
import { computeWorkerSpending } from '../../core/state/spending.ts';
import type { WorkerRecord } from '../../core/state/state.ts';
import type { InboxItem } from '../../protocol/operator.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import type { Ledger } from '../context/ledger.ts';

/**
 * Histogram buckets in seconds. A phase takes anywhere from moments (with scripted agents) to
 * hours.
 */
const PHASE_BUCKETS = [1, 10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400];

/** Starts counting at once, but loads the metrics library only on the first scrape. */
export function openMetrics(
  context: StateContext & PortContext,
  inbox: () => Promise<readonly InboxItem[]>,
): () => Promise<string> {
  const tally = startTally(context.ledger);
  let exporting: Promise<() => Promise<string>> | undefined;
  return async () => {
    exporting ??= openExporter(listGauges(context, inbox), tally);
    const scrape = await exporting;
    return scrape();
  };
}

/**
 * Uses its own registry and omits the library's default collectors. One of them keeps a timer that
 * fires every 10 ms, which would cause most of the activity of an idle daemon.
 */
async function openExporter(gauges: readonly GaugeSpec[], tally: EventTally): Promise<() => Promise<string>> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  for (const { name, help, labels, values } of gauges) {
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [], collect });
    registry.registerMetric(gauge);
    async function collect() {
      const now = await values();
      gauge.reset();
      for (const { labels: of, value } of now) gauge.set(of, value);
    }
  }
  const events = new Counter({
    name: 'legion_events_total',
    help: 'Events written to the journal since the daemon started, by type.',
    labelNames: ['type'],
    registers,
    collect() {
      events.reset();
      for (const [type, count] of tally.events) events.inc({ type }, count);
    },
  });
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time the daemon has used.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1_000_000);
    },
  });
  const phases = new Histogram({
    name: 'legion_phase_seconds',
    help: 'Time from the dispatch of a worker to the acceptance of its report.',
    labelNames: ['mode'],
    buckets: PHASE_BUCKETS,
    registers,
    collect() {
      for (const { mode, seconds } of tally.takePhases()) phases.observe({ mode }, seconds);
    },
  });
  return () => registry.metrics();
}

interface FinishedPhase {
  readonly mode: Mode;
  readonly seconds: number;
}

interface EventTally {
  readonly events: ReadonlyMap<Event['type'], number>;
  /** Phases that finished since the last call. */
  takePhases(): readonly FinishedPhase[];
}

/**
 * Maximum number of finished phases that are kept if metrics are never scraped. It covers a few
 * days of a busy legion and takes less than a megabyte.
 */
const MAX_KEPT_PHASES = 10_000;

/**
 * Counts journal events since the daemon started, for later scrapes. The listener does nothing but
 * count, because it runs inside an append.
 */
function startTally(ledger: Ledger): EventTally {
  const events = new Map<Event['type'], number>();
  let phases: FinishedPhase[] = [];
  ledger.subscribe((appended) => {
    for (const event of appended) {
      events.set(event.type, (events.get(event.type) ?? 0) + 1);
      if (event.type !== 'attempt.report_accepted' || phases.length >= MAX_KEPT_PHASES) continue;
      const facts = ledger.state.workers.get(toWorkerId(event.issue, event.mode))?.facts;
      // An accepted error report ends the attempt, but does not finish a phase.
      if (facts?.acceptedAt !== event.at) continue;
      phases.push({ mode: event.mode, seconds: Math.max(0, event.at - facts.dispatchedAt) / 1_000 });
    }
  });
  return {
    events,
    takePhases() {
      const taken = phases;
      phases = [];
      return taken;
    },
  };
}

interface GaugeSpec {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: () => GaugeValues | Promise<GaugeValues>;
}

type GaugeValues = readonly { readonly labels: Record<string, string>; readonly value: number }[];

/**
 * Lists the gauges of a legion. Each has a name, a description, and a current value for each set of
 * labels.
 */
function listGauges(
  context: StateContext & PortContext,
  inbox: () => Promise<readonly InboxItem[]>,
): readonly GaugeSpec[] {
  const { ledger, boardView, settings, problems } = context;
  const listWorkers = () => [...ledger.state.workers.values()];
  return [
    {
      name: 'legion_workers',
      help: 'Workers by mode and by the state of their current attempt.',
      labels: ['mode', 'state'],
      values: () =>
        countByLabels(listWorkers(), ({ mode, facts }) => ({ mode, state: toLifecycleState(facts) })),
    },
    {
      name: 'legion_failed_lives',
      help: 'Crashes and errors that count against the respawn limit.',
      labels: ['mode'],
      values: () =>
        countByLabels(
          listWorkers().flatMap(({ mode, failedLives }) => failedLives.map(() => mode)),
          (mode) => ({ mode }),
        ),
    },
    {
      name: 'legion_issues',
      help: 'Issues on the board as last seen, by status.',
      labels: ['status'],
      values: () => countByLabels(boardView.all, ({ status }) => ({ status })),
    },
    {
      name: 'legion_api_budget',
      help: 'API budget of the board’s service: what remains, and the limit per window.',
      labels: ['service', 'what'],
      values: () => listBudgetValues(context),
    },
    {
      name: 'legion_inbox_items',
      help: 'Inbox items that are waiting for a person, by kind.',
      labels: ['kind'],
      values: async () => countByLabels(await inbox(), ({ kind }) => ({ kind })),
    },
    {
      name: 'legion_kills',
      help: 'Killed workers, by the later verdict on the kill.',
      labels: ['verdict'],
      values: () => {
        const { right, wrong, unjudged } = ledger.state.kills;
        return Object.entries({ right, wrong, unjudged: unjudged.length }).map(([verdict, value]) => ({
          labels: { verdict },
          value,
        }));
      },
    },
    {
      name: 'legion_kill_rate',
      help: 'Shares of judged kills that were right and wrong. Absent until one is judged.',
      labels: ['verdict'],
      values: () => {
        const { right, wrong } = ledger.state.kills;
        if (right + wrong === 0) return [];
        return Object.entries({ right, wrong }).map(([verdict, count]) => ({
          labels: { verdict },
          value: count / (right + wrong),
        }));
      },
    },
    {
      name: 'legion_spent',
      help: 'Usage of workers: seconds of work, turns, tokens, dollars.',
      labels: ['mode', 'measure'],
      values: () => sumSpendingByMode(listWorkers(), context.clock.now()),
    },
    createSingleGauge(
      'legion_places',
      'Workers that may run at once, not counting reviewers.',
      () => settings().slots.workers,
    ),
    createSingleGauge(
      'legion_open_intents',
      'Effects that were started and have no recorded outcome.',
      () => ledger.state.intents.size,
    ),
    createSingleGauge('legion_starts_paused', '1 while worker starts are paused.', () =>
      ledger.state.breaker.open ? 1 : 0,
    ),
    createSingleGauge('legion_journal_version', 'Sequence number of the last event.', () => ledger.version),
    createSingleGauge(
      'legion_troubles',
      'Active problems that do not stop the daemon.',
      () => problems.list().length,
    ),
    createSingleGauge('process_resident_memory_bytes', 'Resident memory of the daemon.', () =>
      process.memoryUsage.rss(),
    ),
  ];
}

function sumSpendingByMode(listWorkers: readonly WorkerRecord[], now: number): GaugeValues {
  return [...Map.groupBy(listWorkers, ({ mode }) => mode)].flatMap(([mode, all]) => {
    const { wallMs, turns, tokens, usd } = sumSpending(
      ...all.map((worker) => computeWorkerSpending(worker, now)),
    );
    return Object.entries({ seconds: wallMs / 1_000, turns, tokens, usd }).map(([measure, value]) => ({
      labels: { mode, measure },
      value,
    }));
  });
}

function createSingleGauge(name: string, help: string, value: () => number): GaugeSpec {
  return { name, help, labels: [], values: () => [{ labels: {}, value: value() }] };
}

function countByLabels<T>(items: readonly T[], labelsOf: (item: T) => Record<string, string>): GaugeValues {
  const groups = Map.groupBy(items.map(labelsOf), (labels) => JSON.stringify(labels));
  return [...groups.values()].map((group) => ({ labels: group[0] ?? {}, value: group.length }));
}

/** Lists the tracker's remaining API budget. Empty if the tracker has no API budget. */
function listBudgetValues({ tracker }: PortContext): GaugeValues {
  const budget = tracker.budget?.();
  if (budget === undefined) return [];
  const { kind: service } = tracker;
  return [
    { labels: { service, what: 'remaining' }, value: budget.remaining },
    { labels: { service, what: 'limit' }, value: budget.limit },
  ];
}
