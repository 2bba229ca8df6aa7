/** Provides every decision input, part by part, for exhaustive and random exploration. */

import type { BoundVerdict } from '../../../src/core/model/evidence.ts';
import { REJECTION_SUBJECTS } from '../../../src/core/model/issue.ts';
import { isLabel } from '../../../src/core/model/label.ts';
import type { LifecycleState } from '../../../src/core/model/lifecycle.ts';
import { MODES, type Mode, ROUND_REASONS, type RoundCounts } from '../../../src/core/model/mode.ts';
import { CI_STATUSES } from '../../../src/core/model/pull-request.ts';
import type { IssueSignals, KnownPullRequestSignals } from '../../../src/core/model/signals.ts';
import { type ObservedStatus, STATUSES } from '../../../src/core/model/status.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../../src/core/pipeline/policy.ts';
import { findRejectedWork } from '../../../src/core/pipeline/rejection.ts';
import type { Choose } from './explore.ts';

const OBSERVED_STATUSES: readonly ObservedStatus[] = [...STATUSES, 'terminal', 'unknown'];
const PROOFS: readonly BoundVerdict[] = ['passed', 'failed', 'could_not_run', 'void', 'none', 'unknown'];

/**
 * The engine distinguishes sets of workers by four facts only, as a separate test shows: which
 * worker occupies a slot, and whether the planner, the implementer and the merger have run. For the
 * first fact only the tester is varied here, because any other mode would have the same effect.
 */
const WORKER_STATES: Readonly<Record<Mode, readonly (LifecycleState | undefined)[]>> = {
  architect: [undefined],
  plan: [undefined, 'finished'],
  implement: [undefined, 'finished'],
  test: [undefined, 'executing', 'waiting-user', 'waiting-quota'],
  review: [undefined],
  merge: [undefined, 'finished'],
};

/** Returns signals whose parts are chosen when they are first read. */
export function chosenSignals(choose: Choose): IssueSignals {
  return {
    issue: 'X-1',
    get status() {
      return choose('status', OBSERVED_STATUSES);
    },
    labels: chosenLabels(choose),
    get blockers() {
      return choose('blockers', [[], ['X-2']]);
    },
    get children() {
      return choose('children', ['none', 'open', 'all_done'] as const);
    },
    get pullRequest() {
      const kind = choose('pullRequest', ['none', 'unknown', 'open', 'merged'] as const);
      return kind === 'none' || kind === 'unknown' ? kind : chosenPullRequest(choose, kind);
    },
    workers: chosenWorkers(choose),
    evidence: {
      get test() {
        return choose('evidence.test', PROOFS);
      },
      get qualityGate() {
        return choose('evidence.qualityGate', PROOFS);
      },
      get retro() {
        return choose('evidence.retro', PROOFS);
      },
    },
    rounds: chosenRounds(choose),
    get waitedTooLong() {
      return choose('waitedTooLong', [false, true]);
    },
    get askedBy() {
      return choose('askedBy', [undefined, 'architect', 'implement'] as const);
    },
    get rejected() {
      const status = choose('status', OBSERVED_STATUSES);
      const subjects = REJECTION_SUBJECTS.filter(
        (subject) => findRejectedWork(subject, status) !== undefined,
      );
      return subjects.length === 0 ? undefined : choose('rejected', [undefined, ...subjects]);
    },
    get sentBack() {
      return choose('sentBack', [undefined, 'test', 'merge'] as const);
    },
    get route() {
      return choose('route', ['Todo', 'Backlog', 'Icebox'] as const);
    },
    get icebox() {
      return choose('icebox', ['parked', 'unclarified', 'no_capacity', 'not_its_turn', 'due'] as const);
    },
    get autoMerge() {
      return choose('autoMerge', ['pass', 'fail', 'not_allowed', 'unknown'] as const);
    },
    get scriptedWork() {
      return choose('scriptedWork', [false, true]);
    },
  } as IssueSignals;
}

export function chosenPolicy(choose: Choose): PipelinePolicy {
  return {
    ...DEFAULT_POLICY,
    approvals: {
      get architect() {
        return choose('approvals.architect', ['required', 'auto'] as const);
      },
      merge: 'auto',
    },
    get qualityGate() {
      return choose('policy.qualityGate', ['configured', 'none'] as const);
    },
    get isDemoRepository() {
      return choose('policy.isDemoRepository', [false, true]);
    },
  };
}

function chosenPullRequest(choose: Choose, state: 'open' | 'merged'): KnownPullRequestSignals {
  return {
    state,
    draft: false,
    headSha: 'head',
    get review() {
      return choose('review', ['approved', 'changes_requested', 'none', 'unknown'] as const);
    },
    get ci() {
      return choose('ci', CI_STATUSES);
    },
    get mergeable() {
      return choose('mergeable', ['mergeable', 'conflicting', 'unknown'] as const);
    },
    get namesIssue() {
      return choose('namesIssue', [true, false]);
    },
  };
}

function chosenLabels(choose: Choose): ReadonlySet<string> {
  const has = (label: string) => isLabel(label) && choose(`label ${label}`, [false, true]);
  return Object.assign(new Set<string>(), { has });
}

function chosenWorkers(choose: Choose): IssueSignals['workers'] {
  const workers = {};
  for (const mode of MODES) {
    Object.defineProperty(workers, mode, { get: () => choose(`worker ${mode}`, WORKER_STATES[mode]) });
  }
  return workers;
}

function chosenRounds(choose: Choose): RoundCounts {
  const rounds = {};
  for (const reason of ROUND_REASONS) {
    const limit = DEFAULT_POLICY.rounds[reason];
    Object.defineProperty(rounds, reason, { get: () => choose(`rounds ${reason}`, [0, limit]) });
  }
  return rounds;
}

/** Builds signals by hand, for cases that are listed rather than enumerated. */
export function signals(
  parts: Partial<Omit<IssueSignals, 'labels'>> & { labels?: readonly string[] } = {},
): IssueSignals {
  const { labels = [], ...rest } = parts;
  return {
    issue: 'X-1',
    status: 'Todo',
    labels: new Set(labels),
    blockers: [],
    children: 'none',
    pullRequest: 'none',
    workers: {},
    evidence: { test: 'none', qualityGate: 'none', retro: 'none' },
    rounds: {},
    waitedTooLong: false,
    route: 'Backlog',
    icebox: 'unclarified',
    autoMerge: 'not_allowed',
    scriptedWork: false,
    ...rest,
  };
}

export function pullRequest(parts: Partial<KnownPullRequestSignals> = {}): KnownPullRequestSignals {
  return {
    state: 'open',
    draft: false,
    headSha: 'head',
    review: 'approved',
    ci: 'passing',
    mergeable: 'mergeable',
    namesIssue: true,
    ...parts,
  };
}
