/** Hears a worker's words in the order it said them: what it kept while the daemon was away comes before what it says now. */
import { workerId } from '../../core/model/ids.ts';
import type { Speech } from '../daemon.ts';
import type { World } from '../world.ts';
import { readOutbox } from './find-entries.ts';

/**
 * `takeIn` takes in one outbox. Without this a worker that left its handoff in the outbox and met the new daemon with its
 * report would be told that there is no handoff, and would have failed for nothing.
 */
export function inOrder(
  { folders }: Pick<World, 'folders'>,
  speech: Speech,
  takeIn: (outbox: string) => Promise<unknown>,
): Speech {
  return {
    identify: speech.identify,
    async say(who, verb, input, message) {
      const outbox = folders.outbox(workerId(who.issue, who.mode), who.attempt);
      if (await holdsSomething(outbox)) await takeIn(outbox);
      // A message that could not be taken in is a trouble of its own; it must not silence its worker.
      return speech.say(who, verb, input, message);
    },
  };
}

/** An outbox that cannot be read is no reason not to listen. */
export async function holdsSomething(outbox: string): Promise<boolean> {
  const entries = await readOutbox(outbox).catch(() => undefined);
  return entries !== undefined && entries.names.length > 0;
}
