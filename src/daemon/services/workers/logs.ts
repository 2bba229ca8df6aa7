/** What a worker has written, a bounded piece at a time. */

import { LegionError } from '../../../core/model/fault.ts';
import { type WorkerId, workerId } from '../../../core/model/ids.ts';
import { counted } from '../../../domain/format.ts';
import type { LogsAnswer } from '../../../protocol/operator.ts';
import type { LogsQuery } from '../../../protocol/params.ts';
import { knownWorker } from '../../desks/workers/known-worker.ts';
import { withoutTokens } from '../../present/without-secrets.ts';
import type { World } from '../../world.ts';

/** Bytes of one answer: some thousand lines, at once on the screen and nothing for the daemon's memory. */
const ANSWER_MOST_BYTES = 256 * 1_024;

export async function logs(world: World, id: WorkerId, query: LogsQuery): Promise<LogsAnswer> {
  const { issue, mode, attempt: present } = knownWorker(world.ledger.swarm, id);
  const { attempt = present } = query;
  if (attempt < 1 || attempt > present)
    throw new LegionError(
      'input.invalid',
      `${id} has had ${counted(present, 'attempt')}; there is no attempt ${attempt}`,
    );
  const worker = workerId(issue, mode);
  const piece = await readPiece(world, worker, { ...query, attempt }, attempt === present);
  return { worker, attempt, ...piece, text: withoutTokens(piece.text) };
}

async function readPiece(
  { host }: World,
  worker: WorkerId,
  { attempt, offset: given = 0, last, stream }: LogsQuery & { readonly attempt: number },
  mayBegin: boolean,
): Promise<Omit<LogsAnswer, 'worker' | 'attempt'>> {
  let text = '';
  let offset = given;
  let nextOffset = given;
  try {
    if (last !== undefined) offset = await host.lineNearEnd(worker, attempt, last, stream);
    nextOffset = offset;
    for await (const chunk of host.output(worker, attempt, offset, stream)) {
      if (nextOffset - offset >= ANSWER_MOST_BYTES) return { offset, text, nextOffset, more: true };
      text += chunk.text;
      nextOffset = chunk.nextOffset;
    }
  } catch (error) {
    // An attempt that is about to start has written nothing yet: whoever follows it need not ask again.
    const isToCome = mayBegin && error instanceof LegionError && error.code === 'host.no_attempt';
    if (!isToCome) throw error;
  }
  return { offset, text, nextOffset, more: false };
}
