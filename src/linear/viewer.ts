/** Who the credential belongs to, and in which workspace. */
import { z } from 'zod';
import { LegionError } from '../domain/fault.ts';
import type { Viewer } from './client.ts';

const VIEWER = 'query Viewer { viewer { id name email } organization { name urlKey } }';

const answer = z.object({
  viewer: z.object({ id: z.string().min(1), name: z.string(), email: z.string() }),
  organization: z.object({ name: z.string(), urlKey: z.string() }),
});

export async function readViewer(ask: (document: string) => Promise<unknown>): Promise<Viewer> {
  const found = answer.safeParse(await ask(VIEWER));
  // What acts on board and comments must know whose they are.
  if (!found.success)
    throw new LegionError('linear.unavailable', 'Linear did not say whose credential this is');
  const { viewer, organization } = found.data;
  return { ...viewer, workspace: organization };
}
