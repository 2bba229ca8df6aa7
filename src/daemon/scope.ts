/** What the next look has to look at: everything, or the issues somebody named since the last. */
import type { IssueId } from '../domain/ids.ts';

export type Scope = 'all' | ReadonlySet<IssueId>;

export class Named {
  #all = true;
  #issues = new Set<IssueId>();

  add(issue: IssueId | undefined): void {
    if (issue === undefined) this.#all = true;
    else this.#issues.add(issue);
  }

  /** Taken before the look, so that what is named during it is looked at again. */
  take(): Scope {
    const scope: Scope = this.#all ? 'all' : this.#issues;
    this.#all = false;
    this.#issues = new Set();
    return scope;
  }
}
