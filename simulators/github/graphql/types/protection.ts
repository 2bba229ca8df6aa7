/** Resolves branch protection: all of it for administrators, a public part for everyone else. */
import type { Repository } from '../../model/nodes.ts';
import { SchemaValue } from '../shape.ts';

export function toProtectionValue(repository: Repository, branch: string): SchemaValue | null {
  const protection = repository.protections.get(branch);
  if (protection === undefined) return null;
  const { requiredApprovals = 0, requiredChecks = [], strict = false } = protection;
  return new SchemaValue('BranchProtectionRule', {
    id: `BPR_${repository.databaseId}_${branch}`,
    pattern: branch,
    repository,
    requiresApprovingReviews: requiredApprovals > 0,
    requiredApprovingReviewCount: requiredApprovals > 0 ? requiredApprovals : null,
    requiresStatusChecks: requiredChecks.length > 0,
    requiredStatusCheckContexts: requiredChecks,
    requiresStrictStatusChecks: strict,
    isAdminEnforced: true,
    allowsForcePushes: false,
    allowsDeletions: false,
  });
}

/** Returns the public part of the protection. */
export function updateRuleShape(repository: Repository, branch: string): SchemaValue | null {
  const protection = repository.protections.get(branch);
  if (protection === undefined) return null;
  const { requiredApprovals = 0, requiredChecks = [] } = protection;
  return new SchemaValue('RefUpdateRule', {
    pattern: branch,
    requiredApprovingReviewCount: requiredApprovals > 0 ? requiredApprovals : null,
    requiredStatusCheckContexts: requiredChecks,
    allowsDeletions: false,
    allowsForcePushes: false,
    blocksCreations: false,
    requiresCodeOwnerReviews: false,
    requiresConversationResolution: false,
    requiresLinearHistory: false,
    requiresSignatures: false,
    viewerAllowedToDismissReviews: false,
    viewerCanPush: false,
  });
}
