/** The figures of a legion in the form Prometheus reads. */
import type { InboxItem } from '../../../protocol/operator.ts';
import type { World } from '../../world.ts';
import { type Figure, figures } from './figures.ts';
import { startTally, type Tally } from './tally.ts';

/** Seconds: a phase takes from moments, with scripted agents, to hours. */
const PHASE_BUCKETS = [1, 10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400];

/** Counting begins now; the library comes into memory with the first who asks. */
export function openMetrics(world: World, inbox: () => Promise<readonly InboxItem[]>): () => Promise<string> {
  const tally = startTally(world.ledger);
  let exporting: Promise<() => Promise<string>> | undefined;
  return async () => {
    exporting ??= openExporter(figures(world, inbox), tally);
    const scrape = await exporting;
    return scrape();
  };
}

/**
 * With a registry of its own. The library's default collectors are left out: one of them keeps a timer that fires every
 * 10 ms, which would be most of what an idle daemon does.
 */
async function openExporter(gauges: readonly Figure[], tally: Tally): Promise<() => Promise<string>> {
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
    help: 'From the dispatch of a worker to the acceptance of its report.',
    labelNames: ['mode'],
    buckets: PHASE_BUCKETS,
    registers,
    collect() {
      for (const { mode, seconds } of tally.takePhases()) phases.observe({ mode }, seconds);
    },
  });
  return () => registry.metrics();
}
