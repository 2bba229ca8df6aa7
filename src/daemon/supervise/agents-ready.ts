/** Whether there is for every mode an agent that can work: its program and its login are there. */

import type { Check } from '../../core/health/breaker.ts';
import { MODES, type Mode } from '../../domain/mode.ts';
import { type AgentChoice, quotaKey } from '../../swarm/choose-agent.ts';
import type { World } from '../world.ts';

/** A login is asked for over the network; what takes longer tells nothing. */
const PREFLIGHT_MS = 30_000;

type Agents = Pick<World, 'agents' | 'agentOf' | 'clock'>;

/** Asked anew, not remembered: something on this machine has just gone wrong. */
export async function agentsReady({ agents, agentOf, clock }: Agents): Promise<Check> {
  const tooLong = new AbortController();
  const answered = new AbortController();
  clock.sleep(PREFLIGHT_MS, answered.signal).then(
    () => tooLong.abort(),
    () => undefined,
  );
  const asked = new Map<string, Promise<boolean>>();
  const isReady = (choice: AgentChoice, mode: Mode): Promise<boolean> => {
    const key = quotaKey(choice);
    const { agent, use } = agentOf({ mode, ...choice });
    const answer = asked.get(key) ?? agent.preflight(tooLong.signal, use).then(({ ready }) => ready);
    asked.set(key, answer);
    return answer;
  };
  try {
    const modes = await Promise.all(
      MODES.map(async (mode) => {
        const choices = await Promise.all(agents.choicesFor(mode).map((choice) => isReady(choice, mode)));
        return choices.includes(true);
      }),
    );
    return modes.every(Boolean) ? 'ok' : 'bad';
  } catch {
    return 'unavailable';
  } finally {
    answered.abort();
  }
}
