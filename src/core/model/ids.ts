/** Ids of issues, legions, workers and sessions: what one may contain, and what is derived from it. */
import { validate as isUuid, v5 as uuid5 } from 'uuid';
import { z } from 'zod';
import { MODES, type Mode } from '../../domain/mode.ts';
import { failed, fault, ok, type Result, shown } from './fault.ts';

/** A GitHub owner (39), a repository (100), a number and two dashes fit; a file name limit of 255 is far off. */
const ID_MAX_LENGTH = 160;

/** ASCII only, so that no look-alike or right-to-left letter can pass for another id. */
const ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export type IssueId = string;
export type WorkerId = string;
export type SessionId = string;

/** Refuses what could leave a folder, break a branch name or pass for another id. */
export function readIssueId(text: string): Result<IssueId> {
  const complaint = complaintAboutId(text);
  return complaint === undefined
    ? ok(text)
    : failed(fault('id.invalid', `issue id ${shown(text)} ${complaint}`));
}

export const issueIdSchema = z
  .string()
  .refine((text) => complaintAboutId(text) === undefined, 'is not a valid issue id');

/** A Linear team UUID, a GitHub `owner/project-number`, or a local name. */
export function readLegionId(text: string): Result<string> {
  const parts = text.split('/');
  const [name = '', project] = parts;
  const complaint =
    parts.length > 2
      ? 'has more than one "/"'
      : project !== undefined && !/^[1-9]\d{0,9}$/.test(project)
        ? 'has no project number after "/"'
        : complaintAboutId(name);
  return complaint === undefined
    ? ok(text)
    : failed(fault('id.invalid', `legion id ${shown(text)} ${complaint}`));
}

export function workerId(issue: IssueId, mode: Mode): WorkerId {
  return `${issue}-${mode}`.toLowerCase();
}

/** A mode contains no dash, so the last dash always separates it. */
export function readWorkerId(text: string): Result<{ issue: IssueId; mode: Mode }> {
  const dash = text.lastIndexOf('-');
  const mode = MODES.find((candidate) => candidate === text.slice(dash + 1));
  const issue = readIssueId(text.slice(0, Math.max(dash, 0)));
  if (mode === undefined)
    return failed(fault('id.invalid', `worker id ${shown(text)} does not end in "-" and a mode`));
  return issue.ok ? ok({ issue: issue.value, mode }) : issue;
}

/**
 * The agent's session for this (issue, mode): always recomputed, never stored as truth.
 * `version` above 0 is the escape hatch for a session that cannot be recovered.
 */
export function sessionId(legionId: string, issue: IssueId, mode: Mode, version = 0): SessionId {
  return sessionIdIn(sessionNamespace(legionId), issue, mode, version);
}

/** The same for all sessions of a legion: worked out once where there are thousands. */
export function sessionNamespace(legionId: string): string {
  return isUuid(legionId) ? legionId : uuid5(`legion://${legionId}`, uuid5.URL);
}

export function sessionIdIn(namespace: string, issue: IssueId, mode: Mode, version = 0): SessionId {
  return uuid5(`${issue}:${mode}${version > 0 ? `:v${version}` : ''}`, namespace);
}

/** What `folderName` appends: the first 48 bits of a hash. */
const HASHED = /-[0-9a-f]{8}-[0-9a-f]{4}$/;
const HASH_LENGTH = 13;

/**
 * A folder name for any id: lower case, safe characters, and a hash of the original whenever that changed it, so that two
 * ids never share a folder. An id that looks hashed is hashed too, or it could be chosen to be the folder of another.
 */
export function folderName(id: string): string {
  const safe = id
    .slice(0, ID_MAX_LENGTH)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .toLowerCase()
    .replace(/\.{2,}/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  if (safe === id && id !== '' && !HASHED.test(id)) return safe;
  // As JSON, because a hash is made of bytes and half a surrogate pair has none.
  return `${safe || 'id'}-${uuid5(JSON.stringify(id), uuid5.URL).slice(0, HASH_LENGTH)}`;
}

function complaintAboutId(text: string): string | undefined {
  if (text.length === 0) return 'is empty';
  if (text.length > ID_MAX_LENGTH)
    return `is ${text.length} characters long, at most ${ID_MAX_LENGTH} are allowed`;
  if (!ID_FORM.test(text)) return 'contains a character an id may not contain, or begins with a mark';
  if (text.includes('..')) return 'contains ".."';
  if (text.endsWith('.') || text.endsWith('.lock')) return 'ends in "." or ".lock", which no branch may';
  return undefined;
}
