/** What can be wrong with one issue of GitHub, in words: the subject, the problem and the next step. */
import type { IssueProblem } from '../../domain/issue.ts';
import { cutText } from '../../domain/plain-text.ts';
import { type IssuePlace, shownPlace } from '../../integrations/github/client/issue-reference.ts';

/** A number with more digits tells nobody anything. */
const NAME_MAX = 80;

export function refused(reason: string): IssueProblem {
  const text = `Legion may not read this issue now and shows it as it was before: ${sentence(reason)} Next step: give Legion’s account access to it again; the next look at the board shows whether it helped.`;
  return { text, holds: true };
}

export function unavailable(reason: string): IssueProblem {
  const text = `GitHub fails to show this issue, and Legion shows it as it was before: ${sentence(reason)} Next step: wait, or edit the issue; where it lasts, tell GitHub’s support.`;
  return { text, holds: true };
}

export function malformed(oddity: string): IssueProblem {
  return { text: `GitHub’s answer about this issue is malformed: ${sentence(oddity)}`, holds: false };
}

export function outOfRange(written: string): IssueProblem {
  const text = `The text names ${cutText(written, NAME_MAX)} as a blocker, but no issue of GitHub has such a number, so it blocks nothing. Next step: correct the number in the issue’s text.`;
  return { text, holds: false };
}

export function unreadableBlocker(place: IssuePlace, reason: string): IssueProblem {
  const { owner, repo } = place;
  const text = `Blocked by ${shownPlace(place)}, which Legion may not read: ${sentence(reason)} Next step: give Legion’s account read access to ${owner}/${repo} (where ${owner} uses SAML single sign-on, authorize its token there; where it has an IP allow list, add this machine), or remove the reference from the issue.`;
  return { text, holds: true };
}

export function unreadableDependencies(reason: string): IssueProblem {
  const text = `Legion may not read which issues block this one: ${sentence(reason)} Next step: give Legion’s account read access to the issues of this repository.`;
  return { text, holds: true };
}

export function unnamedBlocker(place: IssuePlace): IssueProblem {
  const text = `Blocked by ${shownPlace(place)}, which cannot have an id on this board. Next step: close it, or remove the reference from the issue.`;
  return { text, holds: true };
}

function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
