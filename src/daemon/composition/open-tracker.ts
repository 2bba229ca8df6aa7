/** Opens the configured tracker, and the local board for editing if the tracker is local. */

import { join } from 'node:path';
import { z } from 'zod';
import type { LegionConfig } from '../../config/legion/schema.ts';
import { requireReference } from '../../config/secret-reference.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { GithubTracker } from '../../integrations/github/tracker/open-github-tracker.ts';
import type { LinearClient } from '../../integrations/linear/client/client.ts';
import {
  chooseLinearCredential,
  findMissingPermissions,
} from '../../integrations/linear/client/credential.ts';
import { openLocalBoard } from '../../integrations/local/tracker/open-local-board.ts';
import type { LocalBoard } from '../../ports/board-editor.ts';
import type { Tracker } from '../../ports/tracker.ts';
import type { ActiveProblems } from '../context/active-problems.ts';
import type { DaemonSettings } from '../context/daemon-context.ts';
import type { PermissionCheck } from '../preflight/preflight.ts';
import { fetchWithFileFallback } from '../repositories/routing.ts';
import type { GithubServices } from './open-github.ts';

export interface TrackerBackend {
  readonly tracker: Tracker;
  readonly board: LocalBoard | undefined;
  readonly github: GithubTracker | undefined;
  readonly linear: LinearConnection | undefined;
  close(): Promise<void>;
}

/** Connection to Linear, with the team data that is needed before the first reconcile pass. */
export interface LinearConnection {
  /** Looks up an issue by UUID or identifier. */
  readonly idOf: (tracked: string) => IssueId | undefined;
  readonly seen: ReadonlyMap<IssueId, Issue>;
  /** Name of Legion's account. */
  readonly account: string;
  readonly missingPermissions: PermissionCheck;
}

export interface TrackerOptions {
  readonly config: () => LegionConfig;
  readonly settings: () => DaemonSettings;
  readonly state: string;
  readonly clock: Clock;
  readonly problems: ActiveProblems;
}

export async function openLocalBackend({
  config,
  state,
  clock,
  problems,
}: TrackerOptions): Promise<TrackerBackend> {
  const opening = { prefix: buildIssuePrefix(config()), now: clock.now };
  const board = withSkippedIssueReport(await openLocalBoard(join(state, 'board.db'), opening), problems);
  return { tracker: board, board, github: undefined, linear: undefined, close: () => board.dispose() };
}

const SKIPPED_ISSUES_PROBLEM = 'issues set aside';
/** Maximum number of issues listed as examples: enough for a person to find the others. */
const MAX_LISTED_ISSUES = 3;

/**
 * Opens the GitHub board. A reload applies changes to columns and trusted authors. Changes to the
 * boards need a restart.
 */
export async function openGithubBackend(
  options: TrackerOptions,
  github: GithubServices,
): Promise<TrackerBackend> {
  const { config, settings, clock, problems } = options;
  const { openGithubTracker } = await import('../../integrations/github/tracker/open-github-tracker.ts');
  const { legion, extra_projects } = config();
  const tracker = await openGithubTracker({
    client: github.client,
    accounts: github.accounts,
    clock,
    permissions: github.client.permissions,
    projects: [legion, ...extra_projects],
    columns: () => settings().columns,
    repositories: () => github.repositories,
    authors: () => config().authors,
  });
  return {
    tracker: withSkippedIssueReport(tracker, problems),
    board: undefined,
    github: tracker,
    linear: undefined,
    close: async () => undefined,
  };
}

/**
 * Reports the issues that the tracker had to leave out of its list. The problem is resolved once
 * the list is complete.
 */
function withSkippedIssueReport<T extends Tracker & { problems(): readonly string[] }>(
  tracker: T,
  problems: ActiveProblems,
): T {
  return {
    ...tracker,
    async list(signal: AbortSignal) {
      const issues = await tracker.list(signal);
      const skipped = tracker.problems();
      if (skipped.length === 0) problems.resolve(SKIPPED_ISSUES_PROBLEM);
      else
        problems.report(
          SKIPPED_ISSUES_PROBLEM,
          new LegionError('tracker.corrupt', formatSkippedIssues(skipped)),
        );
      return issues;
    },
  };
}

function formatSkippedIssues(skipped: readonly string[]): string {
  const more = skipped.length > MAX_LISTED_ISSUES ? [`and ${skipped.length - MAX_LISTED_ISSUES} more`] : [];
  return [...skipped.slice(0, MAX_LISTED_ISSUES), ...more].join('; ');
}

/** Derives the issue id prefix from the legion's short name or name: letters and digits only. */
function buildIssuePrefix({ short_id, legion }: LegionConfig): string {
  const letters = (short_id ?? legion)
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 12);
  return letters === '' ? 'L' : letters.toUpperCase();
}

/**
 * Opens Linear: the client, the team's tracker and a cache of its issues. The Linear modules are
 * imported only when used.
 */
export async function openLinearClient(
  config: LegionConfig,
  environment: EnvironmentVariables,
  clock: Clock,
): Promise<LinearClient> {
  const { openLinear } = await import('../../integrations/linear/client/open.ts');
  const { linear } = config.credentials;
  const readSecret = (name: 'api_key' | 'access_token') => {
    const reference = linear[name];
    return reference && requireReference(`credentials.linear.${name}`, reference, environment);
  };
  const credential = chooseLinearCredential({
    apiKey: readSecret('api_key'),
    accessToken: readSecret('access_token'),
    environment,
  });
  return openLinear({ url: config.linear.url, credential, clock });
}

const viewerSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  email: z.string(),
  workspace: z.object({ name: z.string(), urlKey: z.string() }),
});

/**
 * Opens the Linear board. A reload applies changes to columns and trusted authors. Changing the
 * team needs a restart.
 */
export async function openLinearBackend(
  options: TrackerOptions & {
    readonly environment: EnvironmentVariables;
    readonly tell: (what: object, message: string) => void;
  },
): Promise<TrackerBackend> {
  const { config, settings, clock, problems, environment, state } = options;
  const client = await openLinearClient(config(), environment, clock);
  try {
    const viewer = await fetchWithFileFallback(join(state, 'linear-viewer.json'), viewerSchema, () =>
      client.viewer(),
    );
    options.tell({}, `Linear: ${viewer.name} of ${viewer.workspace.name}`);
    const { openLinearTracker } = await import('../../integrations/linear/tracker/open-linear-tracker.ts');
    const opened = await openLinearTracker({
      client,
      viewer,
      clock,
      legion: config().legion,
      team: config().legion,
      columns: () => settings().columns,
      authors: () => config().authors,
    });
    const tracker = withSkippedIssueReport(opened, problems);
    const seen = new Map<IssueId, Issue>();
    return {
      tracker: {
        ...tracker,
        async list(signal) {
          const issues = await tracker.list(signal);
          seen.clear();
          for (const issue of issues) seen.set(issue.id, issue);
          return issues;
        },
        async read(issue, signal) {
          const found = await tracker.read(issue, signal);
          if (found !== undefined) seen.set(found.id, found);
          return found;
        },
      },
      board: undefined,
      github: undefined,
      linear: {
        idOf: tracker.idOf,
        seen,
        account: viewer.name,
        missingPermissions: (signal) => findMissingPermissions(client, signal),
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
