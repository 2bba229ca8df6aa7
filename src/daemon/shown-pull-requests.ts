/** Shows an issue's pull request at the issue, on boards that do not find out by themselves. */
import type { IssueId } from '../domain/ids.ts';
import type { World } from './world.ts';

/** After a failure; showing is a courtesy, and the next look comes sooner than anybody misses it. */
const AGAIN_MS = 10 * 60_000;

export class ShownPullRequests {
  readonly #world: World;
  readonly #notBefore = new Map<IssueId, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** What is shown already costs nothing: the board says so. One after another, because trackers take writes so. */
  async round(): Promise<void> {
    const { tracker, view, clock, troubles } = this.#world;
    if (tracker.attach === undefined) return;
    for (const { issue, pullRequest } of view.all) {
      if (typeof pullRequest !== 'object' || (this.#notBefore.get(issue.id) ?? 0) > clock.now()) continue;
      const url = this.#world.repositories.find(issue.id)?.addressOf?.(pullRequest.number);
      if (url === undefined || issue.links?.includes(url) === true) continue;
      // Also after a success: until the board is read anew it does not say so.
      this.#notBefore.set(issue.id, clock.now() + AGAIN_MS);
      try {
        await tracker.attach(issue.id, { url, title: `Pull request #${pullRequest.number}` });
        troubles.clear(`link of ${issue.id}`);
      } catch (error) {
        troubles.raise(`link of ${issue.id}`, error);
      }
    }
  }
}
