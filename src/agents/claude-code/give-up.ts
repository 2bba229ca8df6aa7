/** When a turn is ended before the agent ends it: it would go on without its tools, or wait for what does not come. */
import { LegionError } from '../../core/model/fault.ts';
import type { TurnEnd } from '../../driving/dialect.ts';
import { LOGIN_STATUSES } from './ending.ts';
import { MCP_SERVER } from './equip.ts';
import type { StreamLineOf } from './stream-line.ts';

/** Milliseconds the agent may plan to wait for its quota itself; for longer, its place is free for another worker. */
const LONGEST_WAIT_MS = 30_000;

/** A login is not refused by chance twice; left alone it is tried ten times, over minutes. */
const REFUSALS_MOST = 2;

export type Verdict = TurnEnd | LegionError;

/** Without them it would work, burn its quota, and could tell nobody. */
export function withoutTools({ mcp_servers }: Init): Verdict | undefined {
  const status = mcp_servers.find(({ name }) => name === MCP_SERVER)?.status ?? 'missing';
  if (status === 'connected') return undefined;
  return new LegionError('agent.failed', `its MCP server ${MCP_SERVER}, which has its tools, is ${status}`);
}

export function inVain(retry: Retry, now: number): Verdict | undefined {
  const { attempt, retry_delay_ms, error_status, error } = retry;
  if (error_status === 429 && retry_delay_ms >= LONGEST_WAIT_MS)
    return { how: 'rate limited', resetAt: now + Math.ceil(retry_delay_ms) };
  if (LOGIN_STATUSES.includes(error_status) && attempt >= REFUSALS_MOST)
    return { how: 'login refused', message: `${error_status} ${error}` };
  return undefined;
}

type Init = Extract<StreamLineOf<'system'>, { readonly subtype: 'init' }>;
type Retry = Extract<StreamLineOf<'system'>, { readonly subtype: 'api_retry' }>;
