/**
 * Maps each webhook delivery to a wake-up: of the issue that the delivery concerns, or of the whole
 * board.
 */
import { join } from 'node:path';
import type { LegionConfig } from '../../config/legion/schema.ts';
import { readReference } from '../../config/secret-reference.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { GithubTracker } from '../../integrations/github/tracker/open-github-tracker.ts';
import { isOwnId } from '../../integrations/linear/client/own-id.ts';
import { openInProcessEnvoy } from '../../messaging/in-process.ts';
import type { Envoy } from '../../ports/messaging.ts';
import type { WakeUp, WebhookReceiver } from '../../ports/webhooks.ts';
import type { StateContext } from '../context/daemon-context.ts';
import type { WebhookReceivers } from '../daemon.ts';

export interface ReceiverOptions {
  readonly config: () => LegionConfig;
  readonly environment: EnvironmentVariables;
  readonly state: string;
  readonly context: StateContext;
  readonly accounts: readonly string[];
  /** Writes one log line. */
  readonly log: (what: object, message: string) => void;
  readonly tracker: GithubTracker | undefined;
  /**
   * Data for mapping Linear's deliveries: the ids of the team's issues and the name of Legion's
   * account.
   */
  readonly linear?: LinearWebhookContext | undefined;
  /** Notifies the forges that a branch may have changed. */
  readonly onBranchChange: (branch: string) => void;
}

interface LinearWebhookContext {
  idOf(tracked: string): IssueId | undefined;
  readonly account?: string | undefined;
}

export interface OpenReceivers {
  readonly byService: WebhookReceivers;
  close(): Promise<void>;
}

/**
 * Opens a receiver for each service that has a configured secret. Deliveries from other services
 * are refused. A service that is configured later needs a restart.
 */
export async function openReceivers(options: ReceiverOptions): Promise<OpenReceivers> {
  const { github, linear } = options.config().credentials.webhooks;
  if (github === undefined && linear === undefined) return { byService: {}, close: async () => undefined };
  const reportProblem = (error: unknown) => options.context.problems.report('webhooks', error);
  const envoy = openInProcessEnvoy(reportProblem);
  // No other module subscribes to notifications yet, so they are at least logged.
  envoy.subscribe('notifications.>', (notice, topic) => options.log({ topic }, notice.text));
  const byService: WebhookReceivers = {
    ...(github !== undefined && { github: await openGithubWebhooks(options, envoy, reportProblem) }),
    ...(linear !== undefined && { linear: await openLinearWebhooks(options, envoy, reportProblem) }),
  };
  return {
    byService,
    async close() {
      for (const receiver of Object.values(byService)) await receiver.close();
      await envoy.close();
    },
  };
}

type ErrorListener = (error: unknown) => void;

/** Opens the GitHub receiver. Its modules are imported only when used. */
async function openGithubWebhooks(
  options: ReceiverOptions,
  envoy: Envoy,
  onError: ErrorListener,
): Promise<WebhookReceiver> {
  const { openGithubReceiver } = await import('../../integrations/github/webhooks/open-github-receiver.ts');
  return openGithubReceiver({
    ...buildCommonOptions(options, 'github'),
    envoy,
    onError,
    accounts: () => options.accounts,
  });
}

async function openLinearWebhooks(
  options: ReceiverOptions,
  envoy: Envoy,
  onError: ErrorListener,
): Promise<WebhookReceiver> {
  const { openLinearReceiver } = await import('../../integrations/linear/webhooks/open-linear-receiver.ts');
  const { account } = options.linear ?? {};
  return openLinearReceiver({
    ...buildCommonOptions(options, 'linear'),
    envoy,
    onError,
    isOwn: isOwnId,
    accounts: () => (account === undefined ? [] : [account]),
  });
}

function buildCommonOptions(options: ReceiverOptions, service: 'github' | 'linear') {
  const { config, environment, state, context } = options;
  return {
    clock: context.clock,
    secret: () => readWebhookSecret(config().credentials.webhooks[service], environment),
    deliveries: join(state, `${service}-deliveries`),
    wake: (wakeUps: readonly WakeUp[]) => {
      for (const wakeUp of wakeUps) applyWakeUp(options, wakeUp);
    },
  };
}

/**
 * Treats an unreadable secret as missing. Deliveries are then refused, and the sender can see that.
 */
function readWebhookSecret(
  reference: string | undefined,
  environment: EnvironmentVariables,
): string | undefined {
  const read = reference === undefined ? undefined : readReference(reference, environment);
  return read?.ok === true ? read.value : undefined;
}

/**
 * Wakes the loop for the issue that the delivery concerns. If the delivery cannot be mapped to an
 * issue, requests a pass over the whole board, which costs one request.
 */
function applyWakeUp(options: ReceiverOptions, wakeUp: WakeUp): void {
  const issues = resolveWakeUpTargets(options, wakeUp);
  if (issues === 'everything') options.context.wake();
  else
    for (const issue of issues) {
      options.onBranchChange(issue);
      options.context.wake(issue);
    }
}

function resolveWakeUpTargets(options: ReceiverOptions, wakeUp: WakeUp): readonly IssueId[] | 'everything' {
  const { tracker, context } = options;
  if (wakeUp === 'everything') return wakeUp;
  if ('issue' in wakeUp) {
    const { number } = wakeUp.issue;
    return (
      toTargets(tracker?.idOf(wakeUp.issue)) ??
      toTargetsOrEverything(findIssuesByPullRequest(context, number))
    );
  }
  // Issue branches are named after their issues, so all other branches are ignored. That includes
  // the base branch, which receives a push for every merge.
  if ('branch' in wakeUp) return toTargets(context.boardView.find(wakeUp.branch.branch)?.issue.id) ?? [];
  // An unknown issue may be new, or it may block a known issue, so the whole board is reconciled.
  if ('tracked' in wakeUp) return toTargets(options.linear?.idOf(wakeUp.tracked)) ?? 'everything';
  if ('commit' in wakeUp) return findIssuesByCommit(context, wakeUp.commit);
  return toTargets(tracker?.idOf({ node: wakeUp.projectItem })) ?? 'everything';
}

function toTargetsOrEverything(issues: readonly IssueId[]): readonly IssueId[] | 'everything' {
  return issues.length === 0 ? 'everything' : issues;
}

function findIssuesByPullRequest({ boardView }: StateContext, number: number): readonly IssueId[] {
  return boardView.all.flatMap(({ issue, pullRequest }) =>
    typeof pullRequest === 'object' && pullRequest.number === number ? [issue.id] : [],
  );
}

/** Commit that a webhook reports, with its branches and pull requests according to GitHub. */
type CommitHint = Extract<WakeUp, { readonly commit: unknown }>['commit'];

function findIssuesByCommit(
  { boardView }: StateContext,
  { sha, branches, pullRequests }: CommitHint,
): readonly IssueId[] {
  return boardView.all.flatMap(({ issue, pullRequest }) => {
    const its = typeof pullRequest === 'object' ? pullRequest : undefined;
    const isMeant =
      branches.includes(issue.id) ||
      its?.headSha === sha ||
      (its !== undefined && pullRequests.includes(its.number));
    return isMeant ? [issue.id] : [];
  });
}

function toTargets(issue: IssueId | undefined): readonly IssueId[] | undefined {
  return issue === undefined ? undefined : [issue];
}
