/** What is remembered of a suspicion after each step: the facts the next look is compared with. */
import type { HealthEvidence, Suspicion } from './evidence.ts';

type Flagged = Extract<Suspicion, { flagged: true }>;

/** After `flag`. */
export function raiseFlag({ phase, cpu }: HealthEvidence, now: number): Suspicion {
  return { flagged: true, since: now, phase, cpuMs: usedMs(cpu), probe: { state: 'not_sent' } };
}

/** After `probe_ask` or `examine`, when the probe ran. */
export function probeSent(
  flag: Flagged,
  { cpu }: HealthEvidence,
  how: 'ask' | 'examine',
  now: number,
): Suspicion {
  // Taken down now if it could not be read when the flag was raised; otherwise the older one says more.
  const cpuMs = flag.cpuMs === 'unavailable' ? usedMs(cpu) : flag.cpuMs;
  return { ...flag, cpuMs, probe: { state: 'sent', at: now, how } };
}

/** After a probe that could not run. */
export function probeFailed(flag: Flagged, how: 'ask' | 'examine', now: number): Suspicion {
  return { ...flag, probe: { state: 'failed', at: now, how } };
}

/** When the worker answers the question. */
export function probeAnswered(flag: Flagged, now: number): Suspicion {
  return { ...flag, probe: { state: 'answered', at: now } };
}

/** After `clear`. */
export function clearFlag(now: number): Suspicion {
  return { flagged: false, clearedAt: now };
}

function usedMs(cpu: HealthEvidence['cpu']): Flagged['cpuMs'] {
  return cpu === 'unavailable' ? cpu : cpu.usedMs;
}
