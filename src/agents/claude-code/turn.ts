/**
 * Runs one turn as an agent process, reads its output, and terminates the process early if it
 * hangs.
 */

import { MARKER_VARIABLE } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { EmitAgentLine, TurnEnd } from '../runner/dialect.ts';
import { openOwnGroup, runTurnProcess, type TurnExit, type TurnProcess } from '../runner/group.ts';
import { MCP_SERVER } from './equip.ts';
import { extractAgentLines, readStreamLine, type StreamLine, type StreamLineOf } from './stream-line.ts';

/** Limits in milliseconds. */
interface ClaudeTurnTimeouts {
  /**
   * Time until the first output line. Normally the agent starts within a second, and Legion's tools
   * within another second. The rest of the time allows for a busy or sleeping machine. After this
   * limit, the process is considered hung.
   */
  readonly firstLine: number;
  /**
   * Grace period after the result. Anything that keeps the process running longer, such as a
   * server, is not part of the turn's work.
   */
  readonly leaving: number;
}

const TURN_TIMEOUTS: ClaudeTurnTimeouts = { firstLine: 120_000, leaving: 30_000 };

export interface ClaudeTurnListener {
  readonly emit: EmitAgentLine;
  /** Called when the agent has stored the session under this id. */
  onSessionStored(native: string): void;
  /** Called when the session contains the prompt, regardless of how the turn ends. */
  onPromptStored(): void;
}

/** Rejects with a fault whose code starts with `agent.`. */
export async function runClaudeTurn(
  command: TurnProcess,
  { emit, onSessionStored, onPromptStored }: ClaudeTurnListener,
  interrupt: AbortSignal,
  timeouts: ClaudeTurnTimeouts = TURN_TIMEOUTS,
): Promise<TurnEnd> {
  const meter = new UsageMeter();
  const stop = new AbortController();
  const output: { -readonly [K in keyof ClaudeTurnOutput]: ClaudeTurnOutput[K] } = {
    result: undefined,
    limit: undefined,
    isAuthenticationError: false,
  };
  let verdict: EarlyTurnEnd | undefined;

  const endEarly = (why: EarlyTurnEnd | undefined) => {
    if (why === undefined) return;
    verdict ??= why;
    stop.abort();
  };

  function processLine(line: StreamLine): readonly AgentLine[] {
    switch (line.type) {
      case 'system':
        if (line.subtype === 'init') onSessionStored(line.session_id);
        endEarly(line.subtype === 'init' ? findMissingTools(line) : judgeApiRetry(line, Date.now()));
        return [];
      case 'assistant':
        output.isAuthenticationError = line.error === 'authentication_failed';
        onPromptStored();
        return extractAgentLines(line);
      case 'user':
        onPromptStored();
        return extractAgentLines(line);
      case 'stream_event':
        onPromptStored();
        return meter.recordEvent(line);
      case 'rate_limit_event':
        output.limit = line.rate_limit_info;
        return [];
      case 'result':
        output.result = line;
        return meter.recordResult(line);
    }
  }

  const silenceError = new LegionError(
    'agent.failed',
    `Claude Code printed nothing within ${timeouts.firstLine} ms`,
  );
  let timer = setTimeout(() => endEarly(silenceError), timeouts.firstLine);
  const onLine = (text: string | undefined) => {
    clearTimeout(timer);
    const line = text === undefined ? undefined : readStreamLine(text);
    if (line !== undefined) for (const each of processLine(line)) emit(each);
    if (output.result !== undefined) timer = setTimeout(() => stop.abort(), timeouts.leaving);
  };
  const endLeftovers = createLeftoverCleanup(command.env);
  try {
    const exit = await runTurnProcess(command, onLine, AbortSignal.any([interrupt, stop.signal]));
    if (output.result === undefined) await endLeftovers();
    if (verdict instanceof LegionError) throw verdict;
    const end = verdict ?? judgeEnding(output, exit, interrupt.aborted);
    if (output.result !== undefined) onPromptStored();
    return end;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Terminates commands left over from a turn without a result. Such commands run in their own
 * process sessions and would keep changing the workspace after another worker has taken it over.
 * Keeps processes that earlier turns left running on purpose, such as a server.
 */
function createLeftoverCleanup(env: TurnProcess['env']): () => Promise<void> {
  // Without a host's marker, this process does not own its group and must not end the group's other
  // members.
  if (env[MARKER_VARIABLE] === undefined) return async () => undefined;
  const group = openOwnGroup(env);
  const before = group.listMembers();
  return () => group.endOthers(before);
}

/**
 * Models whose prices the agent knows, whichever provider sells them. The agent only guesses the
 * prices of other models.
 */
const PRICED_MODEL_PATTERN = /claude/i;

/**
 * Measures the usage of one agent process. Adds tokens as they are streamed. At the end of a turn,
 * adds the cost and the tokens that were not streamed.
 */
export class UsageMeter {
  #in = 0;
  #out = 0;
  #usd = 0;

  /** Counts cached input tokens as input. */
  recordEvent({ event }: StreamLineOf<'stream_event'>): readonly AgentLine[] {
    if (event.type === 'message_delta') return this.#add(0, event.usage.output_tokens);
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = event.message.usage;
    return this.#add(input_tokens + cache_creation_input_tokens + cache_read_input_tokens, 0);
  }

  /**
   * Adds the usage of subagents and internal requests, which is not streamed but is included in the
   * result's totals.
   */
  recordResult({ modelUsage, total_cost_usd }: StreamLineOf<'result'>): readonly AgentLine[] {
    let tokensIn = 0;
    let tokensOut = 0;
    for (const each of Object.values(modelUsage)) {
      tokensIn += each.inputTokens + each.cacheReadInputTokens + each.cacheCreationInputTokens;
      tokensOut += each.outputTokens;
    }
    const isPriced = Object.keys(modelUsage).every((model) => PRICED_MODEL_PATTERN.test(model));
    const usd = isPriced ? Math.max(0, total_cost_usd - this.#usd) : 0;
    return this.#add(Math.max(0, tokensIn - this.#in), Math.max(0, tokensOut - this.#out), usd);
  }

  #add(tokensIn: number, tokensOut: number, usd = 0): readonly AgentLine[] {
    this.#in += tokensIn;
    this.#out += tokensOut;
    this.#usd += usd;
    if (tokensIn === 0 && tokensOut === 0 && usd === 0) return [];
    return [{ type: 'usage', in: tokensIn, out: tokensOut, ...(usd === 0 ? {} : { usd }) }];
  }
}

export interface ClaudeTurnOutput {
  /** The last result. An agent with background work can report several. */
  readonly result: StreamLineOf<'result'> | undefined;
  /** The last reported quota state. */
  readonly limit: StreamLineOf<'rate_limit_event'>['rate_limit_info'] | undefined;
  /** True if the agent reported that its last request failed authentication. */
  readonly isAuthenticationError?: boolean;
}

/**
 * API status codes that mean that the login was refused. 403 means that the account does not have
 * permission to use the API.
 */
const LOGIN_STATUSES: readonly (number | null | undefined)[] = [401, 403];
/** Printed if the agent has no usable login and therefore never called the API. */
const NO_LOGIN_PATTERN = /^(?:Not logged in|Invalid API key|OAuth token (?:has expired|revoked))/m;
const UNKNOWN_SESSION_PATTERN = /No conversation found with session ID/;
/** Printed to standard error if the session id is taken. Standard output is then empty. */
const TAKEN_SESSION_PATTERN = /Session ID \S+ is already in use/;

/**
 * Derives how a turn ended from the agent's last output and its exit. Throws a fault whose code
 * starts with `agent.`. Ignores the exit code, because it is 0 for an interrupted turn and may be 0
 * for a turn that the API refused.
 */
export function judgeEnding(
  { result, limit, isAuthenticationError = false }: ClaudeTurnOutput,
  exit: TurnExit,
  isInterrupted: boolean,
): TurnEnd {
  if (result !== undefined && !result.is_error && !isAborted(result)) return { how: 'ended' };
  if (isInterrupted) return { how: 'interrupted' };
  if (result === undefined) throw createMissingResultError(exit);
  const texts = [result.result, ...result.errors].filter((text) => text !== undefined && text !== '');
  const message =
    texts.join('\n') || `Claude Code gave up: ${result.terminal_reason ?? 'no reason was given'}`;
  if (UNKNOWN_SESSION_PATTERN.test(message)) throw new LegionError('agent.session_unknown', message);
  if (limit?.status === 'rejected') return { how: 'rate limited', ...toResetAt(limit) };
  if (result.api_error_status === 429) return { how: 'rate limited' };
  if (
    isAuthenticationError ||
    LOGIN_STATUSES.includes(result.api_error_status) ||
    NO_LOGIN_PATTERN.test(message)
  )
    return { how: 'login refused', message };
  throw new LegionError('agent.failed', message);
}

/** Recognises an interrupt, which the agent may or may not report as an error. */
function isAborted({ terminal_reason }: StreamLineOf<'result'>): boolean {
  return terminal_reason?.startsWith('aborted') ?? false;
}

function toResetAt({ resetsAt }: { readonly resetsAt?: number | undefined }): { readonly resetAt?: number } {
  return resetsAt === undefined ? {} : { resetAt: resetsAt * 1_000 };
}

function createMissingResultError({ errors, code, signal }: TurnExit): LegionError {
  const text = errors.trim();
  if (TAKEN_SESSION_PATTERN.test(text)) return new LegionError('agent.session_taken', text);
  const exit = signal === null ? `code ${code}` : signal;
  return new LegionError(
    'agent.failed',
    `Claude Code ended with ${exit} and no result${text === '' ? '' : `: ${text}`}`,
  );
}

/**
 * Longest time, in milliseconds, that the agent itself may wait for quota. If the wait would be
 * longer, the turn ends and its slot is freed for another worker.
 */
const MAX_RATE_LIMIT_WAIT_MS = 30_000;

/**
 * Number of login rejections after which the turn ends. Without this limit, the agent would retry
 * ten times over several minutes.
 */
const MAX_LOGIN_REFUSALS = 2;

export type EarlyTurnEnd = TurnEnd | LegionError;

/**
 * Ends a turn in which Legion's tools are missing: the agent would burn quota and could not report
 * anything.
 */
export function findMissingTools({ mcp_servers }: InitLine): EarlyTurnEnd | undefined {
  const status = mcp_servers.find(({ name }) => name === MCP_SERVER)?.status ?? 'missing';
  if (status === 'connected') return undefined;
  return new LegionError(
    'agent.failed',
    `the MCP server ${MCP_SERVER}, which provides Legion's tools, is ${status}`,
  );
}

/** Ends a turn whose agent would wait in vain for its quota or login. */
export function judgeApiRetry(retry: ApiRetryLine, now: number): EarlyTurnEnd | undefined {
  const { attempt, retry_delay_ms, error_status, error } = retry;
  if (error_status === 429 && retry_delay_ms >= MAX_RATE_LIMIT_WAIT_MS)
    return { how: 'rate limited', resetAt: now + Math.ceil(retry_delay_ms) };
  if (LOGIN_STATUSES.includes(error_status) && attempt >= MAX_LOGIN_REFUSALS)
    return { how: 'login refused', message: `${error_status} ${error}` };
  return undefined;
}

type InitLine = Extract<StreamLineOf<'system'>, { readonly subtype: 'init' }>;
type ApiRetryLine = Extract<StreamLineOf<'system'>, { readonly subtype: 'api_retry' }>;
