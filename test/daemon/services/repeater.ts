/** An agent that echoes its prompt and then idles, so that its output shows the received text. */
import { expect, vi } from 'vitest';
import type { WorkerService } from '../../../src/daemon/daemon.ts';
import type { Agent, LaunchOptions, LaunchSpec } from '../../../src/ports/agent.ts';

/** Longer than any test takes, so that a process left behind by a test still exits by itself. */
const STAYS_S = 60;

export const REPEATER: Agent = {
  kind: 'repeater',
  variables: [],
  receivesMessages: false,
  preflight: async () => ({ ready: true, version: '1' }),
  launch: (_session, start) => repeat(start),
  resume: (_session, _native, start) => repeat(start),
  read: () => [],
  session: async () => 'missing',
};

/**
 * Allows for a busy machine, on which a process may take seconds instead of milliseconds to start.
 */
export const SOON = { timeout: 10_000, interval: 10 } as const;

/** Resolves once the worker's process has echoed this text. */
export async function repeated(desk: WorkerService, worker: string, told: string): Promise<void> {
  await vi.waitFor(async () => {
    const { text } = await desk.logs(worker, { offset: 0, stream: 'out' });
    expect(text).toContain(told);
  }, SOON);
}

function repeat({ prompt }: LaunchOptions): LaunchSpec {
  return { argv: ['/bin/sh', '-c', `cat; exec sleep ${STAYS_S}`], env: {}, stdin: prompt };
}
