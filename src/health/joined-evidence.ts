/** Whether independent sources, all of them readable, agree that an attempt is dead: one alone never ends anything. */
import { anyTimeAhead } from './clock.ts';
import { presenceOf } from './condition.ts';
import type { Look } from './judgement.ts';

export interface Joined {
  /** The sources that speak for it. */
  readonly grounds: readonly string[];
  /** What is missing before anything may follow from them; empty when they suffice. */
  readonly missing: readonly string[];
}

/** Two witnesses are the least that can contradict each other. */
const GROUNDS_NEEDED = 2;

export function joinedEvidence(look: Look): Joined {
  const { evidence } = look;
  const process = presenceOf(evidence.process);
  const missing: string[] = [];
  if (anyTimeAhead(look)) missing.push('the clock to pass every time in the evidence');
  if (process === 'unavailable') missing.push('a look at its process');
  if (evidence.report === 'unavailable') missing.push('a look for its report');
  if (evidence.workspace === 'unavailable') missing.push('a look at its workspace');

  const grounds = process === 'yes' ? stillness(look, missing) : absence(look);
  if (grounds.length < GROUNDS_NEEDED) missing.push('a second independent source');
  return { grounds, missing };
}

/** Of a process that is gone, only what it left behind can speak. */
function absence({ evidence }: Look): string[] {
  const grounds: string[] = [];
  if (presenceOf(evidence.process) === 'no') grounds.push('process');
  if (evidence.report === 'none') grounds.push('report');
  if (evidence.workspace === 'no') grounds.push('workspace');
  return grounds;
}

/** A living process may only be ended when its CPU is known to stand still, and something besides it does too. */
function stillness({ evidence, limits }: Look, missing: string[]): string[] {
  const { suspicion, cpu, sessionFile, output, workspace } = evidence;
  if (workspace === 'no') return ['workspace', 'process'];
  if (!suspicion.flagged) return [];
  const grounds: string[] = [];
  const used =
    cpu === 'unavailable' || suspicion.cpuMs === 'unavailable' ? Number.NaN : cpu.usedMs - suspicion.cpuMs;
  if (used >= 0 && used < limits.cpuSign) grounds.push('cpu');
  else missing.push('its CPU time since the flag');

  const { since } = suspicion;
  if (sessionFile === 'missing' || (typeof sessionFile === 'object' && sessionFile.at <= since))
    grounds.push('session_file');
  if (output === 'empty') grounds.push('output');
  return grounds;
}
