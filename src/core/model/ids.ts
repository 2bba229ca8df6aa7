/**
 * Ids of issues, legions, workers and sessions: their valid characters, and the names derived from
 * them.
 */
import { validate as isUuid, v5 as uuid5 } from 'uuid';
import { z } from 'zod';
import { createFault, fail, ok, quoteText, type Result } from './fault.ts';
import { MODES, type Mode } from './mode.ts';

/**
 * Fits a GitHub owner (39), a repository (100), a number and two dashes, and stays well below the
 * file name limit of 255.
 */
const MAX_ID_LENGTH = 160;

/** ASCII only, so that no look-alike or right-to-left character can imitate another id. */
const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export type IssueId = string;
export type WorkerId = string;
export type SessionId = string;

/** Rejects ids that could escape a directory, break a branch name or imitate another id. */
export function readIssueId(text: string): Result<IssueId> {
  const problem = findIdProblem(text);
  return problem === undefined
    ? ok(text)
    : fail(createFault('id.invalid', `issue id ${quoteText(text)} ${problem}`));
}

export const issueIdSchema = z
  .string()
  .refine((text) => findIdProblem(text) === undefined, 'is not a valid issue id');

/** Accepts a Linear team UUID, a GitHub `owner/project-number`, or a local name. */
export function readLegionId(text: string): Result<string> {
  const parts = text.split('/');
  const [name = '', project] = parts;
  const problem =
    parts.length > 2
      ? 'has more than one "/"'
      : project !== undefined && !/^[1-9]\d{0,9}$/.test(project)
        ? 'has no project number after "/"'
        : findIdProblem(name);
  return problem === undefined
    ? ok(text)
    : fail(createFault('id.invalid', `legion id ${quoteText(text)} ${problem}`));
}

export function toWorkerId(issue: IssueId, mode: Mode): WorkerId {
  return `${issue}-${mode}`.toLowerCase();
}

/** Splits at the last dash, which always separates the mode because a mode contains no dash. */
export function readWorkerId(text: string): Result<{ issue: IssueId; mode: Mode }> {
  const dash = text.lastIndexOf('-');
  const mode = MODES.find((candidate) => candidate === text.slice(dash + 1));
  const issue = readIssueId(text.slice(0, Math.max(dash, 0)));
  if (mode === undefined)
    return fail(createFault('id.invalid', `worker id ${quoteText(text)} does not end in "-" and a mode`));
  return issue.ok ? ok({ issue: issue.value, mode }) : issue;
}

/**
 * Returns the agent's session id for this (issue, mode). The id is always recomputed; a stored copy
 * is never authoritative. A `version` above 0 replaces a session that cannot be recovered.
 */
export function computeSessionId(legionId: string, issue: IssueId, mode: Mode, version = 0): SessionId {
  return computeSessionIdIn(computeSessionNamespace(legionId), issue, mode, version);
}

/**
 * Returns the namespace of all sessions of a legion. Compute it once if you need thousands of
 * session ids.
 */
export function computeSessionNamespace(legionId: string): string {
  return isUuid(legionId) ? legionId : uuid5(`legion://${legionId}`, uuid5.URL);
}

export function computeSessionIdIn(namespace: string, issue: IssueId, mode: Mode, version = 0): SessionId {
  return uuid5(`${issue}:${mode}${version > 0 ? `:v${version}` : ''}`, namespace);
}

/** The suffix that `toFolderName` appends: the first 48 bits of a hash. */
const HASHED_SUFFIX = /-[0-9a-f]{8}-[0-9a-f]{4}$/;
const HASH_LENGTH = 13;

/**
 * Returns a directory name for any id, in lower case and with safe characters only. If that changes
 * the id, a hash of the original is appended, so that two ids never share a directory. An id that
 * looks hashed is hashed too; otherwise it could be chosen to collide with another id's directory.
 */
export function toFolderName(id: string): string {
  const safe = id
    .slice(0, MAX_ID_LENGTH)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .toLowerCase()
    .replace(/\.{2,}/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  if (safe === id && id !== '' && !HASHED_SUFFIX.test(id)) return safe;
  // Hashes the JSON text, because an unpaired surrogate has no UTF-8 encoding of its own that could
  // be hashed.
  return `${safe || 'id'}-${uuid5(JSON.stringify(id), uuid5.URL).slice(0, HASH_LENGTH)}`;
}

function findIdProblem(text: string): string | undefined {
  if (text.length === 0) return 'is empty';
  if (text.length > MAX_ID_LENGTH)
    return `is ${text.length} characters long; the maximum is ${MAX_ID_LENGTH}`;
  if (!ID_PATTERN.test(text))
    return 'contains an invalid character, or does not start with a letter or digit';
  if (text.includes('..')) return 'contains ".."';
  if (text.endsWith('.') || text.endsWith('.lock'))
    return 'ends in "." or ".lock", which branch names do not allow';
  return undefined;
}

export interface WorkerIdentity {
  readonly issue: IssueId;
  readonly mode: Mode;
  readonly attempt: number;
}
