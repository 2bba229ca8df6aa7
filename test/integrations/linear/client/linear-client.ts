/** Provides a simulated Linear for each test of a file, with a team and clients for its members. */
import { afterEach, beforeEach } from 'vitest';
import type { LinearSimulator } from '../../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../../simulators/linear/start.ts';
import type { LinearClient } from '../../../../src/integrations/linear/client/client.ts';
import { type LinearOptions, openLinear } from '../../../../src/integrations/linear/client/open.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';

export interface Stage {
  readonly linear: LinearSimulator;
  /** Opens a client with the given key, or by default as `ada`, a workspace member. */
  client(options?: Partial<LinearOptions> & { readonly key?: string }): LinearClient;
  /** Returns the names of the requests since the last call. */
  asked(): readonly string[];
}

export function linearStage(): () => Stage {
  let stage: { readonly it: Stage; close(): Promise<void> } | undefined;
  beforeEach(async () => {
    const linear = await startLinear({});
    const clients: LinearClient[] = [];
    let counted = 0;
    linear.people.user('ada');
    const own = linear.people.apiKey('ada');
    const it: Stage = {
      linear,
      client({ key = own, ...options } = {}) {
        const credential = { kind: 'api_key', value: key } as const;
        const client = openLinear({ url: linear.url, credential, clock: systemClock, ...options });
        clients.push(client);
        return client;
      },
      asked() {
        const fresh = linear.requests().slice(counted);
        counted += fresh.length;
        return fresh.map(({ name }) => name);
      },
    };
    stage = {
      it,
      async close() {
        await Promise.all(clients.map((client) => client.close()));
        await linear.close();
      },
    };
  });
  afterEach(() => stage?.close());
  return () => {
    if (stage === undefined) throw new Error('no test is running');
    return stage.it;
  };
}
