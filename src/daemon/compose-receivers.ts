/** What webhooks of services lead to here: a look at the issue they name, or at everything. */
import { join } from 'node:path';
import type { LegionConfig } from '../config/legion/schema.ts';
import { readReference } from '../config/reference.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Environment } from '../domain/environment.ts';
import type { Envoy } from '../envoy/envoy.ts';
import type { Receiver, WakeUp } from '../envoy/receiver.ts';
import { isOwnId } from '../linear/own-id.ts';
import { openInProcessEnvoy } from '../messaging/in-process.ts';
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
  /** What is known of the team's issues, and what Legion's account is called there. */
  readonly linear?: LinearSide | undefined;
  /** Tells the forges that there may be news of a branch. */
  readonly tell: (branch: string) => void;
}

interface LinearSide {
  idOf(tracked: string): IssueId | undefined;
  readonly account?: string | undefined;
}

export interface OpenReceivers {
  readonly byService: Receivers;
  close(): Promise<void>;
}

/** Without a secret a service has none, and what comes in is refused; a new one counts from the next start. */
export async function openReceivers(options: ReceiverOptions): Promise<OpenReceivers> {
  const { github, linear } = options.config().credentials.webhooks;
  if (github === undefined && linear === undefined) return { byService: {}, close: async () => undefined };
  const trouble = (error: unknown) => options.world.troubles.raise('webhooks', error);
  const envoy = openInProcessEnvoy(trouble);
  // Nobody else listens yet; what was told should be found all the same.
  envoy.subscribe('notifications.>', (notice, topic) => options.note({ topic }, notice.text));
  const byService: Receivers = {
    ...(github !== undefined && { github: await githubReceiver(options, envoy, trouble) }),
    ...(linear !== undefined && { linear: await linearReceiver(options, envoy, trouble) }),
  };
  return {
    byService,
    async close() {
      for (const receiver of Object.values(byService)) await receiver.close();
      await envoy.close();
    },
  };
}

type Trouble = (error: unknown) => void;

/** Each is loaded only where it is used. */
async function githubReceiver(options: ReceiverOptions, envoy: Envoy, onTrouble: Trouble): Promise<Receiver> {
  const { openGithubReceiver } = await import('../envoy/github/open-github-receiver.ts');
  return openGithubReceiver({
    ...receiving(options, 'github'),
    ...{ envoy, onTrouble, accounts: () => options.accounts },
  });
}

async function linearReceiver(options: ReceiverOptions, envoy: Envoy, onTrouble: Trouble): Promise<Receiver> {
  const { openLinearReceiver } = await import('../envoy/linear/open-linear-receiver.ts');
  const { account } = options.linear ?? {};
  return openLinearReceiver({
    ...receiving(options, 'linear'),
    ...{ envoy, onTrouble, isOwn: isOwnId, accounts: () => (account === undefined ? [] : [account]) },
  });
}

function receiving(options: ReceiverOptions, service: 'github' | 'linear') {
  const { config, environment, state, world } = options;
  return {
    clock: world.clock,
    secret: () => secretOf(config().credentials.webhooks[service], environment),
    deliveries: join(state, `${service}-deliveries`),
    wake: (wakeUps: readonly WakeUp[]) => {
      for (const wakeUp of wakeUps) wake(options, wakeUp);
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
  // One that nobody knows may be new, or may hold up one that is known.
  if ('tracked' in wakeUp) return present(options.linear?.idOf(wakeUp.tracked)) ?? 'everything';
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
