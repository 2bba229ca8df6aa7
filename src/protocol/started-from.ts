/** The file in a legion's state folder that names the `legion.yaml` its last daemon was started from. */
import { z } from 'zod';

/** Unlike `daemon.json` it stays when the daemon ends, because workers may stay as well. */
export const STARTED_FROM_FILE = 'started-from.json';

export const startedFromSchema = z.object({
  legion: z.string().min(1),
  /** The absolute path of `legion.yaml`. */
  file: z.string().startsWith('/'),
  at: z.number(),
});
export type StartedFrom = z.output<typeof startedFromSchema>;
