/** The session on its server: continued by its id, or begun. */
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import type { SessionOrder } from '../../driving/dialect.ts';
import type { Api } from './api.ts';

const sessionSchema = z.object({ id: z.string() });
/** An id becomes a part of a path. */
const ID_FORM = /^ses[A-Za-z0-9_-]{1,100}$/;

type Order = Pick<SessionOrder, 'session' | 'native' | 'isResumed' | 'worker'>;

/** Resolves to OpenCode's id of it. Rejects with `agent.session_unknown`. */
export async function openSession(api: Api, { session, native, isResumed, worker }: Order): Promise<string> {
  if (!isResumed) {
    // With a title of its own it needs no model to find one.
    const title = `${worker.LEGION_ISSUE} ${worker.LEGION_PHASE}`;
    const made = sessionSchema.safeParse(await api.post('/session', { title }));
    if (!made.success || !ID_FORM.test(made.data.id))
      throw new LegionError('agent.failed', 'opencode made a session without an id');
    return made.data.id;
  }
  const known =
    native !== undefined && ID_FORM.test(native)
      ? await api.find(`/session/${native}`, sessionSchema)
      : undefined;
  if (known === undefined)
    throw new LegionError('agent.session_unknown', `opencode has no session ${native ?? `for ${session}`}`);
  return known.id;
}
