/** Where the issues are in what Linear's API or its MCP server has answered, whatever they are wrapped into. */
import { fault } from '../../../domain/fault.ts';
import { failed, ok, type Result } from '../../../domain/result.ts';
import { shown } from '../../../domain/shown.ts';

/** An issue that nobody has read yet, and where it was found, as in `data.issues.nodes[3]`. */
export interface Found {
  readonly value: unknown;
  readonly path: string;
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

export function findIssues(posted: unknown): Result<readonly Found[]> {
  return within(posted, '', 0);
}

function within(value: unknown, path: string, depth: number): Result<readonly Found[]> {
  if (depth > WRAPPINGS_MOST) return refused(path, 'is wrapped too often to be an answer of Linear');
  if (Array.isArray(value)) return inList(value, path, depth);
  if (typeof value !== 'object' || value === null)
    return refused(path, `expected issues, got ${value === null ? 'null' : kindOf(value)}`);
  const fields = new Map(Object.entries(value));
  const complaint = complaintIn(fields, path);
  if (complaint !== undefined) return complaint;
  const content = fields.get('content');
  if (Array.isArray(content)) return inTexts(content, at(path, 'content'), depth);
  if (fields.has('title') || fields.has('identifier')) return ok([{ value, path: path || 'issue' }]);
  const key = WRAPPERS.find((each) => (fields.get(each) ?? undefined) !== undefined);
  return key === undefined
    ? refused(path, `has no issues; expected a list of them, or one of ${WRAPPERS.join(', ')}`)
    : within(fields.get(key), at(path, key), depth + 1);
}

/** A list of issues, or what a tool of the MCP server has said, part by part. */
function inList(list: readonly unknown[], path: string, depth: number): Result<readonly Found[]> {
  if (list.length > 0 && list.every(isPart)) return inTexts(list, path, depth);
  if (list.length > POSTED_MOST)
    return refused(path, `must be of length at most ${POSTED_MOST}, got array of length ${list.length}`);
  return ok(list.map((value, index) => ({ value, path: `${path}[${index}]` })));
}

/** Each text is JSON of its own: a server may say everything in one, or each issue in another. */
function inTexts(parts: readonly unknown[], path: string, depth: number): Result<readonly Found[]> {
  const found: Found[] = [];
  for (const [index, part] of parts.entries()) {
    if (!isPart(part) || part.type !== 'text') continue;
    const place = `${path}[${index}].text`;
    const json = parsed(part.text, place);
    if (!json.ok) return json;
    const its = within(json.value, place, depth + 1);
    if (!its.ok) return its;
    found.push(...its.value);
    if (found.length > POSTED_MOST) return refused(path, `has more than ${POSTED_MOST} issues`);
  }
  return found.length > 0 || parts.some((part) => isPart(part) && part.type === 'text')
    ? ok(found)
    : refused(path, 'has no text');
}

function parsed(text: unknown, path: string): Result<unknown> {
  if (typeof text !== 'string') return refused(path, `expected string, got ${kindOf(text)}`);
  try {
    return ok(JSON.parse(text));
  } catch {
    return refused(path, `expected JSON, got ${shown(text)}`);
  }
}

/** An answer with errors is none, even where it has data beside them: issues may be missing in it. */
function complaintIn(fields: ReadonlyMap<string, unknown>, path: string) {
  const errors = fields.get('errors');
  if (Array.isArray(errors) && errors.length > 0) {
    const [first] = errors as readonly unknown[];
    const message =
      typeof first === 'object' && first !== null && 'message' in first ? first.message : undefined;
    const said = typeof message === 'string' ? `, the first: ${shown(message)}` : '';
    return refused(at(path, 'errors'), `this answer has ${errors.length} errors${said}`);
  }
  return fields.get('isError') === true ? refused(at(path, 'isError'), 'the tool has failed') : undefined;
}

/** No issue has a `type`. */
function isPart(value: unknown): value is { readonly type: string; readonly text?: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function at(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return shown(value);
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : typeof value;
}

function refused(path: string, complaint: string) {
  return failed(fault('input.invalid', `${path || 'body'}: ${complaint}`));
}
