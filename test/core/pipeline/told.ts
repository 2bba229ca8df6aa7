/**
 * Builds situations from short descriptions, so that a table of decisions reads like the one in the
 * specification.
 */
import { REJECTION_SUBJECTS } from '../../../src/core/model/issue.ts';
import { isLabel } from '../../../src/core/model/label.ts';
import { LIFECYCLE_STATES, type LifecycleState } from '../../../src/core/model/lifecycle.ts';
import { MODES, type Mode, ROUND_REASONS, type RoundReason } from '../../../src/core/model/mode.ts';
import { CI_STATUSES } from '../../../src/core/model/pull-request.ts';
import type { IssueSignals } from '../../../src/core/model/signals.ts';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../../src/core/pipeline/policy.ts';
import { pullRequest, signals } from './inputs.ts';

const PROOFS = ['passed', 'failed', 'could_not_run', 'void', 'none', 'unknown'] as const;

/**
 * Each word is a label (`done` is short for worker-done) or a fact written as `name=value`. If any
 * part of the pull request is specified, the pull request is open and its other parts are fine.
 * Everything else is as in a new issue. Unknown words throw.
 */
export function told(
  status: ObservedStatus,
  words: string,
): { signals: IssueSignals; policy: PipelinePolicy } {
  const facts = new Facts(words);
  const situation = { signals: signalsTold(status, facts), policy: policyTold(facts) };
  facts.expectAllUsed();
  return situation;
}

/** Returns the rows of a text table, cell by cell. */
export function rowsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

function signalsTold(status: ObservedStatus, facts: Facts): IssueSignals {
  const askedBy = facts.take('asked-by', MODES);
  const hold = facts.take('held', ['pause', 'halt']);
  return signals({
    status,
    labels: facts.labels,
    pullRequest: pullRequestTold(facts),
    evidence: {
      test: facts.take('tests', PROOFS) ?? 'none',
      qualityGate: facts.take('gate', PROOFS) ?? 'none',
      retro: facts.take('retro', PROOFS) ?? 'none',
    },
    waitedTooLong: facts.take('waited', ['too-long']) !== undefined,
    sentBack: facts.take('sent-back', MODES),
    approval: facts.take('approval', ['unknown']),
    rejected: facts.take('rejected', REJECTION_SUBJECTS),
    route: facts.take('route', ['Todo', 'Backlog', 'Icebox']) ?? 'Backlog',
    icebox:
      facts.take('icebox', ['parked', 'unclarified', 'no_capacity', 'not_its_turn', 'due']) ?? 'unclarified',
    autoMerge: facts.take('auto-merge', ['pass', 'fail', 'not_allowed', 'unknown']) ?? 'not_allowed',
    scriptedWork: facts.take('work', ['scripted']) !== undefined,
    children: facts.take('children', ['none', 'open', 'all_done']) ?? 'none',
    blockers: facts.take('blocked-by', ['X-2', 'X-2,X-3'])?.split(',') ?? [],
    revert: facts.take('revert', ['open', 'merged', 'closed', 'unknown']),
    rounds: roundsTold(facts),
    workers: workersTold(facts),
    checkouts: facts.take('checkout', ['in-use']) && ['/home/ada/shop: app.txt'],
    held: hold && { kind: hold, by: 'ada', why: `${hold} by ada` },
    ...(askedBy === undefined ? {} : { askedBy }),
  });
}

function pullRequestTold(facts: Facts): IssueSignals['pullRequest'] {
  const pr = facts.take('pr', ['none', 'unknown', 'open', 'merged']);
  const review = facts.take('review', ['approved', 'changes_requested', 'none', 'unknown']);
  const ci = facts.take('ci', CI_STATUSES);
  const mergeable = facts.take('mergeable', ['mergeable', 'conflicting', 'unknown']);
  const keyword = facts.take('keyword', ['missing']);
  if (pr === 'none' || pr === 'unknown') return pr;
  if ((pr ?? review ?? ci ?? mergeable ?? keyword) === undefined) return 'none';
  return pullRequest({
    state: pr ?? 'open',
    review: review ?? 'approved',
    ci: ci ?? 'passing',
    mergeable: mergeable ?? 'mergeable',
    namesIssue: keyword === undefined,
  });
}

function roundsTold(facts: Facts): IssueSignals['rounds'] {
  const rounds: Partial<Record<RoundReason, number>> = {};
  for (const reason of ROUND_REASONS) {
    const made = facts.take(`rounds.${reason}`, ['0', '1', '2', '3', '4']);
    if (made !== undefined) rounds[reason] = Number(made);
  }
  return rounds;
}

function workersTold(facts: Facts): IssueSignals['workers'] {
  const workers: Partial<Record<Mode, LifecycleState>> = {};
  for (const mode of MODES) {
    const state = facts.take(`worker.${mode}`, LIFECYCLE_STATES);
    if (state !== undefined) workers[mode] = state;
  }
  return workers;
}

function policyTold(facts: Facts): PipelinePolicy {
  const architect = facts.take('architect-output', ['auto']) ?? 'required';
  const qualityGate = facts.take('gate-command', ['configured']) ?? 'none';
  const isDemoRepository = facts.take('repository', ['demo']) !== undefined;
  return {
    ...DEFAULT_POLICY,
    approvals: { ...DEFAULT_POLICY.approvals, architect },
    qualityGate,
    isDemoRepository,
  };
}

class Facts {
  readonly labels: string[] = [];
  readonly #facts = new Map<string, string>();

  constructor(words: string) {
    for (const word of words.split(' ').filter((each) => each !== '' && each !== '-')) {
      const [name = '', value] = word.split('=');
      if (value !== undefined) this.#facts.set(name, value);
      else this.labels.push(name === 'done' ? 'worker-done' : name);
    }
  }

  take<const T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.#facts.get(name);
    if (value === undefined) return undefined;
    this.#facts.delete(name);
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw new Error(`${name} cannot be ${value}`);
    return found;
  }

  expectAllUsed(): void {
    const unknown = [...this.labels.filter((label) => !isLabel(label)), ...this.#facts.keys()];
    if (unknown.length > 0) throw new Error(`Unknown words in a situation: ${unknown.join(' ')}`);
  }
}
