/** `message`: to another worker or a role, delivered when that is idle. */
import { LegionError } from '../../../domain/fault.ts';
import { readWorkerId, workerId } from '../../../domain/ids.ts';
import { shown } from '../../../domain/shown.ts';
import type { Swarm } from '../../../swarm/state.ts';
import { appendAs } from '../fence.ts';
import { messageKey } from '../message-key.ts';
import { notReady } from '../needed.ts';
import type { Saying } from '../saying.ts';

/** Messages of one worker that nobody has received: more is a loop, and each would be a turn of somebody else's. */
const WAITING_MOST = 20;

export const message: Saying<'message'> = async (world, who, { to: given, text }) => {
  // The receiver must be able to tell a worker's word from an operator's.
  const opening = `From worker ${workerId(who.issue, who.mode)}:\n\n`;
  const to = addressOf(given);
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

/** Ids of workers are in lower case; everything else is a role, and goes to whoever holds it. */
function addressOf(to: string): string {
  const id = to.toLowerCase();
  return readWorkerId(id).ok ? id : to;
}

function refuseUnknown(swarm: Swarm, to: string): void {
  if (!readWorkerId(to).ok || swarm.workers.has(to)) return;
  throw new LegionError('worker.unknown', `there is no worker ${shown(to)}`);
}

function refuseFlood(swarm: Swarm, opening: string): void {
  const waiting = [...swarm.messages.values()].filter(({ body }) => body.startsWith(opening)).length;
  if (waiting >= WAITING_MOST) throw notReady(`${waiting} messages of yours have not been received yet`);
}

function numberOf(swarm: Swarm, key: string): number | undefined {
  for (const [number, queued] of swarm.messages) if (queued.key === key) return number;
  return undefined;
}
