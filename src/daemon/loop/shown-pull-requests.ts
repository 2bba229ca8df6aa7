/** Links each issue to its pull request, on trackers that do not do so themselves. */
import type { IssueId } from '../../core/model/ids.ts';
import type { IssueLink } from '../../ports/tracker.ts';
import type { DaemonContext } from '../context/daemon-context.ts';

/**
 * Delay after a failure: short enough that the link appears before the merge, long enough to cost
 * little during an outage.
 */
const AGAIN_MS = 60_000;

/**
 * Delay after a success. The board shows the link only after the next read, and writing the link
 * again before that would not help.
 */
const BELIEVED_MS = 10 * 60_000;

type PullRequestLinksContext = Pick<
  DaemonContext,
  'tracker' | 'boardView' | 'clock' | 'problems' | 'repositories'
>;

export class PullRequestLinks {
  readonly #context: PullRequestLinksContext;
  /**
   * Links that the board does not show yet. They are kept here, because the pull requests of Done
   * issues are no longer read.
   */
  readonly #owed = new Map<IssueId, { readonly link: IssueLink; readonly notBefore: number }>();

  constructor(context: PullRequestLinksContext) {
    this.#context = context;
  }

  /**
   * Writes the missing links. Links that the board already shows cost no request. Writes are
   * sequential, as trackers expect.
   */
  async runRound(): Promise<void> {
    const { tracker, boardView, clock, problems } = this.#context;
    if (tracker.attach === undefined) return;
    this.#collectMissing();
    for (const [issue, { link, notBefore }] of [...this.#owed]) {
      const seen = boardView.find(issue)?.issue;
      // An issue that left the board cannot be linked.
      if (seen === undefined || seen.links?.includes(link.url) === true) this.#settle(issue);
      else if (notBefore <= clock.now()) {
        this.#owed.set(issue, { link, notBefore: clock.now() + BELIEVED_MS });
        try {
          await tracker.attach(issue, link);
          problems.resolve(formatLinkProblem(issue));
        } catch (error) {
          this.#owed.set(issue, { link, notBefore: clock.now() + AGAIN_MS });
          problems.report(formatLinkProblem(issue), error);
        }
      }
    }
  }

  #collectMissing(): void {
    const { boardView, repositories } = this.#context;
    for (const { issue, pullRequest } of boardView.all) {
      if (typeof pullRequest !== 'object') continue;
      const url = repositories.find(issue.id)?.addressOf?.(pullRequest.number);
      if (
        url === undefined ||
        this.#owed.get(issue.id)?.link.url === url ||
        issue.links?.includes(url) === true
      )
        continue;
      this.#owed.set(issue.id, { link: { url, title: `Pull request #${pullRequest.number}` }, notBefore: 0 });
    }
  }

  #settle(issue: IssueId): void {
    this.#owed.delete(issue);
    this.#context.problems.resolve(formatLinkProblem(issue));
  }
}

function formatLinkProblem(issue: IssueId): string {
  return `link of ${issue}`;
}
