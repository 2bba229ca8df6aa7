/** What an attempt has done since it was flagged. */
import type { Look } from './judgement.ts';

export interface SignsOfLife {
  /** The agent itself moved: these clear a flag. */
  readonly agent: readonly string[];
  /** Its process moved: these clear a flag too, but not for ever, for a spinner turns on a dead session as well. */
  readonly body: readonly string[];
}

const NOTHING: SignsOfLife = { agent: [], body: [] };

export function signsOfLife({ evidence, limits }: Look): SignsOfLife {
  const { suspicion, agent, sessionFile, checkpoint, tool, cpu, children } = evidence;
  if (!suspicion.flagged) return NOTHING;
  const { since, probe, cpuMs } = suspicion;
  const found = { agent: [] as string[], body: [] as string[] };

  if (agent !== 'unavailable' && agent.kind !== 'none' && agent.at > since)
    found.agent.push('an agent event');
  if (typeof sessionFile === 'object' && sessionFile.at > since)
    found.agent.push('a write to its session file');
  if (typeof checkpoint === 'object' && checkpoint.at > since) found.agent.push('a checkpoint');
  if (typeof tool === 'object' && tool.since > since) found.agent.push('a tool it started');
  if (probe.state === 'answered' && probe.at > since) found.agent.push('an answer to our question');

  if (cpu !== 'unavailable' && cpuMs !== 'unavailable' && cpu.usedMs - cpuMs >= limits.cpuSign)
    found.body.push('CPU time it used');
  if (children !== 'unavailable' && children.newestAt !== 'none' && children.newestAt > since)
    found.body.push('a process it started');
  return found;
}
