/** An agent that repeats what it is told and then does nothing: its process shows what a worker was given. */
import { expect, vi } from 'vitest';
import type { WorkersDesk } from '../../../src/daemon/daemon.ts';
import type { Agent, Launch, Start } from '../../../src/ports/agent.ts';

/** Longer than any test; whoever is forgotten leaves by itself. */
const STAYS_S = 60;

export const REPEATER: Agent = {
  kind: 'repeater',
  variables: [],
  hearsLetters: false,
  preflight: async () => ({ ready: true, version: '1' }),
  launch: (_session, start) => repeat(start),
  resume: (_session, _native, start) => repeat(start),
  read: () => [],
  session: async () => 'missing',
};

/** A process is there within milliseconds; on a busy machine within seconds. */
export const SOON = { timeout: 10_000, interval: 10 } as const;

/** Resolves once the worker's process has repeated this. */
export async function repeated(desk: WorkersDesk, worker: string, told: string): Promise<void> {
  await vi.waitFor(async () => {
    const { text } = await desk.logs(worker, { offset: 0, stream: 'out' });
    expect(text).toContain(told);
  }, SOON);
}

function repeat({ prompt }: Start): Launch {
  return { argv: ['/bin/sh', '-c', `cat; exec sleep ${STAYS_S}`], env: {}, stdin: prompt };
}
