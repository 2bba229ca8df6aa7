/** `legion mcp`: gives a worker's agent its verbs as tools. */
import { Command } from '@commander-js/extra-typings';
import { serveMcp } from '../../worker-client/mcp-server.ts';
import { defineCommand } from '../program/define-command.ts';
import { version } from '../version.ts';
import { ownEnvironment } from './worker/environment.ts';

export const mcp = defineCommand(
  () =>
    new Command().description(
      'Serve the commands of `legion worker` as tools of an MCP server on standard input and output. Works only in processes that Legion has started, and ends when its input does.',
    ),
  async (_, { env, stdin, stdout, signal }) => {
    const environment = ownEnvironment(env);
    await serveMcp({ environment, version: version(), stdin, stdout, signal });
    return undefined;
  },
);
