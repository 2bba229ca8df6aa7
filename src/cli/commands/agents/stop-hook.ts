/** `legion stop-hook`: called by an agent that is about to end its turn. */
import { Command } from '@commander-js/extra-typings';
import { decideStopHook } from '../../../agents/runner/reminders.ts';
import { MESSAGES_VARIABLE } from '../../../protocol/worker-message.ts';
import { requireWorkerEnvironment } from '../../../worker-client/worker-client.ts';
import { defineCommand } from '../../program/define-command.ts';

export const stopHook = defineCommand(
  () =>
    new Command().description(
      'Serve as the Stop hook of Claude Code and Codex: remind a worker that ends its turn without a report, at most twice. Works only in processes started by Legion.',
    ),
  async (_, { env, stdin, stdout }) => {
    // Drains stdin, because the agent may block until its input to the hook is read.
    stdin.resume();
    const answer = await decideStopHook(requireWorkerEnvironment(env).LEGION_OUTBOX, env[MESSAGES_VARIABLE]);
    stdout.write(`${JSON.stringify(answer)}\n`);
    return undefined;
  },
);
