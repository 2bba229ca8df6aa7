/**
 * Restores the stored state directory of an earlier version, with its repository and workspaces.
 */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IssueView } from '../../../src/protocol/board.ts';
import type { InboxItem } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { git } from '../../ports/forge/git.ts';
import { endWorkers } from '../../support/end-workers.ts';
import { COMPILE_CACHE, shareCompileCache } from '../../support/running-daemon.ts';

const FIXTURE = join(import.meta.dirname, '../recovery/earlier-state');

export type ShownIssue = Pick<IssueView, 'id' | 'status' | 'labels' | 'blockedBy'>;
export type ShownItem = Pick<InboxItem, 'kind' | 'issue' | 'question' | 'approves'>;
export type ShownWorker = Pick<
  WorkerView,
  'id' | 'attempt' | 'sessionId' | 'status' | 'crashes' | 'spentUsd'
>;

/** The last responses of the earlier daemon before it was killed. */
interface Shown {
  readonly issues: readonly ShownIssue[];
  readonly inbox: readonly ShownItem[];
  readonly workers: readonly ShownWorker[];
}

export interface EarlierLegion {
  readonly repository: string;
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly shown: Shown;
  /**
   * Adds this line to the `legion.yaml` of the earlier version. Replaces a line that was added by a
   * previous call.
   */
  reconfigure(line: string): void;
  dispose(): Promise<void>;
}

export async function restoreEarlierState(): Promise<EarlierLegion> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-earlier-')));
  const repository = join(folder, 'repository');
  const state = join(folder, 'state/legion/legions/demo');
  const workspaces = join(folder, 'data/legion/workspaces/demo');
  const fill = (text: string) =>
    text
      .replaceAll('{folder}', folder)
      .replaceAll('{root-hash}', createHash('sha256').update(workspaces).digest('hex').slice(0, 12))
      .replaceAll('{node}', process.execPath);
  const files = JSON.parse(read('files.json')) as Readonly<Record<string, string>>;
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, fill(name));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, fill(text), { mode: 0o600 });
  }
  restoreDatabase(join(state, 'journal.db'), fill(read('journal.sql')), sealSnapshots);
  restoreDatabase(join(state, 'board.db'), fill(read('board.sql')));
  shareCompileCache(state);
  await checkOut(repository, workspaces);
  const { PATH = '' } = process.env;
  return {
    repository,
    state,
    environment: {
      PATH,
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CACHE_HOME: COMPILE_CACHE,
    },
    shown: JSON.parse(read('shown.json')) as Shown,
    reconfigure: (line) =>
      writeFileSync(join(repository, 'legion.yaml'), `${fill(files['repository/legion.yaml'] ?? '')}${line}`),
    async dispose() {
      await endWorkers(state);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function read(name: string): string {
  return readFileSync(join(FIXTURE, name), 'utf8');
}

function restoreDatabase(path: string, sql: string, finish?: (db: DatabaseSync) => void): void {
  writeFileSync(path, '', { mode: 0o600 });
  const db = new DatabaseSync(path);
  db.exec(sql);
  finish?.(db);
  db.close();
}

/**
 * Recomputes the hash in front of each snapshot, because its text changes when the actual directory
 * is inserted. With the old hash, the snapshot would be treated as damaged.
 */
function sealSnapshots(db: DatabaseSync): void {
  for (const { version, shape, state } of db.prepare('SELECT * FROM snapshots').all()) {
    const text = String(state);
    const body = text.slice(text.indexOf('\n') + 1);
    const seal = createHash('sha256').update(`${version} ${shape} `).update(body).digest('hex');
    db.prepare('UPDATE snapshots SET state = ? WHERE version = ?').run(`${seal}\n${body}`, Number(version));
  }
}

/**
 * Lets git create the objects, the index and the working files, so that they do not have to be
 * stored as text.
 */
async function checkOut(repository: string, workspaces: string): Promise<void> {
  const pack = join(repository, '.git/objects/pack/pack-earlier.pack');
  mkdirSync(dirname(pack), { recursive: true });
  writeFileSync(pack, readFileSync(join(FIXTURE, 'objects.pack')));
  await git(repository, 'index-pack', pack);
  const folders = readdirSync(workspaces).map((name) => join(workspaces, name));
  for (const each of [repository, ...folders]) await git(each, 'reset', '--quiet', '--hard');
}
