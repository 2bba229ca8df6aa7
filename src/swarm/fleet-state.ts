/** What the fold knows of the fleet as a whole: its kills, and why no worker may start. */

import type { AfterKill, KillRecord } from '../core/health/kill-record.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Mode } from '../domain/mode.ts';

/** Each kill is judged later by what turned up; both rates are shown. */
export interface Kills {
  readonly last: number;
  readonly right: number;
  readonly wrong: number;
  readonly unjudged: readonly UnjudgedKill[];
}

export interface UnjudgedKill extends KillRecord {
  readonly kill: number;
  readonly issue: IssueId;
  readonly mode: Mode;
  /** What was found of it right after the kill. */
  readonly changeAt: AfterKill['changeAt'];
  readonly agentEventAt: AfterKill['agentEventAt'];
}

/** Why no worker is started: many deaths at once, a person's pause, or a halt, which also stopped every worker. */
export interface GlobalHold {
  readonly kind: 'deaths' | 'pause' | 'halt';
  readonly since: number;
  readonly why: string;
  /** The person who set it; absent after deaths. */
  readonly by?: string | undefined;
}

export interface Breaker {
  readonly serial: number;
  readonly open?: GlobalHold;
}
