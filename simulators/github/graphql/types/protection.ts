/** What protects a branch: as those see it who administer it, and as everybody does. */
import type { Repository } from '../../model/nodes.ts';
import { Shape } from '../shape.ts';

export function protectionShape(repository: Repository, branch: string): Shape | null {
  const protection = repository.protections.get(branch);
  if (protection === undefined) return null;
  const { requiredApprovals = 0, requiredChecks = [], strict = false } = protection;
  return new Shape('BranchProtectionRule', {
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

/** What everybody may know of it. */
export function updateRuleShape(repository: Repository, branch: string): Shape | null {
  const protection = repository.protections.get(branch);
  if (protection === undefined) return null;
  const { requiredApprovals = 0, requiredChecks = [] } = protection;
  return new Shape('RefUpdateRule', {
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
