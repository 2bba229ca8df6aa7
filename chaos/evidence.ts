/** Reads, when all is over, what is on the base, in the stores and in the outboxes. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { git } from '../bench/support/legion.ts';
import type { JournalRow, Seen } from './verdict.ts';

export type Evidence = Pick<Seen, 'subjects' | 'notes' | 'stores' | 'journal' | 'unread'>;

export function evidence(repository: string, state: string): Evidence {
  return {
    subjects: git(repository, 'log', '--format=%s', 'main').split('\n'),
    notes: notesIn(repository),
    stores: storesIn(state),
    journal: journalIn(state),
    unread: unreadIn(join(state, 'outbox')),
  };
}

/** The first line of each; a base without any is one where everything was lost. */
function notesIn(repository: string): string[] {
  const isThere = git(repository, 'ls-tree', 'main', 'docs/changes') !== '';
  return isThere ? git(repository, 'grep', '-h', '^# ', 'main', '--', 'docs/changes').split('\n') : [];
}

function storesIn(state: string): Record<string, string> {
  if (!existsSync(state)) return {};
  const names = readdirSync(state).filter((name) => name.endsWith('.db'));
  return Object.fromEntries(names.map((name) => [name, complaintsAbout(join(state, name))]));
}

/** `ok` if there are none; what cannot even be opened is damaged. */
function complaintsAbout(path: string): string {
  try {
    const rows = rowsOf(path, 'PRAGMA integrity_check') as { readonly integrity_check: string }[];
    return rows.map((row) => row.integrity_check).join('; ');
  } catch (error) {
    return (error as Error).message;
  }
}

/** Empty where it cannot be read: then its store is damaged, or was never made. */
function journalIn(state: string): JournalRow[] {
  try {
    const rows = rowsOf(
      join(state, 'journal.db'),
      'SELECT seq, at, epoch, type, body FROM events ORDER BY seq',
    );
    return rows.map((row) => journalRow(row as JournalRow & { readonly body: string }));
  } catch {
    return [];
  }
}

function journalRow({ seq, at, epoch, type, body }: JournalRow & { readonly body: string }): JournalRow {
  const { issue, mode, attempt } = JSON.parse(body) as { issue?: string; mode?: string; attempt?: number };
  const about = attempt === undefined ? undefined : `${issue}-${mode}/${attempt}`.toLowerCase();
  return { seq, at, epoch, type, attempt: about };
}

function rowsOf(path: string, query: string): unknown[] {
  const store = new DatabaseSync(path, { readOnly: true });
  try {
    return store.prepare(query).all();
  } finally {
    store.close();
  }
}

function unreadIn(outbox: string): string[] {
  if (!existsSync(outbox)) return [];
  return readdirSync(outbox, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${name} in the outbox was never read`);
}
