/** Shows an issue's pull request at the issue, on boards that do not find out by themselves. */
import type { IssueId } from '../../core/model/ids.ts';
import type { Link } from '../../ports/tracker.ts';
import type { World } from '../world.ts';

/** After a failure: soon enough to be there before it is merged, seldom enough to cost nothing while the tracker is away. */
const AGAIN_MS = 60_000;

/** After a success: until the board is read anew it does not say so, and if it never does, writing often would not help. */
const BELIEVED_MS = 10 * 60_000;

type Surroundings = Pick<World, 'tracker' | 'view' | 'clock' | 'troubles' | 'repositories'>;

export class ShownPullRequests {
  readonly #world: Surroundings;
  /** Kept from when it was first seen until the board shows it: of a Done issue no pull request is asked for any more. */
  readonly #owed = new Map<IssueId, { readonly link: Link; readonly notBefore: number }>();

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** What is shown already costs nothing: the board says so. One after another, because trackers take writes so. */
  async round(): Promise<void> {
    const { tracker, view, clock, troubles } = this.#world;
    if (tracker.attach === undefined) return;
    this.#notice();
    for (const [issue, { link, notBefore }] of [...this.#owed]) {
      const seen = view.of(issue)?.issue;
      // One that has left the board can be shown nothing.
      if (seen === undefined || seen.links?.includes(link.url) === true) this.#settle(issue);
      else if (notBefore <= clock.now()) {
        this.#owed.set(issue, { link, notBefore: clock.now() + BELIEVED_MS });
        try {
          await tracker.attach(issue, link);
          troubles.clear(about(issue));
        } catch (error) {
          this.#owed.set(issue, { link, notBefore: clock.now() + AGAIN_MS });
          troubles.raise(about(issue), error);
        }
      }
    }
  }

  #notice(): void {
    const { view, repositories } = this.#world;
    for (const { issue, pullRequest } of view.all) {
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
    this.#world.troubles.clear(about(issue));
  }
}

function about(issue: IssueId): string {
  return `link of ${issue}`;
}
