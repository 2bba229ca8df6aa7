/** Durations and evidence in words a person reads. */
import type { Exit, HealthEvidence } from './evidence.ts';

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** `5 min`, `1.5 h`; what is not a duration is said to be none. */
export function inWords(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time';
  for (const [size, unit] of UNITS) {
    if (ms >= size) return `${Math.round((ms / size) * 10) / 10} ${unit}`;
  }
  return `${Math.max(0, Math.round(ms))} ms`;
}

/** The evidence as `name=value`, ages in place of times so that a reader need not subtract. */
export function described(evidence: HealthEvidence, now: number): string[] {
  const age = (at: number) => `${inWords(now - at)} ago`;
  const { process, agent, tool, cpu, children, sessionFile, report, checkpoint, rateLimit } = evidence;
  return [
    `state=${evidence.state} since ${age(evidence.stateSince)}`,
    `dispatched=${age(evidence.spawnedAt)}`,
    `process=${processInWords(process, age)}`,
    `agent=${agent === 'unavailable' || agent.kind === 'none' ? wordOf(agent) : `${agent.kind} ${age(agent.at)}`}`,
    `tool=${typeof tool === 'object' ? `in flight since ${age(tool.since)}` : tool}`,
    `cpu=${cpu === 'unavailable' ? cpu : cpuInWords(cpu.usedMs, evidence)}`,
    `children=${children === 'unavailable' ? children : children.count}`,
    `session_file=${typeof sessionFile === 'object' ? age(sessionFile.at) : sessionFile}`,
    `report=${typeof report === 'object' ? `${report.where} ${age(report.since)}` : report}`,
    `checkpoint=${typeof checkpoint === 'object' ? age(checkpoint.at) : checkpoint}`,
    `rate_limit=${typeof rateLimit === 'object' ? `seen ${age(rateLimit.seenAt)}` : rateLimit}`,
    `output=${evidence.output}`,
    `workspace=${evidence.workspace}`,
    `flag=${flagInWords(evidence, age)}`,
  ];
}

/** A clause after "its process": only what looks like a signal is repeated. */
export function exitInWords(exit: Exit | 'unknown'): string {
  if (exit === 'unknown') return 'ended';
  if (exit.signal !== null)
    return `was ended by ${/^SIG[A-Z0-9]+$/.test(exit.signal) ? exit.signal : 'a signal'}`;
  return exit.code === null ? 'ended' : `exited with ${exit.code}`;
}

type Age = (at: number) => string;

function wordOf(agent: 'unavailable' | { readonly kind: string }): string {
  return agent === 'unavailable' ? agent : agent.kind;
}

function processInWords(process: HealthEvidence['process'], age: Age): string {
  if (process === 'unavailable') return process;
  if (process.state === 'never_seen') return 'never seen';
  if (process.state === 'alive') return `alive, identity ${process.identity}`;
  return `gone ${age(process.since)}, ${exitInWords(process.exit)}`;
}

function cpuInWords(usedMs: number, { suspicion }: HealthEvidence): string {
  if (!suspicion.flagged || suspicion.cpuMs === 'unavailable') return inWords(usedMs);
  return `${inWords(usedMs)}, ${inWords(usedMs - suspicion.cpuMs)} since the flag`;
}

function flagInWords({ suspicion }: HealthEvidence, age: Age): string {
  if (!suspicion.flagged)
    return suspicion.clearedAt === undefined ? 'none' : `cleared ${age(suspicion.clearedAt)}`;
  const { probe } = suspicion;
  if (probe.state === 'not_sent') return `raised ${age(suspicion.since)}, not probed`;
  return `raised ${age(suspicion.since)}, probe ${probe.state} ${age(probe.at)}`;
}
