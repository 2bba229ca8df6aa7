/** Which repository an issue belongs to, on a board that holds no code: by its labels or its project, and for good once work on it has begun. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Issue } from '../domain/issue.ts';
import { writeDurablySync } from '../lib/fs/atomic-write.ts';
import { parseJson } from '../lib/json.ts';
import { repositoryName } from './compose-clone.ts';
import type { RepositoryEntry } from './compose-ground.ts';
import type { Troubles } from './troubles.ts';

const FILE = 'issue-places.json';
const settledSchema = z.record(z.string(), z.string());

export interface Places {
  /** `owner/name` of its repository; undefined for an issue that nobody has seen. */
  of(issue: IssueId): string | undefined;
  /** Work on it begins: from now on it stays there, whatever its labels become. */
  settle(issue: IssueId, repository: string): void;
  /** Tells of issues that are marked for one repository while the work on them is in another. */
  compare(): void;
}

export interface PlacesOptions {
  readonly state: string;
  readonly entries: readonly RepositoryEntry[];
  /** Issues as they were last seen. */
  readonly board: ReadonlyMap<IssueId, Issue>;
  readonly troubles: Troubles;
}

export function openPlaces({ state, entries, board, troubles }: PlacesOptions): Places {
  const path = join(state, FILE);
  const settled = new Map(Object.entries(readSettled(path)));
  return {
    of(issue) {
      const known = settled.get(issue);
      if (known !== undefined) return known;
      const found = board.get(issue);
      return found === undefined ? undefined : placeByMarks(found, entries);
    },
    settle(issue, repository) {
      if (settled.get(issue) === repository) return;
      settled.set(issue, repository);
      writeDurablySync(path, `${JSON.stringify(Object.fromEntries(settled), undefined, 2)}\n`);
    },
    compare() {
      const says = [...board.values()].flatMap((issue) => {
        const [wanted, present] = [placeByMarks(issue, entries), settled.get(issue.id)];
        return wanted === undefined || present === undefined || wanted === present
          ? []
          : [`${issue.id} is marked for ${wanted}, but the work on it began in ${present} and stays there`];
      });
      if (says.length === 0) troubles.clear(MOVED);
      else troubles.raise(MOVED, new LegionError('repository.unknown', says.join('; ')));
    },
  };
}

const MOVED = 'issues marked for another repository';

/** A label says more than a project; of several repositories the first that is configured, and it is the default as well. */
export function placeByMarks(
  { labels, project }: Pick<Issue, 'labels' | 'project'>,
  entries: readonly RepositoryEntry[],
): string | undefined {
  const plain = (text: string) => text.trim().toLowerCase();
  const own = new Set(labels.map(plain));
  const byLabel = entries.find((entry) => entry.labels?.some((label) => own.has(plain(label))));
  const byProject = entries.find(
    (entry) => project !== undefined && entry.projects?.some((name) => plain(name) === plain(project)),
  );
  const found = byLabel ?? byProject ?? entries[0];
  if (found === undefined) return undefined;
  const { owner, name } = repositoryName(found.repo);
  return `${owner}/${name}`;
}

/** A file that cannot be read would send work to another repository than the one it began in. */
function readSettled(path: string): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {};
  const read = settledSchema.safeParse(parseJson(readFileSync(path, 'utf8')));
  if (read.success) return read.data;
  const says = `${path} cannot be read: it says in which repository the work on each issue began`;
  throw new LegionError('daemon.state_unusable', says);
}
