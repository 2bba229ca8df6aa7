/** What Claude Code finds in its environment beside what every worker does: its login, its manners, and nobody else's key. */
import { LegionError } from '../../core/model/fault.ts';
import { withoutVersion } from '../../driving/api-address.ts';
import type { SessionOrder } from '../../driving/dialect.ts';

/** Each of them is a login by itself; with a key of its own for an endpoint, none of the others may be sent there. */
const CREDENTIALS: readonly string[] = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'],
];

/** Clouds that sell the same models; with an endpoint of its own, the agent would ask them instead of it. */
const CLOUD_SWITCHES: readonly string[] = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'];

/**
 * Names only. The keys of a whole cloud account are not among them: they open more than a model, and an operator who wants workers
 * to have them names them in `worker_env`.
 */
export const LOGIN_VARIABLES: readonly string[] = [
  ...CREDENTIALS,
  ...CLOUD_SWITCHES,
  ...['ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR'],
  ...['AWS_REGION', 'ANTHROPIC_VERTEX_PROJECT_ID', 'CLOUD_ML_REGION'],
];

/** Milliseconds a command may ask for. Ten minutes by default, and a test suite may take longer; two hours is where health doubts. */
const LONGEST_COMMAND_MS = 3_600_000;

const MANNERS: Readonly<Record<string, string>> = {
  // No updates, no telemetry, no surveys.
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // The repository's CLAUDE.md counts, although none of its settings do.
  CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
  // Kept per folder: what one worker noted would steer the reviewer of its work.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  // A turn ends with its process, and that would wait for what runs in the background.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_CRON: '1',
  BASH_MAX_TIMEOUT_MS: String(LONGEST_COMMAND_MS),
  // The first request waits for Legion's tools, and has all of them in it.
  MCP_CONNECTION_NONBLOCKING: '0',
  ENABLE_TOOL_SEARCH: 'false',
};

/** `isRoot`: it refuses to work unasked as root unless it is told that this is meant. */
export function environmentOf(
  { env, endpoint }: Pick<SessionOrder, 'env' | 'endpoint'>,
  isRoot: boolean,
): Record<string, string> {
  const manners = isRoot ? { ...MANNERS, IS_SANDBOX: '1' } : MANNERS;
  if (endpoint === undefined) return { ...env, ...manners };
  const address = { ANTHROPIC_BASE_URL: withoutVersion(endpoint.url) };
  if (endpoint.keyVariable === undefined) return { ...env, ...manners, ...address };
  const key = env[endpoint.keyVariable];
  if (key === undefined || key === '')
    throw new LegionError(
      'agent.not_ready',
      `${endpoint.keyVariable}, the key to ${endpoint.url}, is not set`,
    );
  const others = Object.entries(env).filter(([name]) => ![...CREDENTIALS, ...CLOUD_SWITCHES].includes(name));
  return { ...Object.fromEntries(others), ...manners, ...address, ANTHROPIC_API_KEY: key };
}
