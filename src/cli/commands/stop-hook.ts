/** `legion stop-hook`: asked by an agent that is about to end its turn. */
import { stopHookAnswer } from '../../driving/stop-hook.ts';
import { formed } from '../formed.ts';
import { ownEnvironment } from './worker/environment.ts';

export const stopHook = formed(
  {
    name: 'stop-hook',
    says: `The Stop hook of Claude Code and Codex: a worker that ends its turn without a report is told so, at most twice.
It works in processes Legion has started.`,
  },
  async (_, { env, stdin, stdout }) => {
    // What the agent says about its turn is not needed, but an agent may wait until it is read.
    stdin.resume();
    const answer = await stopHookAnswer(ownEnvironment(env).LEGION_OUTBOX);
    stdout.write(`${JSON.stringify(answer)}\n`);
    return undefined;
  },
);
