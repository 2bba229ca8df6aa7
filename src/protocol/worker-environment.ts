/** What a worker's process finds in its environment: who it is, and the way to its daemon. */

import { z } from 'zod';
import type { Result } from '../core/model/fault.ts';
import { issueIdSchema } from '../core/model/ids.ts';
import { decode } from '../domain/decode.ts';
import type { Environment } from '../domain/environment.ts';
import { MODES, PHASES } from '../domain/mode.ts';

const schema = z.object({
  LEGION_WORKER: z.string().min(1),
  LEGION_ISSUE: issueIdSchema,
  LEGION_MODE: z.enum(MODES),
  LEGION_PHASE: z.enum(PHASES),
  LEGION_PURPOSE: z.string().min(1),
  LEGION_ATTEMPT: z.coerce.number().int().positive(),
  /** Reaches this issue in this attempt, and nothing else. */
  LEGION_WORKER_TOKEN: z.string().min(1),
  /** Holds `daemon.json`, which names the socket of the present daemon. */
  LEGION_STATE: z.string().startsWith('/'),
  /** The socket where the daemon is expected if `daemon.json` cannot be read; absent in workers of an older version. */
  LEGION_SOCKET: z.string().startsWith('/').optional(),
  /** Where reports wait while the daemon is away. */
  LEGION_OUTBOX: z.string().startsWith('/'),
});

export type WorkerEnvironment = z.output<typeof schema>;

export function readWorkerEnvironment(environment: Environment): Result<WorkerEnvironment> {
  return decode(schema, environment, 'environment');
}
