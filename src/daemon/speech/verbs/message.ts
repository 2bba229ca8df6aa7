/** `message`: to another worker, delivered when that is idle. */
import { LegionError, shown } from '../../../core/model/fault.ts';
import { workerId } from '../../../core/model/ids.ts';
import type { Swarm } from '../../../core/state/state.ts';
import { appendAs } from '../fence.ts';
import { messageKey } from '../message-key.ts';
import { notReady } from '../needed.ts';
import type { Saying } from '../saying.ts';

/** Messages of one worker that nobody has received: more is a loop, and each would be a turn of somebody else's. */
const WAITING_MOST = 20;

export const message: Saying<'message'> = async (world, who, { to: given, text }) => {
  // The receiver must be able to tell a worker's word from an operator's.
  const opening = `From worker ${workerId(who.issue, who.mode)}:\n\n`;
  // Ids of workers are in lower case.
  const to = given.toLowerCase();
  const key = messageKey(who, to, text);
  let number = 0;
  await appendAs(world, who, ({ swarm }) => {
    const known = numberOf(swarm, key);
    number = known ?? swarm.lastMessage + 1;
    if (known !== undefined) return [];
    refuseUnknown(swarm, to);
    refuseFlood(swarm, opening);
    return [{ type: 'message.queued', message: number, to, key, body: `${opening}${text}` }];
  });
  const receiver = world.ledger.swarm.workers.get(to);
  if (receiver !== undefined) world.wake(receiver.issue);
  return { message: number, says: `Message ${number} waits for ${to}; it is delivered when that is idle.` };
};

/** Nobody would ever receive it, and the sender would believe that it had been sent. */
function refuseUnknown(swarm: Swarm, to: string): void {
  if (swarm.workers.has(to)) return;
  throw new LegionError(
    'message.no_recipient',
    `No worker has the id ${shown(to)}. The message was not sent.`,
  );
}

function refuseFlood(swarm: Swarm, opening: string): void {
  const waiting = [...swarm.messages.values()].filter(({ body }) => body.startsWith(opening)).length;
  if (waiting >= WAITING_MOST) throw notReady(`${waiting} messages of yours have not been received yet`);
}

function numberOf(swarm: Swarm, key: string): number | undefined {
  for (const [number, queued] of swarm.messages) if (queued.key === key) return number;
  return undefined;
}
