/** Has the repository's quality gate run in the issue's workspace, at exactly the commit it is asked about. */
import type { Command } from '../../core/model/command.ts';
import type { World } from '../world.ts';
import { done, type Outcome, superseded } from './outcome.ts';

export async function runQualityGate(
  { gates, ledger }: World,
  { issue, sha }: Extract<Command, { kind: 'run_quality_gate' }>,
  signal: AbortSignal,
): Promise<Outcome> {
  const known = ledger.swarm.issues.get(issue)?.evidence.quality_gate;
  // Recorded by the report of the implementer, or right before a kill: it runs once for each commit.
  if (known?.sha === sha && known.verdict !== 'could_not_run') return done(`${known.verdict} already`);
  const ended = await orAborted(gates.run(issue, sha).ended, signal);
  return ended.recorded ? done(ended.detail) : superseded(ended.detail);
}

/** The run goes on until the gates are closed; whoever performs commands must end before that. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
    void work.finally(() => signal.removeEventListener('abort', fail)).catch(() => undefined);
  });
  return Promise.race([work, aborted]);
}
