/** Whether every agent in use can work: its binary and its login are there. */
import { MODES } from '../../domain/mode.ts';
import type { Check } from '../../health/breaker.ts';
import type { World } from '../world.ts';

/** A login is asked for over the network; what takes longer tells nothing. */
const PREFLIGHT_MS = 30_000;

export async function agentsReady({ agentFor, clock }: Pick<World, 'agentFor' | 'clock'>): Promise<Check> {
  const used = new Map(
    MODES.map((mode) => agentFor(mode)).map((use) => [`${use.agent.kind} ${use.model}`, use]),
  );
  const tooLong = new AbortController();
  const answered = new AbortController();
  clock.sleep(PREFLIGHT_MS, answered.signal).then(
    () => tooLong.abort(),
    () => undefined,
  );
  try {
    const all = [...used.values()].map(({ agent, model }) => agent.preflight(tooLong.signal, { model }));
    return (await Promise.all(all)).every(({ ready }) => ready) ? 'ok' : 'bad';
  } catch {
    return 'unavailable';
  } finally {
    answered.abort();
  }
}
