/** Reads the base branch, the databases and the outboxes at the end of a run. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runGit } from '../bench/support/legion.ts';
import type { ChaosObservations, JournalRow } from './verdict.ts';

export type ChaosEvidence = Pick<ChaosObservations, 'subjects' | 'notes' | 'stores' | 'journal' | 'unread'>;

export function collectEvidence(repository: string, state: string): ChaosEvidence {
  return {
    subjects: runGit(repository, 'log', '--format=%s', 'main').split('\n'),
    notes: listNotes(repository),
    stores: checkStores(state),
    journal: readJournalRows(state),
    unread: listUnreadMessages(join(state, 'outbox')),
  };
}

/**
 * Returns the first line of each note that the workers committed. Empty if the base branch has no
 * notes, which means that all work was lost.
 */
function listNotes(repository: string): string[] {
  const isThere = runGit(repository, 'ls-tree', 'main', 'docs/changes') !== '';
  return isThere ? runGit(repository, 'grep', '-h', '^# ', 'main', '--', 'docs/changes').split('\n') : [];
}

function checkStores(state: string): Record<string, string> {
  if (!existsSync(state)) return {};
  const names = readdirSync(state).filter((name) => name.endsWith('.db'));
  return Object.fromEntries(names.map((name) => [name, checkIntegrity(join(state, name))]));
}

/**
 * Returns `ok` if the database has no integrity errors. A database that cannot be opened is
 * reported as damaged.
 */
function checkIntegrity(path: string): string {
  try {
    const rows = readRows(path, 'PRAGMA integrity_check') as { readonly integrity_check: string }[];
    return rows.map((row) => row.integrity_check).join('; ');
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns no rows if the journal cannot be read, because it is damaged or was never created. */
function readJournalRows(state: string): JournalRow[] {
  try {
    const rows = readRows(
      join(state, 'journal.db'),
      'SELECT seq, at, epoch, type, body FROM events ORDER BY seq',
    );
    return rows.map((row) => toJournalRow(row as JournalRow & { readonly body: string }));
  } catch {
    return [];
  }
}

function toJournalRow({ seq, at, epoch, type, body }: JournalRow & { readonly body: string }): JournalRow {
  const { issue, mode, attempt } = JSON.parse(body) as { issue?: string; mode?: string; attempt?: number };
  const about = attempt === undefined ? undefined : `${issue}-${mode}/${attempt}`.toLowerCase();
  return { seq, at, epoch, type, attempt: about };
}

function readRows(path: string, query: string): unknown[] {
  const store = new DatabaseSync(path, { readOnly: true });
  try {
    return store.prepare(query).all();
  } finally {
    store.close();
  }
}

function listUnreadMessages(outbox: string): string[] {
  if (!existsSync(outbox)) return [];
  return readdirSync(outbox, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${name} in the outbox was never read`);
}
