/**
 * Merges a pull request on the local forge on an operator's request: a revert, or the pull request
 * of an issue that passes its gate.
 */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { createGateCondition, type GateCondition } from '../../../core/pipeline/pre-merge.ts';
import type { RecordedGate } from '../../../core/state/fleet-state.ts';
import type { LegionState } from '../../../core/state/state.ts';
import type { ForgePullRequest, MergeOutcome, NumberedPullRequest } from '../../../ports/forge.ts';
import type { MergeAnswer, MergeRequest } from '../../../protocol/operator.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import type { Repository } from '../../context/repository.ts';
import { executeMerge, retryWhileMoving } from '../../merging/carry-out-merge.ts';
import { checkMerge, listConditions } from '../../merging/check-merge.ts';
import { buildLandingEvents } from '../../reports/landed.ts';
import { readWithLimit } from '../read-outside.ts';
import { postIssueComment } from './relabel.ts';

export async function mergePullRequest(context: DaemonContext, request: MergeRequest): Promise<MergeAnswer> {
  const repository = await findRepositoryOf(context, request);
  return context.merges.runExclusive(repository.path, () =>
    retryWhileMoving(async () => {
      // The pull request is read only when it is this merge's turn, because another merge may have
      // landed in the meantime.
      const found = await requirePullRequest(repository, request.number);
      refuseUnlessOpen(found, repository);
      const pullRequest = await readPullRequest(repository, found);
      const gate =
        found.reverts === undefined
          ? await checkIssueMerge(context, found.issue, pullRequest, request)
          : await checkRevert(context, repository, found, pullRequest, request.force);
      const merged = await mergeNow(context, repository, { found, pullRequest, gate, request });
      return answerMerge(context, repository, found, merged, request);
    }),
  );
}

function refuseUnlessOpen({ number, state, mergedSha }: NumberedPullRequest, { base }: Repository): void {
  if (state === 'merged')
    throw new LegionError('pr.merged', `Pull request ${number} was merged into ${base} as ${mergedSha}.`);
  if (state === 'closed') throw new LegionError('forge.not_open', `Pull request ${number} is closed.`);
}

async function readPullRequest(
  { forge }: Repository,
  { number, branch }: NumberedPullRequest,
): Promise<ForgePullRequest> {
  const read = (await readWithLimit((signal) => forge.pullRequests([branch], signal))).get(branch);
  if (read === 'unknown')
    throw new LegionError('forge.unavailable', `Pull request ${number} cannot be read at the moment.`);
  if (read?.number === number) return read;
  throw new LegionError(
    'forge.branch_missing',
    `Branch ${branch} of pull request ${number} no longer exists.`,
  );
}

interface OperatorMerge {
  readonly found: NumberedPullRequest;
  readonly pullRequest: ForgePullRequest;
  readonly gate: RecordedGate;
  readonly request: MergeRequest;
}

async function mergeNow(
  context: StateContext,
  { forge }: Repository,
  { found, pullRequest, gate, request }: OperatorMerge,
): Promise<MergeOutcome> {
  const { issue, number } = found;
  const { headSha, baseSha } = pullRequest;
  const { by, force } = request;
  const forced = force && found.reverts !== undefined;
  return context.merges.run(issue, async () => {
    const merged = await executeMerge(context, forge, {
      issue,
      pullRequest: number,
      headSha,
      baseSha,
      by,
      actor: 'operator',
      forced,
      ...gate,
    });
    await context.ledger.append((state) =>
      buildMergeEvents(state, found, headSha, merged.mergedSha, { by, forced }),
    );
    context.wake(issue);
    return merged;
  });
}

function buildMergeEvents(
  state: LegionState,
  { issue, number, reverts }: NumberedPullRequest,
  headSha: string,
  mergedSha: string,
  { by, forced }: { readonly by: string; readonly forced: boolean },
): EventBody[] {
  return reverts === undefined
    ? buildLandingEvents(state, { issue, pullRequest: { number, headSha }, mergedSha, auto: false })
    : [{ type: 'revert.landed', issue, revert: number, mergedSha, by, forced }];
}

async function answerMerge(
  context: PortContext,
  { base }: Repository,
  { issue, number, reverts }: NumberedPullRequest,
  { mergedSha, note }: MergeOutcome,
  { by, force }: MergeRequest,
): Promise<MergeAnswer> {
  const what =
    reverts === undefined
      ? `Pull request ${number} of ${issue} is merged into ${base} as ${mergedSha}. ${issue} moves to Done.`
      : `Pull request ${number} is merged into ${base} as ${mergedSha}: ${base} no longer contains the change of ${issue} (pull request ${reverts}).`;
  const forced = force && reverts !== undefined;
  const how = forced ? ' with --force' : '';
  const text = `${by} merged pull request ${number} into ${base} as ${mergedSha}${how}.`;
  const unsaid = await postIssueComment(context, issue, by, `${issue}:merged:${number}`, text).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const says = [
    what,
    ...(forced ? ['Its CI was not checked, because --force was used; the journal records this.'] : []),
    ...(note === undefined ? [] : [`Note: ${note}`]),
    ...(unsaid === undefined ? [] : [`No comment could be posted on ${issue}: ${unsaid}`]),
  ].join(' ');
  return {
    says,
    pullRequest: number,
    issue,
    base,
    mergedSha,
    forced,
    ...(reverts !== undefined && { reverts }),
  };
}

/**
 * Finds the repository that contains the requested pull request. If several repositories have a
 * pull request with this number, the operator has to specify the repository.
 */
async function findRepositoryOf(
  { repositories }: PortContext,
  { number, repo }: Pick<MergeRequest, 'number' | 'repo'>,
): Promise<Repository> {
  const named = repositories.all.filter(({ name }) => repo === undefined || name === repo);
  if (named.length === 0) {
    const valid = repositories.all.map(({ name }) => name).join(', ');
    throw new LegionError('input.invalid', `Unknown repository ${quoteText(repo ?? '')}. Valid: ${valid}.`);
  }
  const mergedHere = named.filter(({ forge }) => forge.findPullRequest !== undefined);
  if (mergedHere.length === 0) throw createMergedElsewhereError(named, number);
  const holding: Repository[] = [];
  for (const repository of mergedHere) {
    if ((await findByNumber(repository, number)) !== undefined) holding.push(repository);
  }
  const [only, ...others] = holding;
  if (only === undefined) throw createPullRequestMissingError(mergedHere, number);
  if (others.length === 0) return only;
  const names = holding.map(({ name }) => name).join(', ');
  throw new LegionError('pr.ambiguous', `Several repositories have a pull request ${number}: ${names}.`);
}

async function requirePullRequest(repository: Repository, number: number): Promise<NumberedPullRequest> {
  const found = await findByNumber(repository, number);
  if (found === undefined) throw createPullRequestMissingError([repository], number);
  return found;
}

async function findByNumber({ forge }: Repository, number: number): Promise<NumberedPullRequest | undefined> {
  return readWithLimit(async (signal) => forge.findPullRequest?.(number, signal));
}

function createPullRequestMissingError(repositories: readonly Repository[], number: number): LegionError {
  const where = repositories.map(({ name }) => name).join(', ');
  return new LegionError('forge.pull_request_missing', `There is no pull request ${number} in ${where}.`);
}

function createMergedElsewhereError(repositories: readonly Repository[], number: number): LegionError {
  const pages = repositories.map(({ name, addressOf }) => addressOf?.(number) ?? name);
  return new LegionError(
    'pr.elsewhere',
    `Legion merges a pull request for you only if the pull request is on the local forge. Merge here instead: ${pages.join(', ')}`,
  );
}

/**
 * Number of log lines to show: they fit on one screen and show the failure. The whole log is in the
 * state directory.
 */
const LOG_LINES = 10;

/**
 * Checks the conditions for an operator's merge of an issue's pull request. `--force` skips none of
 * them, because the work of an issue always has to pass its gate.
 */
async function checkIssueMerge(
  context: DaemonContext,
  issue: IssueId,
  pullRequest: ForgePullRequest,
  { by, force }: { readonly by: string; readonly force: boolean },
): Promise<RecordedGate> {
  const hold = context.ledger.state.breaker.open;
  if (hold?.kind !== undefined)
    throw new LegionError('pr.held', `Pull request ${pullRequest.number} of ${issue}: ${hold.why}.`);
  const { gate, open } = await checkMerge(context, issue, pullRequest, by);
  if (open.length === 0) return gate;
  const note = force ? ' --force skips CI only for a revert.' : '';
  throw new LegionError(
    'pr.gate_closed',
    `Pull request ${pullRequest.number} of ${issue} at ${pullRequest.headSha}: ${listConditions(open)}.${note}`,
  );
}

/**
 * Checks the conditions for merging a revert. A revert may be merged even while the legion is
 * halted, because a halt must not keep a bad change on the base.
 */
async function checkRevert(
  context: StateContext,
  repository: Repository,
  { issue, reverts, number }: NumberedPullRequest,
  pullRequest: ForgePullRequest,
  force: boolean,
): Promise<RecordedGate> {
  const merged = context.ledger.state.issues.get(issue)?.merged;
  if (merged === undefined || (merged.pullRequest === reverts && merged.undone === undefined))
    throw new LegionError(
      'rollback.unfinished',
      `The rollback of ${issue} that opened pull request ${number} did not complete.`,
    );
  const { ci, mergeable } = pullRequest;
  const green = createGateCondition('ci_green', ci === 'passing', `ci=${ci}`);
  const gate = { preMerge: [green, buildMergeableCondition(mergeable)] };
  // A conflict is left to the merge itself, which lists the conflicting files. The conflict may
  // also be the reason why CI fails.
  if (ci === 'passing' || force || mergeable === 'conflicting') return gate;
  throw new LegionError('pr.ci_not_green', await describeCi(repository, pullRequest));
}

function buildMergeableCondition(mergeable: ForgePullRequest['mergeable']): GateCondition {
  const verdict = mergeable === 'mergeable' ? 'pass' : mergeable === 'unknown' ? 'unknown' : 'fail';
  return createGateCondition('mergeable', verdict, `mergeable=${mergeable}`);
}

async function describeCi(
  { name, forge }: Repository,
  { number, ci, headSha }: ForgePullRequest,
): Promise<string> {
  const subject = `CI of pull request ${number} at ${headSha.slice(0, 10)}`;
  switch (ci) {
    case 'none':
      return `${name} has no CI, so nothing has checked pull request ${number}.`;
    case 'pending':
      return `${subject} is still running.`;
    case 'failing': {
      const failing = await readWithLimit((signal) => forge.failingCheck(headSha, signal));
      const log = (failing?.logTail ?? '').trimEnd().split('\n').slice(-LOG_LINES).join('\n');
      return `${subject} fails: ${failing?.name ?? 'unknown check'}\n${log}`;
    }
    default:
      return `${subject} could not run.`;
  }
}
