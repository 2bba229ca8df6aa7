/** What webhooks of services lead to here: a look at the issue they name, or at everything. */
import { join } from 'node:path';
import type { Environment } from '../config/legion/environment.ts';
import type { LegionConfig } from '../config/legion/schema.ts';
import { readReference } from '../config/reference.ts';
import type { IssueId } from '../domain/ids.ts';
import { openInProcessEnvoy } from '../envoy/in-process/open-in-process-envoy.ts';
import type { WakeUp } from '../envoy/receiver.ts';
import type { GithubTracker } from '../trackers/github/open-github-tracker.ts';
import type { Receivers } from './desks/webhooks-desk.ts';
import type { World } from './world.ts';

export interface ReceiverOptions {
  readonly config: () => LegionConfig;
  readonly environment: Environment;
  readonly state: string;
  readonly world: World;
  readonly accounts: readonly string[];
  /** One line of the log. */
  readonly note: (what: object, message: string) => void;
  readonly tracker: GithubTracker | undefined;
  /** Tells the forges that there may be news of a branch. */
  readonly tell: (branch: string) => void;
}

export interface OpenReceivers {
  readonly byService: Receivers;
  close(): Promise<void>;
}

/** Without a secret there is none, and what comes in is refused; a new one counts from the next start. */
export async function openReceivers(options: ReceiverOptions): Promise<OpenReceivers> {
  const { config, environment, world, accounts } = options;
  if (config().credentials.webhooks.github === undefined)
    return { byService: {}, close: async () => undefined };
  const { openGithubReceiver } = await import('../envoy/github/open-github-receiver.ts');
  const trouble = (error: unknown) => world.troubles.raise('webhooks', error);
  const envoy = openInProcessEnvoy(trouble);
  // Nobody else listens yet; what was told should be found all the same.
  envoy.subscribe('notifications.>', (notice, topic) => options.note({ topic }, notice.text));
  const github = openGithubReceiver({
    ...{ envoy, clock: world.clock, accounts: () => accounts, onTrouble: trouble },
    secret: () => secretOf(config().credentials.webhooks.github, environment),
    deliveries: join(options.state, 'github-deliveries'),
    wake: (wakeUps) => {
      for (const wakeUp of wakeUps) wake(options, wakeUp);
    },
  });
  return {
    byService: { github },
    async close() {
      await github.close();
      await envoy.close();
    },
  };
}

/** A secret that cannot be read is none: what comes in is refused, and says so to whoever set it up. */
function secretOf(reference: string | undefined, environment: Environment): string | undefined {
  const read = reference === undefined ? undefined : readReference(reference, environment);
  return read?.ok === true ? read.value : undefined;
}

/** Whatever cannot be told to belong to an issue means a look at everything, which costs one request. */
function wake(options: ReceiverOptions, wakeUp: WakeUp): void {
  const issues = issuesMeant(options, wakeUp);
  if (issues === 'everything') options.world.wake();
  else
    for (const issue of issues) {
      options.tell(issue);
      options.world.wake(issue);
    }
}

function issuesMeant(options: ReceiverOptions, wakeUp: WakeUp): readonly IssueId[] | 'everything' {
  const { tracker, world } = options;
  if (wakeUp === 'everything') return wakeUp;
  if ('issue' in wakeUp) {
    const { number } = wakeUp.issue;
    return present(tracker?.idOf(wakeUp.issue)) ?? orEverything(byPullRequest(world, number));
  }
  // Issues' branches are named after them: another one is nobody's, and what is merged is told as a push to the base.
  if ('branch' in wakeUp) return present(world.view.of(wakeUp.branch.branch)?.issue.id) ?? [];
  if ('commit' in wakeUp) return byCommit(world, wakeUp.commit);
  return present(tracker?.idOf({ node: wakeUp.projectItem })) ?? 'everything';
}

function orEverything(issues: readonly IssueId[]): readonly IssueId[] | 'everything' {
  return issues.length === 0 ? 'everything' : issues;
}

function byPullRequest({ view }: World, number: number): readonly IssueId[] {
  return view.all.flatMap(({ issue, pullRequest }) =>
    typeof pullRequest === 'object' && pullRequest.number === number ? [issue.id] : [],
  );
}

/** By the commit itself, or by what GitHub says it belongs to. */
type CommitHint = Extract<WakeUp, { readonly commit: unknown }>['commit'];

function byCommit({ view }: World, { sha, branches, pullRequests }: CommitHint): readonly IssueId[] {
  return view.all.flatMap(({ issue, pullRequest }) => {
    const its = typeof pullRequest === 'object' ? pullRequest : undefined;
    const isMeant =
      branches.includes(issue.id) ||
      its?.headSha === sha ||
      (its !== undefined && pullRequests.includes(its.number));
    return isMeant ? [issue.id] : [];
  });
}

function present(issue: IssueId | undefined): readonly IssueId[] | undefined {
  return issue === undefined ? undefined : [issue];
}
