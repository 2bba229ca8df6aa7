/**
 * Assigns issues to repositories on a board that is not tied to one repository. The label or
 * project decides until work begins; after that, the assignment is permanent.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseRepositoryName, type RepositoryEntry } from '../../config/legion/schema.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import { parseJson } from '../../lib/json.ts';
import type { ActiveProblems } from '../context/active-problems.ts';

const ASSIGNMENTS_FILE = 'issue-places.json';
const assignmentsSchema = z.record(z.string(), z.string());

export interface IssueRouter {
  /** Returns the repository as `owner/name`, or undefined for an unknown issue. */
  findRepository(issue: IssueId): string | undefined;
  /**
   * Permanently assigns the issue when work begins. Later label changes do not move it to another
   * repository.
   */
  assign(issue: IssueId, repository: string): void;
  /**
   * Reports issues whose label or project selects one repository while their work is in another.
   */
  reportMismatches(): void;
}

export interface IssueRouterOptions {
  readonly state: string;
  readonly entries: readonly RepositoryEntry[];
  /** Issues as last read. */
  readonly board: ReadonlyMap<IssueId, Issue>;
  readonly problems: ActiveProblems;
}

export function openIssueRouter({ state, entries, board, problems }: IssueRouterOptions): IssueRouter {
  const path = join(state, ASSIGNMENTS_FILE);
  const settled = new Map(Object.entries(readAssignments(path)));
  return {
    findRepository(issue) {
      const known = settled.get(issue);
      if (known !== undefined) return known;
      const found = board.get(issue);
      return found === undefined ? undefined : chooseRepository(found, entries);
    },
    assign(issue, repository) {
      if (settled.get(issue) === repository) return;
      settled.set(issue, repository);
      writeDurablySync(path, `${JSON.stringify(Object.fromEntries(settled), undefined, 2)}\n`);
    },
    reportMismatches() {
      const mismatches = [...board.values()].flatMap((issue) => {
        const [wanted, present] = [chooseRepository(issue, entries), settled.get(issue.id)];
        return wanted === undefined || present === undefined || wanted === present
          ? []
          : [`${issue.id} is marked for ${wanted}, but its work began in ${present} and stays there`];
      });
      if (mismatches.length === 0) problems.resolve(MISMATCH_PROBLEM);
      else problems.report(MISMATCH_PROBLEM, new LegionError('repository.unknown', mismatches.join('; ')));
    },
  };
}

const MISMATCH_PROBLEM = 'issues marked for another repository';

/**
 * Chooses the repository by label, or else by project. The first matching entry wins. Without a
 * match, the first entry is the default.
 */
export function chooseRepository(
  { labels, project }: Pick<Issue, 'labels' | 'project'>,
  entries: readonly RepositoryEntry[],
): string | undefined {
  const normalizeName = (text: string) => text.trim().toLowerCase();
  const own = new Set(labels.map(normalizeName));
  const byLabel = entries.find((entry) => entry.labels?.some((label) => own.has(normalizeName(label))));
  const byProject = entries.find(
    (entry) =>
      project !== undefined && entry.projects?.some((name) => normalizeName(name) === normalizeName(project)),
  );
  const found = byLabel ?? byProject ?? entries[0];
  if (found === undefined) return undefined;
  const { owner, name } = parseRepositoryName(found.repo);
  return `${owner}/${name}`;
}

/**
 * Throws if the file is unreadable, because work could otherwise continue in the wrong repository.
 */
function readAssignments(path: string): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {};
  const read = assignmentsSchema.safeParse(parseJson(readFileSync(path, 'utf8')));
  if (read.success) return read.data;
  const message = `${path} cannot be read. It records in which repository the work on each issue began.`;
  throw new LegionError('daemon.state_unusable', message);
}

/**
 * Fetches a service's response and caches it in a file, so that the daemon can start while the
 * service is unreachable. Rejects if the service is unreachable and no response is cached.
 */
export async function fetchWithFileFallback<T>(
  path: string,
  schema: z.ZodType<T>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await ask();
    writeDurablySync(path, `${JSON.stringify(answer)}\n`);
    return answer;
  } catch (error) {
    // The previous daemon's workers may still be running, so starting with the cached response is
    // better than not starting.
    const known =
      error instanceof LegionError && error.retryable ? schema.safeParse(readJsonFile(path)).data : undefined;
    if (known === undefined) throw error;
    return known;
  }
}
