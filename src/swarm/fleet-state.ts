/** What the fold knows of the fleet as a whole: its kills, and why no worker may start. */
import type { IssueId } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import type { AfterKill, KillRecord } from '../health/kill-record.ts';

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
