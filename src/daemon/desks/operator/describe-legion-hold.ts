/** What keeps an issue waiting although nothing about the issue itself does. */
import type { Swarm } from '../../../core/state/state.ts';

/** Undefined unless a person halted or paused the whole legion. */
export function describeLegionHold({ breaker }: Swarm): string | undefined {
  const kind = breaker.open?.kind;
  if (kind !== 'halt' && kind !== 'pause') return undefined;
  return `The legion is ${kind === 'halt' ? 'halted' : 'paused'}: \`legion resume\` lets it continue.`;
}
