/** What stands between a pull request and its base, in words that say what to give. */
import { counted } from '../../domain/format.ts';
import type { BaseRule, CheckedContexts, MergeAnswer } from './ask-merge.ts';

/**
 * Undefined where nothing does. Asked before the merge, because GitHub lets an administrator's token pass over protection, and
 * Legion's must not.
 */
export function protectionOf({ base, pullRequest }: MergeAnswer): string | undefined {
  const { mergeStateStatus, isMergeQueueEnabled } = pullRequest;
  if (isMergeQueueEnabled) {
    return 'the base has a merge queue, which decides for itself what lands on what: add the pull request to the queue by hand';
  }
  if (mergeStateStatus === 'BEHIND') return 'the branch must hold the newest base before it is merged';
  if (mergeStateStatus !== 'BLOCKED') return undefined;
  const wanting = [
    ...reviewsWanting(pullRequest.reviewDecision, base?.refUpdateRule ?? null),
    ...checksWanting(base?.refUpdateRule ?? null, pullRequest.statusCheckRollup?.contexts),
    ...(base?.refUpdateRule?.requiresConversationResolution === true ? ['every conversation resolved'] : []),
    ...(base?.refUpdateRule?.requiresSignatures === true ? ['signed commits'] : []),
  ];
  return wanting.length === 0
    ? 'GitHub says that the merge is blocked, and not by what'
    : `the base asks for ${wanting.join(', ')}`;
}

function reviewsWanting(decision: string | null, rule: BaseRule): readonly string[] {
  const count = rule?.requiredApprovingReviewCount ?? 1;
  switch (decision) {
    case 'REVIEW_REQUIRED':
      return [`${counted(count, 'approving review')} by somebody who may write`];
    case 'CHANGES_REQUESTED':
      return ['the requested changes, approved by who asked for them'];
    default:
      return [];
  }
}

const PASSED: ReadonlySet<string> = new Set(['SUCCESS', 'NEUTRAL', 'SKIPPED']);

function checksWanting(rule: BaseRule, contexts: CheckedContexts | undefined): readonly string[] {
  const checks = (contexts?.nodes ?? []).flatMap(readCheck);
  const required = (rule?.requiredStatusCheckContexts ?? []).filter((name) => name !== null);
  return required.flatMap((name) => {
    const check = checks.find((each) => each.name === name);
    // It may be on a page that was not read: then nothing is said of it.
    if (check === undefined)
      return contexts?.pageInfo.hasNextPage === true ? [] : [`the check "${name}", which has not run`];
    if (PASSED.has(check.end)) return [];
    return [`the check "${name}", which is ${check.end.toLowerCase().replaceAll('_', ' ')}`];
  });
}

type CheckedContext = NonNullable<CheckedContexts['nodes']>[number];

/** A check run has a name and ends with a conclusion; a commit status has a context and a state. */
function readCheck(check: CheckedContext): readonly { readonly name: string; readonly end: string }[] {
  if (check === null) return [];
  if ('context' in check) return [{ name: check.context, end: check.state }];
  return 'name' in check ? [{ name: check.name, end: check.conclusion ?? check.status }] : [];
}
