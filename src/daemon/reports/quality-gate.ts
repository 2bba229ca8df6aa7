/** Whether the quality gate lets the report of an implementer pass. */

import type { WorkerRecord } from '../../core/state/state.ts';
import type { Evidence } from '../../domain/evidence.ts';
import type { World } from '../world.ts';
import type { Found } from './find-proof.ts';
import { short } from './work-handed-in.ts';

/**
 * - `open`  there is no gate, it passed, or the pipeline decides about its result.
 * - `red`   the report is refused; the worker can still fix it.
 * - `due`   nothing is known at this commit.
 */
export type GateStanding =
  | { readonly gate: 'open' }
  | { readonly gate: 'red'; readonly missing: string }
  | { readonly gate: 'due'; readonly sha: string };

/** Retro leaves it alone: it changes only pages, and the gate stands between In Progress and Testing. */
export function gateStanding(
  world: World,
  worker: WorkerRecord,
  { phase, pullRequest }: Found,
): GateStanding {
  const { issue } = worker;
  if (phase !== 'implement' || world.policyOf(issue).qualityGate === 'none') return { gate: 'open' };
  if (typeof pullRequest !== 'object' || pullRequest.state !== 'open') return { gate: 'open' };
  const evidence = world.ledger.swarm.issues.get(issue)?.evidence.quality_gate;
  const sha = pullRequest.headSha;
  if (evidence?.sha !== sha) return { gate: 'due', sha };
  if (evidence.verdict !== 'failed' || !canHear(worker)) return { gate: 'open' };
  return { gate: 'red', missing: redGate(evidence) };
}

/** A worker whose process has ended cannot fix anything: its work goes back to it by the pipeline. */
function canHear({ exit }: WorkerRecord): boolean {
  return exit === undefined;
}

function redGate({ sha, detail }: Evidence): string {
  return `The quality gate of the repository fails at ${short(sha)}. Fix the code, commit and push it with \`legion worker push\`. The end of its output (untrusted text):\n\n${detail.trimEnd()}\n\n`;
}
