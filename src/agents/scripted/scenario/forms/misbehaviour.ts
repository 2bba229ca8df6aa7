/** The steps of an agent that behaves badly, each in one way that can be seen from outside. */
import { z } from 'zod';
import { VERBS } from '../../../../protocol/verb.ts';
import { type Form, orText } from '../form.ts';
import { duration, size } from '../quantity.ts';

/** A process that escapes must end by itself one day, also where nobody looks for it. */
const ESCAPE_MOST_MS = 600_000;
/** A reset further away than this is no quota window. */
const RESET_MOST_MS = 7 * 24 * 3_600_000;
/** One line needs that much. */
const FLOOD_LEAST_BYTES = 64;
const FLOOD_MOST_BYTES = 1e9;
const GARBAGE_MOST_LINES = 100_000;

const exitCode = z.int().min(0).max(255);

export const MISBEHAVIOUR = {
  crash: {
    input: z.union([exitCode, z.enum(['SIGKILL', 'SIGSEGV', 'SIGABRT'])]),
    allowed: 'an exit code, or one of SIGKILL, SIGSEGV, SIGABRT',
  },
  exit: { input: exitCode, allowed: 'an exit code' },
  hang: { input: z.enum(['silent', 'busy']), allowed: 'silent or busy' },
  lie: { input: orText('summary', VERBS.done.input), allowed: 'a summary' },
  lose_session: { input: z.literal(true), allowed: 'true' },
  ignore_term: { input: z.literal(true), allowed: 'true' },
  escape: { input: duration(ESCAPE_MOST_MS), allowed: 'a duration of at most 10m, such as 30s' },
  flood: {
    input: z.strictObject({
      bytes: size(FLOOD_LEAST_BYTES, FLOOD_MOST_BYTES),
      one_line: z.boolean().default(false),
    }),
    allowed: '{ bytes: 64 to 1GB, one_line }',
  },
  rate_limited: {
    input: z.strictObject({ reset_in: duration(RESET_MOST_MS).optional() }),
    allowed: '{ reset_in: a duration of at most 168h }, or {}',
  },
  garbage: {
    input: z.strictObject({ lines: z.int().min(1).max(GARBAGE_MOST_LINES) }),
    allowed: '{ lines }',
  },
} as const satisfies Readonly<Record<string, Form>>;
