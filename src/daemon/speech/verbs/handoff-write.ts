/** `handoff_write`: what this phase leaves for those after it. */
import { isDeepStrictEqual } from 'node:util';
import type { EventOf } from '../../../core/model/event.ts';
import type { Phase } from '../../../domain/mode.ts';
import type { WorkerIdentity } from '../../daemon.ts';
import { phaseOf } from '../../reports/phase-of.ts';
import { issueOf } from '../../reports/read-outside.ts';
import type { World } from '../../world.ts';
import { appendAs } from '../fence.ts';
import type { Saying } from '../saying.ts';

export const handoffWrite: Saying<'handoff_write'> = async (world, who, handoff) => {
  const { issue } = who;
  const phase = await presentPhase(world, who);
  // Checked by its schema, of which the journal's is the wider one.
  const content = handoff as EventOf<'handoff.written'>['content'];
  await appendAs(world, who, ({ record }) =>
    isDeepStrictEqual(record.handoffs[phase], content)
      ? []
      : [{ type: 'handoff.written', issue, phase, revision: record.lastHandoff + 1, content }],
  );
  return { phase, says: `The handoff of the ${phase} phase is kept; later phases can read it.` };
};

/** Only an implement worker can be in one of two phases; for the others the board need not be read. */
async function presentPhase(world: World, { issue, mode }: WorkerIdentity): Promise<Phase> {
  if (mode !== 'implement') return mode;
  return phaseOf(mode, (await issueOf(world, issue)).column, world.settings().columns);
}
