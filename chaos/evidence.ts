/** Reads, when all is over, what is on the base, in the stores and in the outboxes. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { git } from '../bench/legion.ts';
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
  const names = readdirSync(state).filter((name) => name.endsWith('.db'));
  return Object.fromEntries(
    names.map((name) => {
      const store = new DatabaseSync(join(state, name), { readOnly: true });
      const rows = store.prepare('PRAGMA integrity_check').all() as { readonly integrity_check: string }[];
      store.close();
      return [name, rows.map((row) => row.integrity_check).join('; ')];
    }),
  );
}

function journalIn(state: string): JournalRow[] {
  const store = new DatabaseSync(join(state, 'journal.db'), { readOnly: true });
  const rows = store.prepare('SELECT seq, at, epoch, type, body FROM events ORDER BY seq').all();
  store.close();
  return rows.map((row) => {
    const { seq, at, epoch, type, body } = row as unknown as JournalRow & { readonly body: string };
    const { issue, mode, attempt } = JSON.parse(body) as { issue?: string; mode?: string; attempt?: number };
    const about = attempt === undefined ? undefined : `${issue}-${mode}/${attempt}`.toLowerCase();
    return { seq, at, epoch, type, attempt: about };
  });
}

function unreadIn(outbox: string): string[] {
  if (!existsSync(outbox)) return [];
  return readdirSync(outbox, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${name} in the outbox was never read`);
}
