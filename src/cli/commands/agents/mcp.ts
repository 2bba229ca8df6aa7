/** `legion mcp`: serves a worker's verbs as MCP tools. */
import { Command } from '@commander-js/extra-typings';
import { runMcpServer } from '../../../worker-client/mcp-server.ts';
import { requireWorkerEnvironment } from '../../../worker-client/worker-client.ts';
import { readVersion } from '../../installation.ts';
import { defineCommand } from '../../program/define-command.ts';

export const mcp = defineCommand(
  () =>
    new Command().description(
      'Serve the commands of `legion worker` as MCP tools on standard input and output. Works only in processes started by Legion, and exits when standard input closes.',
    ),
  async (_, { env, stdin, stdout, signal }) => {
    const environment = requireWorkerEnvironment(env);
    await runMcpServer({ environment, version: readVersion(), stdin, stdout, signal });
    return undefined;
  },
);
