/** The agent of the simulation as the daemon sees it: its lines are the port's events as JSON. */
import type { Agent, AgentEvent, Launch } from '../agents/agent.ts';
import type { SessionId } from '../domain/ids.ts';

export interface Sessions {
  /** When each was last written to. */
  readonly writtenAt: Map<SessionId, number>;
  /** Whether it cannot be looked at now. */
  readonly isHidden: () => boolean;
}

export function simAgent({ writtenAt, isHidden }: Sessions): Agent {
  const launch = (session: SessionId): Launch => ({
    argv: ['sim', session],
    env: { SIM_SESSION: session },
    stdin: '',
  });
  return {
    kind: 'sim',
    variables: [],
    hearsLetters: false,
    preflight: async () => ({ ready: true, version: '1' }),
    launch,
    resume: launch,
    read: (line) => [JSON.parse(line) as AgentEvent],
    async session(session) {
      if (isHidden()) return 'unavailable';
      const at = writtenAt.get(session);
      return at === undefined ? 'missing' : { at };
    },
  };
}
