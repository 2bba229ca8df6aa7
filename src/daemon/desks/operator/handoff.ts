/** Handoffs as an operator reads and writes them: one for each phase, held to the same form as a worker's. */

import type { IssueId } from '../../../core/model/ids.ts';
import { decode } from '../../../domain/decode.ts';
import type { Phase } from '../../../domain/mode.ts';
import { unwrap } from '../../../lib/result.ts';
import type { HandoffsAnswer, Said } from '../../../protocol/operator.ts';
import { type Handoff, handoffSchema } from '../../../protocol/verb.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';

export async function handoffs(world: World, issue: IssueId): Promise<HandoffsAnswer> {
  const known = world.ledger.swarm.issues.get(issue);
  // Of an issue that has left the board they can still be read.
  if (known === undefined) await readIssue(world, issue);
  return { handoffs: { ...known?.handoffs } };
}

export async function writeHandoff(
  world: World,
  issue: IssueId,
  phase: Phase,
  content: unknown,
): Promise<Said> {
  const read = unwrap(decode(handoffSchema, content, 'handoff'));
  await readIssue(world, issue);
  await world.ledger.append((swarm) => [
    {
      type: 'handoff.written',
      issue,
      phase,
      revision: (swarm.issues.get(issue)?.lastHandoff ?? 0) + 1,
      content: plain(read),
    },
  ]);
  return { says: `The handoff of the ${phase} phase of ${issue} is kept; later phases read it.` };
}

/** The journal keeps JSON, in which "absent" is no value. */
function plain({ details, ...rest }: Handoff) {
  return details === undefined ? rest : { ...rest, details };
}
