/** The steps of honest work in the workspace: words, files, commands, commits. */
import { z } from 'zod';
import { type Form, orList, orNothing, orText } from '../form.ts';
import { duration } from '../quantity.ts';
import { relativePath } from '../relative-path.ts';

/** Longer pauses are a hang, and there is a step for that. */
const THINK_MOST_MS = 3_600_000;
/** The longest a command of a scenario may take: two hours is what health allows a tool. */
const COMMAND_MOST_MS = 7_200_000;
/** Where nothing is said; a test suite of some minutes fits. */
const COMMAND_MS = 600_000;
/** Characters of one file a scenario writes. */
const CONTENT_MOST = 1_000_000;
const TEXT_MOST = 32_768;
/** More arguments than this are a file's content in the wrong place. */
const ARGUMENTS_MOST = 200;

const text = z.string().min(1).max(TEXT_MOST);
const content = z.string().max(CONTENT_MOST);
const argument = z
  .string()
  .max(TEXT_MOST)
  .refine((value) => !value.includes('\0'), 'contains a NUL');
const program = argument.refine((value) => value !== '', 'names no program');
const argv = z.tuple([program], argument).refine((all) => all.length <= ARGUMENTS_MOST, 'is too long');
const timeout = duration(COMMAND_MOST_MS).default(COMMAND_MS);
const count = z.int().nonnegative();
const identifier = z.string().regex(/^[\w./-]{1,200}$/);

const ARGV = 'a list of the program and its arguments';

export const WORK = {
  say: { input: text, allowed: 'a text' },
  think: { input: duration(THINK_MOST_MS), allowed: 'a duration of at most 1h, such as 200ms or 2s' },
  write: { input: z.strictObject({ path: relativePath, content }), allowed: '{ path, content }' },
  append: { input: z.strictObject({ path: relativePath, content }), allowed: '{ path, content }' },
  replace: {
    input: z.strictObject({ path: relativePath, find: z.string().min(1).max(CONTENT_MOST), with: content }),
    allowed: '{ path, find, with }',
  },
  remove: { input: orText('path', z.strictObject({ path: relativePath })), allowed: 'a path' },
  run: {
    input: orList(
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
    input: orText(
      'message',
      z.strictObject({
        message: text,
        /** Added even where the repository ignores them. */
        include: z.array(relativePath).max(ARGUMENTS_MOST).default([]),
      }),
    ),
    allowed: 'a message, or { message, include: paths that are added even if ignored }',
  },
  merge_base: {
    input: orNothing(
      z.strictObject({ ref: identifier.optional(), prefer: z.enum(['ours', 'theirs']).optional() }),
    ),
    allowed: 'true, or { ref, prefer: ours or theirs }',
  },
  verdict_from: {
    input: orList(
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
} as const satisfies Readonly<Record<string, Form>>;
