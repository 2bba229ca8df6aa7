/** The environment of a worker's process: its identity and how to reach its daemon. */
import { z } from 'zod';
import { decode } from '../core/model/decode.ts';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import type { Result } from '../core/model/fault.ts';
import { issueIdSchema } from '../core/model/ids.ts';
import { MODES, PHASES } from '../core/model/mode.ts';

const schema = z.object({
  LEGION_WORKER: z.string().min(1),
  LEGION_ISSUE: issueIdSchema,
  LEGION_MODE: z.enum(MODES),
  LEGION_PHASE: z.enum(PHASES),
  LEGION_PURPOSE: z.string().min(1),
  LEGION_ATTEMPT: z.coerce.number().int().positive(),
  /** Grants access to this issue only, and only during this attempt. */
  LEGION_WORKER_TOKEN: z.string().min(1),
  /** The state directory. Its `daemon.json` contains the path of the current daemon's socket. */
  LEGION_STATE: z.string().startsWith('/'),
  /**
   * The socket to try if `daemon.json` cannot be read. Absent in workers that an older version
   * started.
   */
  LEGION_SOCKET: z.string().startsWith('/').optional(),
  /** The directory where reports wait while the daemon is unreachable. */
  LEGION_OUTBOX: z.string().startsWith('/'),
});
export type WorkerEnvironment = z.output<typeof schema>;

export function readWorkerEnvironment(environment: EnvironmentVariables): Result<WorkerEnvironment> {
  return decode(schema, environment, 'environment');
}
