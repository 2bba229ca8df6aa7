/** Finds the issues in an answer of Linear's API or its MCP server, whatever they are wrapped in. */
import { failed, fault, ok, type Result, shown } from '../../../core/model/fault.ts';
import type { RejectedEntry } from '../../../ports/tracker.ts';
import { identifierIn } from '../../../trackers/linear/posted/identifier.ts';

/** An issue that is not validated yet, and its place, such as `data.issues.nodes[3]`. */
interface FoundEntry {
  readonly value: unknown;
  readonly path: string;
}

export interface FoundEntries {
  readonly found: readonly FoundEntry[];
  readonly rejected: readonly RejectedEntry[];
}

/** Boards have fewer; what is longer is not a list of issues. */
export const POSTED_MOST = 10_000;

/** Wrappings around each other: an answer of a protocol around one of a tool, around text, around one of GraphQL, is eight. */
const WRAPPINGS_MOST = 12;

/** Keys under which there are issues, in the order in which they are looked for. */
const WRAPPERS = [
  ...['issues', 'nodes', 'issue', 'data', 'result', 'structuredContent'],
  ...['team', 'project', 'viewer', 'assignedIssues', 'searchIssues', 'issueSearch'],
] as const;

export function findIssues(posted: unknown): Result<FoundEntries> {
  return findWithin(posted, '', 0);
}

function findWithin(value: unknown, path: string, depth: number): Result<FoundEntries> {
  if (depth > WRAPPINGS_MOST) return refuse(path, 'is wrapped too often to be an answer of Linear');
  if (Array.isArray(value)) return findInList(value, path, depth);
  if (typeof value !== 'object' || value === null)
    return refuse(path, `expected issues, got ${value === null ? 'null' : kindOf(value)}`);
  const fields = new Map(Object.entries(value));
  if (fields.get('isError') === true) return refuse(joinPath(path, 'isError'), 'the tool has failed');
  const errors = fields.get('errors');
  const found = findInObject(value, fields, path, depth);
  return Array.isArray(errors) && errors.length > 0 ? rejectByErrors(found, errors, path) : found;
}

function findInObject(
  value: object,
  fields: ReadonlyMap<string, unknown>,
  path: string,
  depth: number,
): Result<FoundEntries> {
  const content = fields.get('content');
  if (Array.isArray(content)) return findInTexts(content, joinPath(path, 'content'), depth);
  if (fields.has('title') || fields.has('identifier'))
    return ok({ found: [{ value, path: path || 'issue' }], rejected: [] });
  const key = WRAPPERS.find((each) => (fields.get(each) ?? undefined) !== undefined);
  return key === undefined
    ? refuse(path, `has no issues; expected a list of them, or one of ${WRAPPERS.join(', ')}`)
    : findWithin(fields.get(key), joinPath(path, key), depth + 1);
}

/** A list of issues, or the parts of an MCP tool's result. */
function findInList(list: readonly unknown[], path: string, depth: number): Result<FoundEntries> {
  if (list.length > POSTED_MOST)
    return refuse(path, `must be of length at most ${POSTED_MOST}, got array of length ${list.length}`);
  if (list.length > 0 && list.every(isPart)) return findInTexts(list, path, depth);
  return ok({ found: list.map((value, index) => ({ value, path: `${path}[${index}]` })), rejected: [] });
}

/** Each text is JSON of its own: a server may put everything into one, or each issue into another. */
function findInTexts(parts: readonly unknown[], path: string, depth: number): Result<FoundEntries> {
  if (parts.length > POSTED_MOST)
    return refuse(path, `must be of length at most ${POSTED_MOST}, got array of length ${parts.length}`);
  const found: FoundEntry[] = [];
  const rejected: RejectedEntry[] = [];
  for (const [index, part] of parts.entries()) {
    if (!isPart(part) || part.type !== 'text') continue;
    const place = `${path}[${index}].text`;
    const json = parseText(part.text, place);
    const entries = json.ok ? findWithin(json.value, place, depth + 1) : json;
    if (!entries.ok) rejected.push({ path: place, message: entries.fault.message });
    else {
      for (const entry of entries.value.found) found.push(entry);
      for (const entry of entries.value.rejected) rejected.push(entry);
    }
    if (found.length + rejected.length > POSTED_MOST)
      return refuse(path, `has more than ${POSTED_MOST} issues`);
  }
  return parts.some((part) => isPart(part) && part.type === 'text')
    ? ok({ found, rejected })
    : refuse(path, 'has no text');
}

function parseText(text: unknown, path: string): Result<unknown> {
  if (typeof text !== 'string') return refuse(path, `expected string, got ${kindOf(text)}`);
  try {
    return ok(JSON.parse(text));
  } catch {
    return refuse(path, `expected JSON, got ${shown(text)}`);
  }
}

/** No issue has a `type`. */
function isPart(value: unknown): value is { readonly type: string; readonly text?: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return shown(value);
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : typeof value;
}

function refuse(path: string, complaint: string) {
  return failed(fault('input.invalid', `${path || 'body'}: ${complaint}`));
}

/** Any other error means that issues may be missing, so that the whole answer is refused. */
function rejectByErrors(
  found: Result<FoundEntries>,
  errors: readonly unknown[],
  path: string,
): Result<FoundEntries> {
  if (!found.ok) return refuseAnswer(errors, path);
  const entries = new Map(found.value.found.map((entry) => [entry.path, entry]));
  const rejected = new Map<string, RejectedEntry>();
  for (const error of errors) {
    const places = placesOf(error, path);
    const entry = places.map((place) => entries.get(place)).find((each) => each !== undefined);
    if (entry === undefined) return refuseAnswer(errors, path);
    const message = `${places.at(-1)}: ${messageOf(error)}`;
    rejected.set(entry.path, { path: entry.path, id: identifierIn(entry.value), message });
  }
  return ok({
    found: found.value.found.filter((entry) => !rejected.has(entry.path)),
    rejected: [...found.value.rejected, ...rejected.values()],
  });
}

/** A GraphQL path has a step for each level of the document; deeper ones are not Linear's. */
const MAX_STEPS = 20;

/** Each place on the way to the error, as in `data.issues`, `data.issues.nodes`, `data.issues.nodes[3]`. */
function placesOf(error: unknown, path: string): readonly string[] {
  const steps = typeof error === 'object' && error !== null && 'path' in error ? error.path : undefined;
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) return [];
  let place = path === '' ? 'data' : `${path}.data`;
  return steps.map((step: unknown) => {
    place += typeof step === 'number' ? `[${step}]` : `.${String(step)}`;
    return place;
  });
}

function messageOf(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? shown(message) : 'an error without a message';
}

function refuseAnswer(errors: readonly unknown[], path: string) {
  const place = path === '' ? 'errors' : `${path}.errors`;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors, the first`;
  return failed(fault('input.invalid', `${place}: this answer has ${count}: ${messageOf(errors[0])}`));
}
