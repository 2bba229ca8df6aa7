/** The one way data from outside becomes ours: a schema, and a message that names the exact place. */
import type { z } from 'zod';
import { failed, fault, ok, type Result, SHOWN_LENGTH, shown } from '../core/model/fault.ts';

/** More than this many complaints help nobody; the rest are counted. */
const COMPLAINTS_SHOWN = 5;

/** `what` names the thing in the message, as in `issue.labels[2]: expected string, got number`. */
export function decode<S extends z.ZodType>(schema: S, data: unknown, what: string): Result<z.output<S>> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return ok(parsed.data);
  const { issues } = parsed.error;
  const complaints = firstFew(issues, (issue) => complaint(issue, data, what));
  return failed(fault('input.invalid', complaints.join('; ')));
}

export function decodeJson<S extends z.ZodType>(schema: S, text: string, what: string): Result<z.output<S>> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return failed(fault('input.invalid', `${what}: is not JSON`));
  }
  return decode(schema, data, what);
}

function firstFew<T>(items: readonly T[], say: (item: T) => string): string[] {
  const said = items.slice(0, COMPLAINTS_SHOWN).map(say);
  const hidden = items.length - said.length;
  return hidden > 0 ? [...said, `and ${hidden} more`] : said;
}

function complaint(issue: z.core.$ZodIssue, data: unknown, what: string): string {
  const place = what + issue.path.map(pathStep).join('');
  const got = describe(valueAt(data, issue.path));
  switch (issue.code) {
    case 'invalid_type':
      return got === 'nothing' ? `${place}: is missing` : `${place}: expected ${issue.expected}, got ${got}`;
    case 'invalid_value':
      return `${place}: expected ${oneOf(issue.values)}, got ${got}`;
    case 'unrecognized_keys':
      return `${place}: unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${firstFew(issue.keys, shown).join(', ')}`;
    case 'too_small':
      return `${place}: must be ${measure(issue.origin)}${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}, got ${got}`;
    case 'too_big':
      return `${place}: must be ${measure(issue.origin)}${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}, got ${got}`;
    case 'invalid_union':
      return `${place}: is none of the allowed forms, got ${got}`;
    default:
      return `${place}: ${issue.message}, got ${got}`;
  }
}

function measure(origin: string): string {
  return origin === 'number' || origin === 'int' ? '' : 'of length ';
}

function oneOf(values: readonly unknown[]): string {
  const listed = values.map((value) => JSON.stringify(value));
  return listed.length === 1 ? `${listed[0]}` : `one of ${listed.join(', ')}`;
}

/** A key may come from outside as well: only one that is plainly a name is shown bare. */
function pathStep(step: PropertyKey): string {
  if (typeof step === 'number') return `[${step}]`;
  const name = String(step);
  return name.length <= SHOWN_LENGTH && /^[\w-]+$/.test(name) ? `.${name}` : `[${shown(name)}]`;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/** Short enough for one line, and never the whole of a hostile value. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of length ${value.length}`;
  if (typeof value === 'string') {
    return value.length <= SHOWN_LENGTH ? shown(value) : `a string of length ${value.length}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  return typeof value;
}
