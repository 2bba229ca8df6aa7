/**
 * Finds the issues in a response of Linear's API or MCP server, however they are wrapped, and reads
 * their identifiers.
 */
import { createFault, fail, ok, quoteText, type Result } from '../../../core/model/fault.ts';
import type { RejectedEntry } from '../../../ports/tracker.ts';

/** An issue that is not validated yet, and its path, such as `data.issues.nodes[3]`. */
interface FoundEntry {
  readonly value: unknown;
  readonly path: string;
}

export interface FoundEntries {
  readonly found: readonly FoundEntry[];
  readonly rejected: readonly RejectedEntry[];
}

/** Maximum number of issues in a posted response. Boards have fewer, so a longer list is rejected. */
export const MAX_POSTED_ISSUES = 10_000;

/**
 * Maximum nesting of wrappers. An MCP response that wraps a tool result, which wraps a text, which
 * wraps a GraphQL response, has eight.
 */
const MAX_WRAPPINGS = 12;

/** Keys that may contain issues, in search order. */
const WRAPPERS = [
  ...['issues', 'nodes', 'issue', 'data', 'result', 'structuredContent'],
  ...['team', 'project', 'viewer', 'assignedIssues', 'searchIssues', 'issueSearch'],
] as const;

export function findIssues(posted: unknown): Result<FoundEntries> {
  return findWithin(posted, '', 0);
}

function findWithin(value: unknown, path: string, depth: number): Result<FoundEntries> {
  if (depth > MAX_WRAPPINGS) return refusePath(path, 'is nested too deeply to be a response from Linear');
  if (Array.isArray(value)) return findInList(value, path, depth);
  if (typeof value !== 'object' || value === null)
    return refusePath(path, `expected issues, got ${value === null ? 'null' : describeKind(value)}`);
  const fields = new Map(Object.entries(value));
  if (fields.get('isError') === true) return refusePath(joinPath(path, 'isError'), 'the tool failed');
  const errors = fields.get('errors');
  const result = findInObject(value, fields, path, depth);
  return Array.isArray(errors) && errors.length > 0 ? applyErrors(result, errors, path) : result;
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
    ? refusePath(path, `contains no issues. Expected a list or one of ${WRAPPERS.join(', ')}`)
    : findWithin(fields.get(key), joinPath(path, key), depth + 1);
}

/** Reads a list of issues, or the parts of an MCP tool result. */
function findInList(list: readonly unknown[], path: string, depth: number): Result<FoundEntries> {
  if (list.length > MAX_POSTED_ISSUES)
    return refusePath(
      path,
      `must be of length at most ${MAX_POSTED_ISSUES}, got array of length ${list.length}`,
    );
  if (list.length > 0 && list.every(isPart)) return findInTexts(list, path, depth);
  return ok({ found: list.map((value, index) => ({ value, path: `${path}[${index}]` })), rejected: [] });
}

/**
 * Parses each text as a separate JSON document: a server may return all issues in one text, or one
 * issue per text.
 */
function findInTexts(parts: readonly unknown[], path: string, depth: number): Result<FoundEntries> {
  if (parts.length > MAX_POSTED_ISSUES)
    return refusePath(
      path,
      `must be of length at most ${MAX_POSTED_ISSUES}, got array of length ${parts.length}`,
    );
  const found: FoundEntry[] = [];
  const rejected: RejectedEntry[] = [];
  for (const [index, part] of parts.entries()) {
    if (!isPart(part) || part.type !== 'text') continue;
    const partPath = `${path}[${index}].text`;
    const json = parseText(part.text, partPath);
    const entries = json.ok ? findWithin(json.value, partPath, depth + 1) : json;
    if (!entries.ok) rejected.push({ path: partPath, message: entries.fault.message });
    else {
      for (const entry of entries.value.found) found.push(entry);
      for (const entry of entries.value.rejected) rejected.push(entry);
    }
    if (found.length + rejected.length > MAX_POSTED_ISSUES)
      return refusePath(path, `has more than ${MAX_POSTED_ISSUES} issues`);
  }
  return parts.some((part) => isPart(part) && part.type === 'text')
    ? ok({ found, rejected })
    : refusePath(path, 'contains no text');
}

function parseText(text: unknown, path: string): Result<unknown> {
  if (typeof text !== 'string') return refusePath(path, `expected string, got ${describeKind(text)}`);
  try {
    return ok(JSON.parse(text));
  } catch {
    return refusePath(path, `expected JSON, got ${quoteText(text)}`);
  }
}

/** Returns whether the value is part of an MCP tool result. Issues never have a `type`. */
function isPart(value: unknown): value is { readonly type: string; readonly text?: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function describeKind(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : typeof value;
}

function refusePath(path: string, problem: string) {
  return fail(createFault('input.invalid', `${path || 'body'}: ${problem}`));
}

/**
 * Rejects the issues to which an error's path points. Any other error means that issues may be
 * missing, so the whole response is rejected.
 */
function applyErrors(
  result: Result<FoundEntries>,
  errors: readonly unknown[],
  path: string,
): Result<FoundEntries> {
  if (!result.ok) return refuseAnswer(errors, path);
  const entries = new Map(result.value.found.map((entry) => [entry.path, entry]));
  const rejected = new Map<string, RejectedEntry>();
  for (const error of errors) {
    const paths = listErrorPaths(error, path);
    const entry = paths.map((prefix) => entries.get(prefix)).find((each) => each !== undefined);
    if (entry === undefined) return refuseAnswer(errors, path);
    const message = `${paths.at(-1)}: ${extractMessage(error)}`;
    rejected.set(entry.path, { path: entry.path, id: findIdentifier(entry.value), message });
  }
  return ok({
    found: result.value.found.filter((entry) => !rejected.has(entry.path)),
    rejected: [...result.value.rejected, ...rejected.values()],
  });
}

/** A GraphQL path has one step per level of the document; a longer path is not Linear's. */
const MAX_STEPS = 20;

/**
 * Returns every prefix of the error's path, as in `data.issues`, `data.issues.nodes`,
 * `data.issues.nodes[3]`.
 */
function listErrorPaths(error: unknown, path: string): readonly string[] {
  const steps = typeof error === 'object' && error !== null && 'path' in error ? error.path : undefined;
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) return [];
  let prefix = path === '' ? 'data' : `${path}.data`;
  return steps.map((step: unknown) => {
    prefix += typeof step === 'number' ? `[${step}]` : `.${String(step)}`;
    return prefix;
  });
}

function extractMessage(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? quoteText(message) : 'an error without a message';
}

function refuseAnswer(errors: readonly unknown[], path: string) {
  const location = path === '' ? 'errors' : `${path}.errors`;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors, the first`;
  return fail(
    createFault('input.invalid', `${location}: the response has ${count}: ${extractMessage(errors[0])}`),
  );
}

export const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]{0,49}-[1-9]\d{0,9}$/;
const IN_ADDRESS = /\/issue\/([A-Za-z][A-Za-z0-9_]{0,49}-[1-9]\d{0,9})(?:[/?#]|$)/;

export interface IdentifierSource {
  readonly id?: string | null | undefined;
  readonly identifier?: string | null | undefined;
  readonly url?: string | null | undefined;
}

/**
 * Returns the identifier of a posted issue, such as `ENG-21`. The MCP server returns it as `id`,
 * while the API returns a UUID as `id`; the issue's web address always contains the identifier.
 */
export function resolveIdentifier({ id, identifier, url }: IdentifierSource): string | undefined {
  const [asId] = IDENTIFIER.exec(id ?? '') ?? [];
  const [, inAddress] = IN_ADDRESS.exec(url ?? '') ?? [];
  return identifier ?? asId ?? inAddress;
}

/**
 * Returns the identifier of an issue that is otherwise malformed, or undefined if it is unreadable.
 */
export function findIdentifier(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, identifier, url } = value as Record<string, unknown>;
  const [idText, identifierText, urlText] = [id, identifier, url].map((each) =>
    typeof each === 'string' ? each : undefined,
  );
  const name = resolveIdentifier({ id: idText, identifier: identifierText, url: urlText });
  return name !== undefined && IDENTIFIER.test(name) ? name : undefined;
}
