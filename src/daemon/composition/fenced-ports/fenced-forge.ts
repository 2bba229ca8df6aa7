/** Confirms leadership before each write to a forge. */
import type { ChangesSince } from '../../../core/model/evidence.ts';
import type { ChangedFile } from '../../../core/model/pull-request.ts';
import type {
  CheckedAt,
  CheckLog,
  FailingCheck,
  Forge,
  ForgeCheck,
  ForgePullRequest,
  MergeOutcome,
  NewPullRequest,
  NewReview,
  PullRequestLabelChange,
  PullRequestRemark,
  PullRequestText,
  RevertRequest,
} from '../../../ports/forge.ts';
import type { Leadership } from '../../context/ledger.ts';

export class FencedForge implements Forge {
  readonly #forge: Forge;
  readonly #leadership: Leadership;
  // Optional methods are declared without a value, so that each stays absent if the forge lacks it.
  declare readonly whyUnknown?: NonNullable<Forge['whyUnknown']>;
  declare readonly obstacles?: NonNullable<Forge['obstacles']>;
  declare readonly findPullRequest?: NonNullable<Forge['findPullRequest']>;

  constructor(forge: Forge, leadership: Leadership) {
    this.#forge = forge;
    this.#leadership = leadership;
    const { whyUnknown, obstacles, findPullRequest } = forge;
    if (whyUnknown !== undefined) this.whyUnknown = (branch) => whyUnknown.call(forge, branch);
    if (obstacles !== undefined) this.obstacles = (branch, signal) => obstacles.call(forge, branch, signal);
    if (findPullRequest !== undefined)
      this.findPullRequest = (number, signal) => findPullRequest.call(forge, number, signal);
  }

  get kind(): Forge['kind'] {
    return this.#forge.kind;
  }

  pullRequests(
    branches: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ForgePullRequest | 'unknown'>> {
    return this.#forge.pullRequests(branches, signal);
  }

  changesSince(shas: readonly string[], at: CheckedAt, signal: AbortSignal): Promise<ChangesSince> {
    return this.#forge.changesSince(shas, at, signal);
  }

  changedFiles(
    at: CheckedAt,
    needsText: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<readonly ChangedFile[] | 'unknown'> {
    return this.#forge.changedFiles(at, needsText, signal);
  }

  checks(sha: string, signal: AbortSignal): Promise<readonly ForgeCheck[]> {
    return this.#forge.checks(sha, signal);
  }

  checkLog(sha: string, check: ForgeCheck, signal: AbortSignal): Promise<CheckLog> {
    return this.#forge.checkLog(sha, check, signal);
  }

  failingCheck(sha: string, signal: AbortSignal): Promise<FailingCheck | undefined> {
    return this.#forge.failingCheck(sha, signal);
  }

  findChecks(signal: AbortSignal): Promise<'some' | 'none'> {
    return this.#forge.findChecks(signal);
  }

  remarks(number: number, signal: AbortSignal): Promise<readonly PullRequestRemark[]> {
    return this.#forge.remarks(number, signal);
  }

  subscribe(listener: (branch: string) => void): () => void {
    return this.#forge.subscribe(listener);
  }

  async push(branch: string, workspace: string): Promise<string> {
    await this.#leadership.confirm();
    return this.#forge.push(branch, workspace);
  }

  async open(branch: string, pullRequest: NewPullRequest): Promise<number> {
    await this.#leadership.confirm();
    return this.#forge.open(branch, pullRequest);
  }

  async edit(number: number, text: Partial<PullRequestText>): Promise<void> {
    await this.#leadership.confirm();
    return this.#forge.edit(number, text);
  }

  async markReady(number: number): Promise<void> {
    await this.#leadership.confirm();
    return this.#forge.markReady(number);
  }

  async label(number: number, change: PullRequestLabelChange): Promise<void> {
    await this.#leadership.confirm();
    return this.#forge.label(number, change);
  }

  async comment(number: number, key: string, text: string): Promise<void> {
    await this.#leadership.confirm();
    return this.#forge.comment(number, key, text);
  }

  async putComment(number: number, key: string, text: string): Promise<void> {
    await this.#leadership.confirm();
    return this.#forge.putComment(number, key, text);
  }

  async review(number: number, review: NewReview): Promise<void> {
    await this.#leadership.confirm();
    return this.#forge.review(number, review);
  }

  async merge(number: number, at: CheckedAt): Promise<MergeOutcome> {
    await this.#leadership.confirm();
    return this.#forge.merge(number, at);
  }

  async abandon(number: number): Promise<void> {
    await this.#leadership.confirm();
    return this.#forge.abandon(number);
  }

  async revert(number: number, request: RevertRequest): ReturnType<Forge['revert']> {
    await this.#leadership.confirm();
    return this.#forge.revert(number, request);
  }

  close(): Promise<void> {
    return this.#forge.close();
  }
}
