/** Decides who sees which nodes, and what a credential allows. */
import type { LinearNode, Team, User } from './nodes.ts';
import { toForbidden } from './refusal.ts';
import type { LinearCredential } from './world.ts';

/**
 * Returns whether the user sees the team. A guest sees only teams with an invitation. All other
 * users see all public teams and the private teams they belong to.
 */
export function canSeeTeam(user: User, team: Team): boolean {
  return team.members.has(user) || (!team.private && !user.guest);
}

export function canSeeNode(user: User, node: LinearNode): boolean {
  switch (node.node) {
    case 'Team':
      return canSeeTeam(user, node);
    case 'WorkflowState':
    case 'Issue':
      return canSeeTeam(user, node.team);
    case 'IssueLabel':
      return node.team === undefined || canSeeTeam(user, node.team);
    case 'Project':
      return node.teams.some((team) => canSeeTeam(user, team));
    case 'Comment':
    case 'Attachment':
      return canSeeTeam(user, node.issue.team);
    case 'IssueRelation':
      return canSeeTeam(user, node.issue.team) && canSeeTeam(user, node.related.team);
    case 'User':
    case 'ExternalUser':
    case 'Organization':
      return true;
  }
}

/**
 * The one mutation that each of these scopes allows. `write` and `admin` allow all simulated
 * mutations.
 */
const NARROW: Readonly<Record<string, string>> = {
  issueCreate: 'issues:create',
  commentCreate: 'comments:create',
};

export function requireScope({ scopes }: LinearCredential, mutation: string): void {
  const enough = ['write', 'admin', NARROW[mutation]];
  if (scopes === undefined || scopes.some((scope) => enough.includes(scope))) return;
  throw toForbidden('Invalid scope: `write` required');
}

/** Guests may not change settings of teams or of the workspace. */
export function refuseGuest({ guest }: User): void {
  if (guest) throw toForbidden('Guests cannot change settings');
}
