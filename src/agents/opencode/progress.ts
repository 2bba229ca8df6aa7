/**
 * Tracks a turn's progress from server events (whether it has started, and whether and how it
 * ended), and answers the server's requests during the turn.
 */

import { isAbsolute, relative, resolve } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { EmitAgentLine, TurnEnd } from '../runner/dialect.ts';
import type { OpencodeApi } from './api.ts';
import type {
  PermissionRequest,
  QuestionRequest,
  ServerEvent,
  SessionError,
  SessionStatus,
} from './events.ts';

/** Error that OpenCode reports for an interrupted turn, but only during the next turn. */
const ABORTED_ERROR = 'MessageAbortedError';

export interface OpencodeTurnProgress {
  readonly hasBegun: boolean;
  /** The last error, unless a successful response has followed it. */
  readonly problem: string | undefined;
  /**
   * Returns `over` if the turn has ended, a `TurnEnd` if the turn must be ended early, and
   * undefined otherwise. Throws `agent.failed` if the provider refused too many requests.
   */
  applyEvent(event: ServerEvent, now: number): 'over' | TurnEnd | undefined;
  /**
   * Call once the turn is over. Returns how the turn ended, or throws `agent.failed` with the
   * agent's error text.
   */
  judgeEnd(now: number): TurnEnd;
}

export function trackTurn(session: string): OpencodeTurnProgress {
  let hasBegun = false;
  let error: SessionError | undefined;
  return {
    get hasBegun() {
      return hasBegun;
    },
    get problem() {
      return error && describeSessionError(error);
    },
    applyEvent(event, now) {
      const isOwn = 'session' in event && (event.session ?? session) === session;
      // Also applies to a retry in a subsession, which waits for the same provider.
      if (event.kind === 'status' && event.status.type === 'retry') {
        hasBegun = true;
        return judgeRetry(event.status, now);
      }
      if (!isOwn) return undefined;
      if (event.kind === 'error' && event.error.name !== ABORTED_ERROR) error ??= event.error;
      // A response after the error means that the agent recovered, for example from an overlong
      // context.
      if (event.kind === 'answered') error = undefined;
      // Ignores an idle status before the session was busy, because the end of the previous turn is
      // reported twice.
      if (event.kind === 'status' && event.status.type === 'idle') return hasBegun ? 'over' : undefined;
      if (event.kind === 'status') hasBegun = true;
      return undefined;
    },
    judgeEnd: (now) => (error === undefined ? { how: 'ended' } : judgeError(error, now)),
  };
}

/**
 * Longest wait before a retry, in milliseconds. During a longer wait, the worker would block a slot
 * that another worker could use. The daemon can wait without a slot.
 */
const MAX_RETRY_WAIT_MS = 60_000;
/**
 * Maximum number of consecutive rate limit refusals. The waits between them are 2, 4 and 8 s unless
 * the provider specifies the wait.
 */
const MAX_RATE_LIMITED_RETRIES = 4;
/**
 * Maximum number of consecutive failures of any other kind. The waits of 2, 4, 8, 16, 30, 30 and 30
 * s add up to two minutes, longer than a provider takes to restart.
 */
const MAX_FAILED_RETRIES = 8;

const RATE_LIMIT_PATTERN =
  /\b429\b|rate.?limit|too many requests|(?:usage|quota|request|token)s?.{0,20}(?:limit|exceeded|exhausted)|slow down/i;

/**
 * Decides whether OpenCode may keep retrying. OpenCode itself retries forever, and a worker must
 * not block its slot for hours. Returns undefined while OpenCode may retry. Throws `agent.failed`
 * with the provider's error text after too many retries.
 */
export function judgeRetry(
  { attempt, message, next }: Extract<SessionStatus, { type: 'retry' }>,
  now: number,
): TurnEnd | undefined {
  const isLimited = RATE_LIMIT_PATTERN.test(message) && attempt >= MAX_RATE_LIMITED_RETRIES;
  if (isLimited || next - now > MAX_RETRY_WAIT_MS)
    return { how: 'rate limited', ...(next > now ? { resetAt: next } : {}) };
  if (attempt >= MAX_FAILED_RETRIES)
    throw new LegionError('agent.failed', `the provider refused ${attempt} times: ${message}`);
  return undefined;
}

/** Reported if the provider has no login at all. */
const AUTHENTICATION_ERROR = 'ProviderAuthError';
const LOGIN_STATUSES: readonly (number | undefined)[] = [401, 403];
/**
 * Reported if the model's login has disappeared since the preflight: the preflight found the model,
 * and OpenCode hides models that have no login.
 */
const NO_MODEL_PATTERN = /^Model not found\b/;

/**
 * Returns how the turn ended if quota or login is missing. Otherwise throws `agent.failed` with the
 * agent's error text.
 */
export function judgeError({ name, data = {} }: SessionError, now: number): TurnEnd {
  if (
    name === AUTHENTICATION_ERROR ||
    LOGIN_STATUSES.includes(data.statusCode) ||
    NO_MODEL_PATTERN.test(data.message ?? '')
  )
    return { how: 'login refused', message: describeSessionError({ name, data }) };
  if (data.statusCode !== 429) throw new LegionError('agent.failed', describeSessionError({ name, data }));
  const seconds = Number(data.responseHeaders?.['retry-after']);
  return {
    how: 'rate limited',
    ...(Number.isFinite(seconds) && seconds > 0 ? { resetAt: now + seconds * 1_000 } : {}),
  };
}

/** Returns only the first line of the message, because OpenCode appends its own stack trace. */
function describeSessionError({ name, data = {} }: SessionError): string {
  const { message = '', statusCode } = data;
  const [text = ''] = message.split('\n    at ');
  return [name, ...(statusCode === undefined ? [] : [statusCode]), text].join(' ').trim();
}

export interface RequestResponder {
  answerPermission(request: PermissionRequest): void;
  answerQuestion(request: QuestionRequest): void;
}

export interface ResponderContext {
  readonly api: OpencodeApi;
  readonly workspace: string;
  readonly emit: EmitAgentLine;
  /** Sends the question to the daemon, which forwards it to a person. */
  ask(question: string): Promise<unknown>;
}

/**
 * Answers OpenCode's requests during a turn: permissions immediately, questions by forwarding them
 * to a person.
 */
export function createResponder({ api, workspace, emit, ask }: ResponderContext): RequestResponder {
  /** Requests being answered. Each one arrives as an event and again when the server is polled. */
  const inProgress = new Set<string>();

  function answerOnce(id: string, reply: () => Promise<unknown>): void {
    if (inProgress.has(id)) return;
    inProgress.add(id);
    // If the reply fails, the next poll retries it.
    void reply().catch(() => inProgress.delete(id));
  }

  async function forwardQuestion(request: QuestionRequest): Promise<void> {
    const text = formatQuestion(request);
    // Closes the question even if the daemon refused `ask`. The reminder that follows tells the
    // agent how to report.
    await ask(text).then(
      () => emit({ type: 'question', text }),
      () => undefined,
    );
    // Rejecting the question ends the turn. The person's answer starts the next turn.
    await api.post(`/question/${request.id}/reject`);
  }

  return {
    answerPermission: (request) =>
      answerOnce(request.id, () =>
        api.post(`/permission/${request.id}/reply`, decidePermission(request, workspace)),
      ),
    answerQuestion: (request) => answerOnce(request.id, () => forwardQuestion(request)),
  };
}

/**
 * Permissions whose patterns are paths. The patterns of other permissions are commands, addresses
 * or names.
 */
const PATH_PERMISSIONS: readonly string[] = ['read', 'edit', 'write', 'list', 'glob', 'grep'];

const OUTSIDE_MESSAGE =
  'Work only in the workspace. Do not read or change anything outside it. Put temporary files in the workspace and remove them afterwards.';
const LOOP_MESSAGE =
  'You have repeated the same call several times without progress. Try something else. If nothing is left to try, ask a person with `ask` or report with `error`.';

/**
 * Answers OpenCode's permission requests, because no person watches a worker's terminal and an
 * unanswered request would hang the worker.
 */
export function decidePermission(
  { permission, patterns }: PermissionRequest,
  workspace: string,
): { readonly reply: 'once' | 'reject'; readonly message?: string } {
  if (permission === 'doom_loop') return { reply: 'reject', message: LOOP_MESSAGE };
  const isOutside =
    permission === 'external_directory' ||
    (PATH_PERMISSIONS.includes(permission) &&
      patterns.some((pattern) => isOutsideWorkspace(pattern, workspace)));
  return isOutside ? { reply: 'reject', message: OUTSIDE_MESSAGE } : { reply: 'once' };
}

function isOutsideWorkspace(pattern: string, workspace: string): boolean {
  const path = relative(workspace, resolve(workspace, pattern));
  return path === '..' || path.startsWith('../') || isAbsolute(path);
}

/**
 * Maximum length that `ask` accepts. A longer question is truncated, because losing the whole
 * question would be worse.
 */
const MAX_QUESTION_CHARS = 10_000;

/** Formats a question from OpenCode's own tool for the inbox. */
export function formatQuestion({ questions }: QuestionRequest): string {
  const text = questions.map(({ question, options }) => [question, ...options.map(formatOption)].join('\n'));
  return text.join('\n\n').slice(0, MAX_QUESTION_CHARS);
}

function formatOption({
  label,
  description,
}: QuestionRequest['questions'][number]['options'][number]): string {
  return description === undefined || description === '' ? `- ${label}` : `- ${label}: ${description}`;
}
