/** Who sees what, and what a credential allows. */
import type { LinearNode, Team, User } from './nodes.ts';
import { forbidden } from './refusal.ts';
import type { Credential } from './world.ts';

/** A guest sees the teams it was invited to, everybody else all that are not private, and those they are members of. */
export function seesTeam(user: User, team: Team): boolean {
  return team.members.has(user) || (!team.private && !user.guest);
}

export function sees(user: User, node: LinearNode): boolean {
  switch (node.node) {
    case 'Team':
      return seesTeam(user, node);
    case 'WorkflowState':
    case 'Issue':
      return seesTeam(user, node.team);
    case 'IssueLabel':
      return node.team === undefined || seesTeam(user, node.team);
    case 'Project':
      return node.teams.some((team) => seesTeam(user, team));
    case 'Comment':
    case 'Attachment':
      return seesTeam(user, node.issue.team);
    case 'IssueRelation':
      return seesTeam(user, node.issue.team) && seesTeam(user, node.related.team);
    case 'User':
    case 'ExternalUser':
    case 'Organization':
      return true;
  }
}

/** These allow one mutation alone; `write` and `admin` allow all that are simulated. */
const NARROW: Readonly<Record<string, string>> = {
  issueCreate: 'issues:create',
  commentCreate: 'comments:create',
};

export function requireScope({ scopes }: Credential, mutation: string): void {
  const enough = ['write', 'admin', NARROW[mutation]];
  if (scopes === undefined || scopes.some((scope) => enough.includes(scope))) return;
  throw forbidden('Invalid scope: `write` required');
}

/** Settings of teams and of the workspace are not a guest's. */
export function refuseGuest({ guest }: User): void {
  if (guest) throw forbidden('Guests cannot change settings');
}
