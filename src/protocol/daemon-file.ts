/** `daemon.json` in a legion's state folder: who leads it, and at which address. */
import { z } from 'zod';

export const DAEMON_FILE = 'daemon.json';
/** The operator's token, readable by this user only. */
export const TOKEN_FILE = 'token';

export const daemonFileSchema = z.object({
  legion: z.string(),
  /** For browsers, webhooks and programs that bring a token of their own; Legion's own clients send none here. */
  url: z.url(),
  /** The Unix socket for commands and workers; a daemon of an older version has none. */
  socket: z.string().startsWith('/').optional(),
  pid: z.int().positive(),
  startedAt: z.number(),
  version: z.string(),
});

export type DaemonFile = z.output<typeof daemonFileSchema>;
