/** Decodes external data with a schema. Error messages state the exact location of the problem. */
import { z } from 'zod';
import { createFault, type Fault, fail, MAX_QUOTED_LENGTH, ok, quoteText, type Result } from './fault.ts';

/** Problems beyond this number are counted but not described. */
const MAX_REPORTED_PROBLEMS = 5;

/**
 * `what` is the name of the data at the start of the message, such as `issue` in `issue.labels[2]:
 * expected string, got number`.
 */
export function decode<S extends z.ZodType>(schema: S, data: unknown, what: string): Result<z.output<S>> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return ok(parsed.data);
  const { issues } = parsed.error;
  const problems = describeFirstFew(issues, (issue) => describeProblem(issue, data, what));
  return fail(createFault('input.invalid', problems.join('; ')));
}

export function decodeJson<S extends z.ZodType>(schema: S, text: string, what: string): Result<z.output<S>> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return fail(createFault('input.invalid', `${what}: is not JSON`));
  }
  return decode(schema, data, what);
}

function describeFirstFew<T>(items: readonly T[], describe: (item: T) => string): string[] {
  const descriptions = items.slice(0, MAX_REPORTED_PROBLEMS).map(describe);
  const hidden = items.length - descriptions.length;
  return hidden > 0 ? [...descriptions, `and ${hidden} more`] : descriptions;
}

function describeProblem(issue: z.core.$ZodIssue, data: unknown, what: string): string {
  const location = what + issue.path.map(formatPathStep).join('');
  const got = describeValue(readValueAt(data, issue.path));
  switch (issue.code) {
    case 'invalid_type':
      return got === 'nothing'
        ? `${location}: is missing`
        : `${location}: expected ${issue.expected}, got ${got}`;
    case 'invalid_value':
      return `${location}: expected ${describeAllowedValues(issue.values)}, got ${got}`;
    case 'unrecognized_keys':
      return `${location}: unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${describeFirstFew(issue.keys, quoteText).join(', ')}`;
    case 'too_small':
      return `${location}: must be ${describeMeasure(issue.origin)}${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}, got ${got}`;
    case 'too_big':
      return `${location}: must be ${describeMeasure(issue.origin)}${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}, got ${got}`;
    case 'invalid_union':
      return `${location}: matches none of the allowed forms, got ${got}`;
    default:
      return `${location}: ${issue.message}, got ${got}`;
  }
}

function describeMeasure(origin: string): string {
  return origin === 'number' || origin === 'int' ? '' : 'of length ';
}

function describeAllowedValues(values: readonly unknown[]): string {
  const listed = values.map((value) => JSON.stringify(value));
  return listed.length === 1 ? `${listed[0]}` : `one of ${listed.join(', ')}`;
}

/** Keys may be untrusted too: only a plain name is shown without quotes. */
function formatPathStep(step: PropertyKey): string {
  if (typeof step === 'number') return `[${step}]`;
  const name = String(step);
  return name.length <= MAX_QUOTED_LENGTH && /^[\w-]+$/.test(name) ? `.${name}` : `[${quoteText(name)}]`;
}

function readValueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/** Describes a value in one short line. Never shows a long value, which may be hostile. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of length ${value.length}`;
  if (typeof value === 'string') {
    return value.length <= MAX_QUOTED_LENGTH ? quoteText(value) : `a string of length ${value.length}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  return typeof value;
}

/**
 * Far more levels than real data has. The schema library and JSON itself recurse and fail at a few
 * thousand levels.
 */
const MAX_DEPTH = 100;

/**
 * Free-form external JSON, such as a handoff, limited to a depth that every reader's stack can
 * handle.
 */
export const jsonSchema = z
  .unknown()
  .refine((value) => !isDeeperThan(MAX_DEPTH, value), `is nested deeper than ${MAX_DEPTH} levels`)
  .pipe(z.json());

/** Walks level by level, without recursion. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

const MAX_REPORTED_MESSAGES = 3;

/**
 * Builds the fault for a list without any usable entry: the first few messages, and how many more
 * there are.
 */
export function createRejectionFault(rejected: readonly { readonly message: string }[]): Fault {
  const messages = rejected.slice(0, MAX_REPORTED_MESSAGES).map(({ message }) => message);
  const hidden = rejected.length - messages.length;
  return createFault(
    'input.invalid',
    [...messages, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; '),
  );
}
