/** `legion stop-hook`: asked by an agent that is about to end its turn. */
import { Command } from '@commander-js/extra-typings';
import { stopHookAnswer } from '../../../driving/stop-hook.ts';
import { defineCommand } from '../../program/define-command.ts';
import { ownEnvironment } from '../worker/environment.ts';

export const stopHook = defineCommand(
  () =>
    new Command().description(
      'The Stop hook of Claude Code and Codex: reminds a worker that ends its turn without a report, at most twice. It works in processes that Legion has started.',
    ),
  async (_, { env, stdin, stdout }) => {
    // Its content is not needed, but the agent may wait until somebody reads it.
    stdin.resume();
    const answer = await stopHookAnswer(ownEnvironment(env).LEGION_OUTBOX);
    stdout.write(`${JSON.stringify(answer)}\n`);
    return undefined;
  },
);
