/** Reports modes without an agent as one problem, as long as there are any. */
import { LegionError } from '../domain/fault.ts';
import { MODES } from '../domain/mode.ts';
import type { World } from './world.ts';

const ABOUT = 'agents';

export function reportMissingAgents({ agents, troubles }: Pick<World, 'agents' | 'troubles'>): void {
  const modes = MODES.filter((mode) => agents.choicesFor(mode).length === 0);
  if (modes.length === 0) {
    troubles.clear(ABOUT);
    return;
  }
  const where = modes.length === MODES.length ? '' : ` for ${modes.join(', ')}`;
  troubles.raise(ABOUT, new LegionError('agent.not_chosen', `No agent is chosen${where}: no worker starts.`));
}
