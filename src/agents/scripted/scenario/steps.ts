/**
 * Defines the steps of a scenario: work in the workspace, calls to the daemon, and misbehaviour.
 */
import { z } from 'zod';
import { VERBS } from '../../../protocol/verb.ts';

export interface StepDefinition {
  readonly input: z.ZodType;
  /** Valid form of the value, shown beside an error. */
  readonly allowed: string;
}

/** A plain string stands for an object with only that field. */
function withTextShorthand<T extends z.ZodType>(field: string, schema: T) {
  return z.preprocess((value) => (typeof value === 'string' ? { [field]: value } : value), schema);
}

/** A plain list stands for an object with only that field. */
function withListShorthand<T extends z.ZodType>(field: string, schema: T) {
  return z.preprocess((value) => (Array.isArray(value) ? { [field]: value } : value), schema);
}

/** Accepts `push: true`, `push: {}`, or `push:` without a value. */
function withEmptyShorthand<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === true || value === null ? {} : value), schema);
}

/** In milliseconds per unit. */
const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** In bytes per unit; powers of ten, as in the configuration. */
const SIZE_UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

/** Accepts a duration such as `200ms`, `2s`, `5m` or `1h`. Parses to milliseconds. */
function createDurationSchema(maxMs: number) {
  return createQuantitySchema(
    (text) => parseAmount(text, DURATION_UNITS),
    0,
    maxMs,
    'is not a duration within the allowed range',
  );
}

/** Accepts a size such as `4096`, `64KB` or `10MB`; a bare number is bytes. Parses to bytes. */
function createSizeSchema(min: number, max: number) {
  const read = (value: string | number) =>
    typeof value === 'number' ? value : parseAmount(value, SIZE_UNITS);
  return createQuantitySchema(read, min, max, 'is not a size within the allowed range');
}

function createQuantitySchema(
  read: (value: string | number) => number | undefined,
  min: number,
  max: number,
  problem: string,
) {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const amount = read(value);
    if (amount !== undefined && Number.isSafeInteger(amount) && amount >= min && amount <= max) return amount;
    context.addIssue(problem);
    return z.NEVER;
  });
}

function parseAmount(value: string | number, units: Readonly<Record<string, number>>): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?) ?([A-Za-z]{1,2})$/.exec(String(value)) ?? [];
  const scale = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return amount === undefined || scale === undefined ? undefined : Math.round(Number(amount) * scale);
}

/** Longer than any path that can be checked out on other operating systems. */
const MAX_PATH_CHARS = 1_024;

const relativePath = z.string().superRefine((path, context) => {
  const problem = findPathProblem(path);
  if (problem !== undefined) context.addIssue(problem);
});

/**
 * Validates a scenario's file paths: relative, inside the workspace and outside git's directory.
 * Ignores links; they are checked when the file is accessed.
 */
export function findPathProblem(path: string): string | undefined {
  if (path === '' || path.length > MAX_PATH_CHARS) return `must have 1 to ${MAX_PATH_CHARS} characters`;
  if (path.includes('\0') || path.includes('\\')) return 'contains a NUL character or a backslash';
  if (path.startsWith('/')) return 'is absolute, expected a path inside the workspace';
  const parts = path.split('/');
  if (parts.includes('..')) return 'contains "..", which may lead outside the workspace';
  if (parts.some((part) => part === '' || part === '.')) return 'has an empty segment or "."';
  return hasGitFolder(parts) ? 'refers to git’s own directory' : undefined;
}

/** Matches every spelling that some file system treats as `.git`. */
export function hasGitFolder(parts: readonly string[]): boolean {
  return parts.some((part) => part.toLowerCase() === '.git');
}

/** An escaped process must eventually exit by itself, so its duration is limited. */
const MAX_ESCAPE_MS = 600_000;
/** No quota window is longer than this. */
const MAX_RESET_MS = 7 * 24 * 3_600_000;
/** Minimum size of a flood: enough bytes for one line. */
const MIN_FLOOD_BYTES = 64;
const MAX_FLOOD_BYTES = 1e9;
const MAX_GARBAGE_LINES = 100_000;

const exitCode = z.int().min(0).max(255);

/** Steps of a misbehaving agent. Each one misbehaves in one way that is visible from outside. */
export const MISBEHAVIOUR_STEPS = {
  crash: {
    input: z.union([exitCode, z.enum(['SIGKILL', 'SIGSEGV', 'SIGABRT'])]),
    allowed: 'an exit code, or one of SIGKILL, SIGSEGV, SIGABRT',
  },
  exit: { input: exitCode, allowed: 'an exit code' },
  hang: { input: z.enum(['silent', 'busy']), allowed: 'silent or busy' },
  lie: { input: withTextShorthand('summary', VERBS.done.input), allowed: 'a summary' },
  lose_session: { input: z.literal(true), allowed: 'true' },
  ignore_term: { input: z.literal(true), allowed: 'true' },
  escape: { input: createDurationSchema(MAX_ESCAPE_MS), allowed: 'a duration of at most 10m, such as 30s' },
  flood: {
    input: z.strictObject({
      bytes: createSizeSchema(MIN_FLOOD_BYTES, MAX_FLOOD_BYTES),
      one_line: z.boolean().default(false),
    }),
    allowed: '{ bytes: 64 to 1GB, one_line }',
  },
  rate_limited: {
    input: z.strictObject({ reset_in: createDurationSchema(MAX_RESET_MS).optional() }),
    allowed: '{ reset_in: a duration of at most 168h }, or {}',
  },
  garbage: {
    input: z.strictObject({ lines: z.int().min(1).max(MAX_GARBAGE_LINES) }),
    allowed: '{ lines }',
  },
} as const satisfies Readonly<Record<string, StepDefinition>>;

/** Steps that call the daemon: each is a worker verb with that verb's own schema. */
export const VERB_STEPS = {
  issue: { input: withEmptyShorthand(VERBS.issue.input), allowed: 'true' },
  status: {
    input: withEmptyShorthand(withTextShorthand('text', VERBS.status.input)),
    allowed: 'true, or a string',
  },
  checkpoint: {
    input: withTextShorthand('stage', VERBS.checkpoint.input),
    allowed: 'a stage, or { stage, completed, remaining, lastAction }',
  },
  handoff: {
    input: withTextShorthand('summary', VERBS.handoff_write.input),
    allowed: 'a summary, or { summary, decided, done, left, files, tests, details }',
  },
  handoff_read: { input: withEmptyShorthand(VERBS.handoff_read.input), allowed: 'true, or { phase }' },
  comment: { input: withTextShorthand('text', VERBS.comment.input), allowed: 'a string, or { text, key }' },
  message: { input: VERBS.message.input, allowed: '{ to, text }' },
  ask: { input: withTextShorthand('question', VERBS.ask.input), allowed: 'a question' },
  split: {
    input: VERBS.split.input,
    allowed: '{ revision, children: a list of { title, body, labels, priority, after } }',
  },
  push: { input: withEmptyShorthand(VERBS.push.input), allowed: 'true' },
  pr_open: { input: VERBS.pr_open.input, allowed: '{ title, body, draft }' },
  pr_edit: { input: VERBS.pr_edit.input, allowed: '{ title, body }, one of them or both' },
  pr_show: { input: withEmptyShorthand(VERBS.pr_show.input), allowed: 'true' },
  ci: { input: withEmptyShorthand(VERBS.ci.input), allowed: 'true' },
  pr_ready: { input: withEmptyShorthand(VERBS.pr_ready.input), allowed: 'true' },
  verdict: {
    input: withTextShorthand('result', VERBS.verdict.input),
    allowed: 'pass or fail, or { result, suites, detail }',
  },
  review: { input: VERBS.review.input, allowed: '{ verdict: approve or request-changes, text }' },
  plan_review: { input: VERBS.plan_review.input, allowed: '{ verdict: approve or request-changes, text }' },
  merge: { input: withEmptyShorthand(VERBS.merge.input), allowed: 'true' },
  done: {
    input: withTextShorthand('summary', VERBS.done.input),
    allowed: 'a summary, or { summary, sentBack }',
  },
  error: { input: withTextShorthand('summary', VERBS.error.input), allowed: 'a summary' },
} as const satisfies Readonly<Record<string, StepDefinition>>;

/** Maximum pause. To simulate a hang, use the `hang` step instead. */
const MAX_THINK_MS = 3_600_000;
/** Maximum duration of a scenario's command: the two hours that the health check allows a tool. */
const MAX_COMMAND_MS = 7_200_000;
/** Default time limit of a command, enough for a test suite that takes a few minutes. */
const DEFAULT_COMMAND_MS = 600_000;
/** Maximum number of characters in one file that a scenario writes. */
const MAX_CONTENT_CHARS = 1_000_000;
const MAX_STEP_TEXT_CHARS = 32_768;
/** More arguments than this are probably a file's content in the wrong field. */
const MAX_ARGUMENTS = 200;

const text = z.string().min(1).max(MAX_STEP_TEXT_CHARS);
const content = z.string().max(MAX_CONTENT_CHARS);
const argument = z
  .string()
  .max(MAX_STEP_TEXT_CHARS)
  .refine((value) => !value.includes('\0'), 'contains a NUL');
const program = argument.refine((value) => value !== '', 'does not specify a program');
const argv = z.tuple([program], argument).refine((all) => all.length <= MAX_ARGUMENTS, 'is too long');
const timeout = createDurationSchema(MAX_COMMAND_MS).default(DEFAULT_COMMAND_MS);
const count = z.int().nonnegative();
const identifier = z.string().regex(/^[\w./-]{1,200}$/);

const ARGV = 'a list with the program and its arguments';

/** Steps of honest work in the workspace: text, files, commands, commits. */
export const WORK_STEPS = {
  say: { input: text, allowed: 'a text' },
  think: {
    input: createDurationSchema(MAX_THINK_MS),
    allowed: 'a duration of at most 1h, such as 200ms or 2s',
  },
  write: { input: z.strictObject({ path: relativePath, content }), allowed: '{ path, content }' },
  append: { input: z.strictObject({ path: relativePath, content }), allowed: '{ path, content }' },
  replace: {
    input: z.strictObject({
      path: relativePath,
      find: z.string().min(1).max(MAX_CONTENT_CHARS),
      with: content,
    }),
    allowed: '{ path, find, with }',
  },
  remove: { input: withTextShorthand('path', z.strictObject({ path: relativePath })), allowed: 'a path' },
  run: {
    input: withListShorthand(
      'argv',
      z.strictObject({
        argv,
        expect: z.union([z.int().min(0).max(255), z.literal('any')]).default(0),
        timeout,
      }),
    ),
    allowed: `${ARGV}, or { argv, expect: an exit code or any, timeout }`,
  },
  commit: {
    input: withTextShorthand(
      'message',
      z.strictObject({
        message: text,
        /** Files that are committed even if the repository ignores them. */
        include: z.array(relativePath).max(MAX_ARGUMENTS).default([]),
      }),
    ),
    allowed: 'a message, or { message, include: paths that are added even if ignored }',
  },
  merge_base: {
    input: withEmptyShorthand(
      z.strictObject({ ref: identifier.optional(), prefer: z.enum(['ours', 'theirs']).optional() }),
    ),
    allowed: 'true, or { ref, prefer: ours or theirs }',
  },
  verdict_from: {
    input: withListShorthand(
      'argv',
      z.strictObject({
        argv,
        suites: z.array(z.string().trim().min(1).max(100)).max(100).default(['unit']),
        timeout,
      }),
    ),
    allowed: `${ARGV}, or { argv, suites, timeout }`,
  },
  usage: {
    input: z.strictObject({ in: count, out: count, usd: z.number().nonnegative().optional() }),
    allowed: '{ in, out, usd }',
  },
  turn: { input: z.literal(true), allowed: 'true' },
  await_stop: {
    input: withEmptyShorthand(
      z.strictObject({ working: text.optional(), for: createDurationSchema(MAX_THINK_MS).default(0) }),
    ),
    allowed: 'true, or { working: a reason, for: a duration of at most 1h }',
  },
} as const satisfies Readonly<Record<string, StepDefinition>>;
