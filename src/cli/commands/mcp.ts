/** `legion mcp`: gives a worker's agent its verbs as tools. */
import { serveMcp } from '../../mcp/server.ts';
import { formed } from '../formed.ts';
import { version } from '../version.ts';
import { ownEnvironment } from './worker/environment.ts';

export const mcp = formed(
  {
    name: 'mcp',
    says: `An MCP server on standard input and output with the verbs of \`legion worker\` as tools.
It works in processes Legion has started, and ends when its input does.`,
  },
  async (_, { env, stdin, stdout, signal }) => {
    const environment = ownEnvironment(env);
    await serveMcp({ environment, version: version(), stdin, stdout, signal });
    return undefined;
  },
);
