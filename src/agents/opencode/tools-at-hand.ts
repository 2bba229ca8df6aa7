/** Whether the worker has Legion's tools: without them it could not report, and would burn its quota for nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import type { Api } from './api.ts';

/** An MCP server is a process that starts; on a busy machine that takes seconds. */
const CONNECT_MS = 30_000;
const LOOK_EVERY_MS = 100;

const serversSchema = z.object({
  legion: z.object({ status: z.string(), error: z.string().optional() }).optional(),
});

/** Rejects with `agent.failed`: OpenCode itself goes on without a server that failed, and says nothing. */
export async function awaitTools(api: Api): Promise<void> {
  const until = Date.now() + CONNECT_MS;
  for (;;) {
    const { legion } = await api.get('/mcp', serversSchema);
    if (legion?.status === 'connected') return;
    if (legion?.status === 'failed' || Date.now() > until)
      throw new LegionError(
        'agent.failed',
        `the legion MCP server did not start: ${legion?.error ?? legion?.status ?? 'opencode does not know it'}`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}
