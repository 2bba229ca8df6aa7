/** `handoff_read`: what earlier phases left. */
import type { Saying } from '../saying.ts';

export const handoffRead: Saying<'handoff_read'> = async ({ ledger }, who, { phase }) => {
  const handoffs = ledger.swarm.issues.get(who.issue)?.handoffs ?? {};
  if (phase === undefined) return { handoffs: { ...handoffs } };
  return { handoffs: phase in handoffs ? { [phase]: handoffs[phase] } : {} };
};
