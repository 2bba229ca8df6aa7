/** Reads a worker's output, one bounded piece at a time. */

import { LegionError } from '../../../core/model/fault.ts';
import { formatCount } from '../../../core/model/format.ts';
import { toWorkerId, type WorkerId } from '../../../core/model/ids.ts';
import type { LogsAnswer, LogsQuery } from '../../../protocol/workers.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { redactTokens } from '../../present/reason.ts';
import { requireWorker } from './known-worker.ts';

/**
 * Maximum size of one response, in bytes: a few thousand lines, which a terminal shows instantly
 * and which take little of the daemon's memory.
 */
const MAX_ANSWER_BYTES = 256 * 1_024;

export async function readLogs(
  context: StateContext & PortContext,
  id: WorkerId,
  query: LogsQuery,
): Promise<LogsAnswer> {
  const { issue, mode, attempt: present } = requireWorker(context.ledger.state, id);
  const { attempt = present } = query;
  if (attempt < 1 || attempt > present)
    throw new LegionError(
      'input.invalid',
      `${id} has had ${formatCount(present, 'attempt')}; attempt ${attempt} does not exist.`,
    );
  const worker = toWorkerId(issue, mode);
  const piece = await readPiece(context, worker, { ...query, attempt }, attempt === present);
  return { worker, attempt, ...piece, text: redactTokens(piece.text) };
}

async function readPiece(
  { host }: PortContext,
  worker: WorkerId,
  { attempt, offset: given = 0, last, stream }: LogsQuery & { readonly attempt: number },
  mayBegin: boolean,
): Promise<Omit<LogsAnswer, 'worker' | 'attempt'>> {
  let text = '';
  let offset = given;
  let nextOffset = given;
  try {
    if (last !== undefined) offset = await host.findLineNearEnd(worker, attempt, last, stream);
    nextOffset = offset;
    for await (const chunk of host.output(worker, attempt, offset, stream)) {
      if (nextOffset - offset >= MAX_ANSWER_BYTES) return { offset, text, nextOffset, more: true };
      text += chunk.text;
      nextOffset = chunk.nextOffset;
    }
  } catch (error) {
    // An attempt that is about to start has no output yet, which is not an error for a caller that
    // follows it.
    const isToCome = mayBegin && error instanceof LegionError && error.code === 'host.no_attempt';
    if (!isToCome) throw error;
  }
  return { offset, text, nextOffset, more: false };
}
