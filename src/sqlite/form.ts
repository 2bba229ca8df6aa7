/** The form of a database file of ours: what marks it, its tables, and which version of that form it has. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../core/model/fault.ts';
import type { Area } from './faults.ts';
import { transactor } from './transaction.ts';

export interface Form {
  /** Whose faults a file that does not fit is reported as. */
  readonly area: Area;
  /** Four ASCII letters in the file's header, so that no other program's database is taken for ours. */
  readonly applicationId: number;
  /** Raised whenever an older Legion could no longer read or safely extend the file. */
  readonly version: number;
  readonly tables: string;
}

/** Makes the tables in an empty file. Of two processes that begin at the same moment, one does it and the other finds it done. */
export function createTables(db: DatabaseSync, form: Form): void {
  transactor(db)(() => {
    if (pragma(db, 'application_id') === form.applicationId) return;
    db.exec(form.tables);
    db.exec(`PRAGMA user_version = ${form.version}`);
    db.exec(`PRAGMA application_id = ${form.applicationId}`);
  });
}

/** Refuses a file of another program or of a newer Legion. */
export function checkForm(db: DatabaseSync, path: string, form: Form): void {
  const application = pragma(db, 'application_id');
  if (application !== form.applicationId) {
    throw new LegionError(
      `${form.area}.foreign`,
      `${path}: a database of another program (application id ${application})`,
    );
  }
  const version = pragma(db, 'user_version');
  if (version > form.version) {
    throw new LegionError(
      `${form.area}.newer`,
      `${path}: has format ${version}, this Legion knows up to ${form.version}`,
    );
  }
}

/** True for a file in which nothing was ever committed. */
export function isEmpty(db: DatabaseSync): boolean {
  return pragma(db, 'page_count') === 0;
}

function pragma(db: DatabaseSync, name: 'application_id' | 'user_version' | 'page_count'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
