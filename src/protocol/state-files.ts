/** Files in a legion's state directory through which its daemons and commands find each other. */
import { z } from 'zod';

/** The running daemon and its address. */
export const DAEMON_FILE = 'daemon.json';
/**
 * File with the process id of the daemon that holds the legion's lock. A daemon that was stopped
 * removes the file; one that restarts leaves it to its successor, so that clients keep waiting.
 */
export const HOLDER_FILE = 'daemon.holder';
/** The operator's token, readable by this user only. */
export const TOKEN_FILE = 'token';

export const daemonFileSchema = z.object({
  legion: z.string(),
  /**
   * Address for browsers, webhooks and programs that have their own token. Legion's own clients
   * never send a token to this address.
   */
  url: z.url(),
  /** The Unix socket for commands and workers. Absent if the daemon is an older version. */
  socket: z.string().startsWith('/').optional(),
  pid: z.int().positive(),
  startedAt: z.number(),
  version: z.string(),
});
export type DaemonFile = z.output<typeof daemonFileSchema>;

/** The file through which `legion halt` informs the next daemon that the legion is halted. */
export const HALT_FILE = 'halt.json';

export const haltFileSchema = z.object({
  by: z.string().min(1).max(100),
  why: z.string().min(1).max(1_000),
  at: z.number(),
});
export type HaltFile = z.output<typeof haltFileSchema>;

/**
 * The file that stores the path of the `legion.yaml` from which the legion's last daemon was
 * started. Unlike `daemon.json`, this file is kept when the daemon exits, because workers may still
 * be running.
 */
export const STARTED_FROM_FILE = 'started-from.json';

export const startedFromSchema = z.object({
  legion: z.string().min(1),
  /** The absolute path of `legion.yaml`. */
  file: z.string().startsWith('/'),
  at: z.number(),
});
export type StartedFrom = z.output<typeof startedFromSchema>;
