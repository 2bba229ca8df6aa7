/** Verbs that write and read the handoffs of an issue's phases. */
import { isDeepStrictEqual } from 'node:util';
import type { EventOf } from '../../../core/model/event.ts';
import type { WorkerIdentity } from '../../../core/model/ids.ts';
import type { Phase } from '../../../core/model/mode.ts';
import { resolvePhase } from '../../../core/model/status.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { requireIssue } from '../../repositories/read-outside.ts';
import { appendAs } from '../attempt-guard.ts';
import type { VerbHandler } from '../verb-handler.ts';

/** `handoff_write`: records the handoff of this phase for later phases. */
export const handleHandoffWrite: VerbHandler<'handoff_write'> = async (context, who, handoff) => {
  const { issue } = who;
  const phase = await resolvePresentPhase(context, who);
  // The handoff was already validated by the verb's schema, which is narrower than the journal's.
  const content = handoff as EventOf<'handoff.written'>['content'];
  await appendAs(context, who, ({ record }) =>
    isDeepStrictEqual(record.handoffs[phase], content)
      ? []
      : [{ type: 'handoff.written', issue, phase, revision: record.lastHandoff + 1, content }],
  );
  return { phase, says: `The handoff of the ${phase} phase is saved. Later phases can read it.` };
};

/**
 * Determines the worker's phase. Only an implement worker can be in one of two phases, so the board
 * is not read for other modes.
 */
async function resolvePresentPhase(
  context: StateContext & PortContext,
  { issue, mode }: WorkerIdentity,
): Promise<Phase> {
  if (mode !== 'implement') return mode;
  return resolvePhase(mode, (await requireIssue(context, issue)).column, context.settings().columns);
}

/** `handoff_read`: returns the handoffs of earlier phases. */
export const handleHandoffRead: VerbHandler<'handoff_read'> = async ({ ledger }, who, { phase }) => {
  const handoffs = ledger.state.issues.get(who.issue)?.handoffs ?? {};
  if (phase === undefined) return { handoffs: { ...handoffs } };
  return { handoffs: phase in handoffs ? { [phase]: handoffs[phase] } : {} };
};
