/** Reads and writes handoffs for an operator: one per phase, with the same schema as a worker's. */

import { decode } from '../../../core/model/decode.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Phase } from '../../../core/model/mode.ts';
import { unwrap } from '../../../lib/result.ts';
import type { ActionAnswer, HandoffsAnswer } from '../../../protocol/operator.ts';
import { type Handoff, handoffSchema } from '../../../protocol/verb.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { readIssue } from '../read-outside.ts';

export async function readHandoffs(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<HandoffsAnswer> {
  const known = context.ledger.state.issues.get(issue);
  // Reads the issue only if it is not in the journal, so that handoffs of an issue that has left
  // the board can still be read.
  if (known === undefined) await readIssue(context, issue);
  return { handoffs: { ...known?.handoffs } };
}

export async function writeHandoff(
  context: StateContext & PortContext,
  issue: IssueId,
  phase: Phase,
  content: unknown,
): Promise<ActionAnswer> {
  const read = unwrap(decode(handoffSchema, content, 'handoff'));
  await readIssue(context, issue);
  await context.ledger.append((state) => [
    {
      type: 'handoff.written',
      issue,
      phase,
      revision: (state.issues.get(issue)?.lastHandoff ?? 0) + 1,
      content: toPlainHandoff(read),
    },
  ]);
  return { says: `The handoff of the ${phase} phase of ${issue} is saved. Later phases read it.` };
}

/** Converts a handoff to plain JSON, which the journal stores. JSON has no undefined. */
function toPlainHandoff({ details, testSuiteResults, ...rest }: Handoff) {
  return {
    ...rest,
    ...(testSuiteResults !== undefined && { testSuiteResults }),
    ...(details !== undefined && { details }),
  };
}
