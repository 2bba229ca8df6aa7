/** Opens the tracker of a legion, as its configuration says; whoever edits a board that is ours is given it as that. */
import { join } from 'node:path';
import type { LegionConfig } from '../config/legion/schema.ts';
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Clock } from '../domain/clock.ts';
import type { Issue } from '../domain/issue.ts';
import type { Github } from '../github/open.ts';
import type { LocalBoard } from '../ports/board-editor.ts';
import type { Tracker } from '../ports/tracker.ts';
import type { GithubTracker } from '../trackers/github/open-github-tracker.ts';
import { openLocalBoard } from '../trackers/local/open-local-board.ts';
import type { AskPermissions } from './preflight/permissions.ts';
import type { Settings } from './settings.ts';
import type { Troubles } from './troubles.ts';

export interface OpenTracker {
  readonly tracker: Tracker;
  readonly board: LocalBoard | undefined;
  readonly github: GithubTracker | undefined;
  readonly linear: LinearSide | undefined;
  close(): Promise<void>;
}

/** What is known of a team's issues before the loop has looked at them. */
export interface LinearSide {
  /** By UUID or identifier. */
  readonly idOf: (tracked: string) => IssueId | undefined;
  readonly seen: ReadonlyMap<IssueId, Issue>;
  /** What Legion's account is called there. */
  readonly account: string;
  readonly missingPermissions: AskPermissions;
}

export interface TrackerOptions {
  readonly config: () => LegionConfig;
  readonly settings: () => Settings;
  readonly state: string;
  readonly clock: Clock;
  readonly troubles: Troubles;
}

export async function localTracker({ config, state, clock, troubles }: TrackerOptions): Promise<OpenTracker> {
  const opening = { prefix: prefixOf(config()), now: clock.now };
  const board = tellingOfAside(await openLocalBoard(join(state, 'board.db'), opening), troubles);
  return { tracker: board, board, github: undefined, linear: undefined, close: () => board.dispose() };
}

export interface GithubSide {
  readonly client: Github;
  readonly accounts: readonly string[];
  /** `owner/name` of those that are worked on. */
  readonly repositories: readonly string[];
}

const SET_ASIDE = 'issues set aside';
/** Enough to find the others by. */
const MAX_SHOWN = 3;

/** A reload changes columns and who is trusted; which boards there are, only a restart. */
export async function githubTracker(options: TrackerOptions, github: GithubSide): Promise<OpenTracker> {
  const { config, settings, clock, troubles } = options;
  const { openGithubTracker } = await import('../trackers/github/open-github-tracker.ts');
  const { legion, extra_projects } = config();
  const tracker = await openGithubTracker({
    ...{ client: github.client, accounts: github.accounts, clock },
    permissions: github.client.permissions,
    projects: [legion, ...extra_projects],
    columns: () => settings().columns,
    repositories: () => github.repositories,
    authors: () => config().authors,
  });
  return {
    tracker: tellingOfAside(tracker, troubles),
    ...{ board: undefined, github: tracker, linear: undefined },
    close: async () => undefined,
  };
}

/** What a list had to leave out is a trouble, until it no longer has to. */
export function tellingOfAside<T extends Tracker & { troubles(): readonly string[] }>(
  tracker: T,
  troubles: Troubles,
): T {
  return {
    ...tracker,
    async list(signal: AbortSignal) {
      const issues = await tracker.list(signal);
      const aside = tracker.troubles();
      if (aside.length === 0) troubles.clear(SET_ASIDE);
      else troubles.raise(SET_ASIDE, new LegionError('tracker.corrupt', summarize(aside)));
      return issues;
    },
  };
}

function summarize(aside: readonly string[]): string {
  const more = aside.length > MAX_SHOWN ? [`and ${aside.length - MAX_SHOWN} more`] : [];
  return [...aside.slice(0, MAX_SHOWN), ...more].join('; ');
}

/** Of the legion's short name or its own: letters and digits, as ids of issues begin. */
function prefixOf({ short_id, legion }: LegionConfig): string {
  const letters = (short_id ?? legion)
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 12);
  return letters === '' ? 'L' : letters.toUpperCase();
}
