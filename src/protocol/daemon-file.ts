/** `daemon.json` in a legion's state folder: who leads it, and at which address. */
import { z } from 'zod';

export const DAEMON_FILE = 'daemon.json';
/** The operator's token, readable by this user only. */
export const TOKEN_FILE = 'token';

export const daemonFileSchema = z.object({
  legion: z.string(),
  url: z.url(),
  pid: z.int().positive(),
  startedAt: z.number(),
  version: z.string(),
});

export type DaemonFile = z.output<typeof daemonFileSchema>;
