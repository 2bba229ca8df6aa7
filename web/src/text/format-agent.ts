/** Formats a worker's agent and model as text. Pure. */
import { toPlainText } from './plain.ts';

/** Returns text such as `claude opus`. */
export function formatAgent(agent: string | undefined, model: string | undefined): string {
  const known = [agent, model].filter((part) => part !== undefined);
  return known.map(toPlainText).join(' ') || 'agent not known';
}
