/** Who does the work of a worker. Pure. */
import { plain } from './plain.ts';

/** `claude opus`. */
export function agentWords(agent: string | undefined, model: string | undefined): string {
  const known = [agent, model].filter((part) => part !== undefined);
  return known.map(plain).join(' ') || 'agent not known';
}
