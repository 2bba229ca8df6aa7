/** A board, a forge and workers in memory, driven by the real `step` and `evolve`: the daemon's loop without its edges. */

import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import { workerId } from '../../../src/core/model/ids.ts';
import type { PullRequest } from '../../../src/core/model/pull-request.ts';
import { readStatus } from '../../../src/core/model/status.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/core/pipeline/policy.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import type { SeenIssue } from '../../../src/core/state/observation.ts';
import { emptySwarm, type Swarm } from '../../../src/core/state/state.ts';
import type { ChangesSince, EvidenceKind } from '../../../src/domain/evidence.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { applyLabelChange, type Label } from '../../../src/domain/label.ts';
import { type Budgets, DEFAULT_BUDGETS } from '../../../src/health/budget.ts';
import type { Day } from '../../../src/health/day-budget.ts';
import type { AgentsAtHand } from '../../../src/swarm/choose-agent.ts';
import { type Step, type StepContext, step } from '../../../src/swarm/step.ts';

export class SmallWorld {
  readonly swarm: Swarm = emptySwarm();
  readonly performed: Command[] = [];
  readonly issues = new Map<string, Issue>();
  readonly pullRequests = new Map<string, PullRequest>();
  /** Issues whose pull request cannot be read. */
  readonly unreadable = new Set<string>();
  /** The same for every issue: what changed since the commits that proofs were made at. */
  changes: ChangesSince = new Map();
  policy: Policy = {
    ...DEFAULT_POLICY,
    approvals: { architect: 'auto', merge: 'auto' },
    autoMergeAllowed: true,
  };
  limits: Pick<StepContext, 'places' | 'staggerMs' | 'checkWaitMs'> = {
    places: { workers: 10, perMode: {} },
    staggerMs: 0,
    checkWaitMs: 3_600_000,
  };
  budgets: Partial<Budgets> = {};
  day: Day | undefined;
  agents: AgentsAtHand = { choicesFor: () => [{ agent: 'first' }], readinessOf: () => 'ready' };
  now = 1_000;
  boardGoodUntil = Number.POSITIVE_INFINITY;

  add(id: string, parts: Partial<Issue> = {}): void {
    const body = 'The `export` command should print JSON when `--json` is given, as the others do.';
    this.issues.set(id, {
      id,
      source: { kind: 'local' },
      title: 'Print JSON',
      body,
      column: 'Triage',
      labels: ['chore'],
      priority: 0,
      createdAt: this.issues.size,
      openBlockers: [],
      ...parts,
    });
  }

  look(board: readonly SeenIssue[] = this.seen()): Step {
    return step(this.swarm, board, { ...this.context(), whole: this.seen() });
  }

  context(): StepContext {
    return {
      ...this.limits,
      legionId: 'demo',
      host: 'here',
      now: this.now,
      boardGoodUntil: this.boardGoodUntil,
      holdOn: () => undefined,
      health: {},
      budgets: { ...DEFAULT_BUDGETS, ...this.budgets },
      day: this.day,
      policyOf: () => this.policy,
      agents: this.agents,
    };
  }

  /** One pass: append, perform, record the outcome. */
  pass(): Step {
    const found = this.look();
    for (const { events, commands } of found.issues) {
      for (const event of events) this.take(event);
      for (const { intent, command } of commands) {
        this.perform(command);
        this.take({ type: 'intent.settled', intent, outcome: 'done', detail: '' });
      }
    }
    this.now += 1_000;
    return found;
  }

  take(body: EventBody): void {
    evolve(this.swarm, { ...body, seq: this.swarm.version + 1, at: this.now, epoch: 0 });
  }

  /** The live worker of the issue does its work and reports; the daemon owes the labels and writes nothing yet. */
  report(issue: string, ...labels: Label[]): void {
    for (const { mode, attempt, facts } of this.swarm.workers.values()) {
      const worker = this.swarm.workers.get(workerId(issue, mode));
      if (worker?.attempt !== attempt || facts.acceptedAt !== undefined || worker.facts !== facts) continue;
      const life = { issue, mode, attempt };
      this.take({
        type: 'attempt.reported',
        ...life,
        report: worker.lastReport + 1,
        outcome: 'done',
        summary: '',
      });
      this.take({ type: 'attempt.report_accepted', ...life, report: worker.lastReport + 1 });
    }
    const revision = (this.swarm.issues.get(issue)?.lastOwed ?? 0) + 1;
    const add: Label[] = ['worker-done', ...labels];
    this.take({ type: 'labels.owed', issue, revision, add, remove: ['worker-active'] });
  }

  open(issue: string, parts: Partial<PullRequest> = {}): void {
    this.pullRequests.set(issue, {
      number: 1,
      state: 'open',
      draft: false,
      headSha: 'c1',
      baseSha: 'b1',
      reviews: [],
      ci: 'passing',
      mergeable: 'mergeable',
      additions: 3,
      deletions: 1,
      changedFiles: ['src/export.ts'],
      labels: [],
      body: `Closes ${issue}`,
      author: 'legion',
      ...parts,
    });
  }

  prove(issue: string, kind: EvidenceKind, sha = 'c1'): void {
    const revision = (this.swarm.issues.get(issue)?.lastEvidence ?? 0) + 1;
    const detail = { by: 'w', suites: ['unit'], detail: '' };
    this.take({ type: 'evidence.recorded', issue, kind, revision, sha, verdict: 'passed', ...detail });
  }

  writes(issue: string): number {
    return this.performed.filter((command) => command.kind === 'write_issue' && command.issue === issue)
      .length;
  }

  seen(): SeenIssue[] {
    return [...this.issues.values()].map((issue) => ({
      issue,
      status: readStatus(issue.column),
      pullRequest: this.unreadable.has(issue.id) ? 'unknown' : (this.pullRequests.get(issue.id) ?? 'none'),
      changes: this.changes,
      addedDependencies: [],
      clarified: false,
    }));
  }

  private perform(command: Command): void {
    this.performed.push(command);
    const issue = this.issues.get(command.issue);
    if (command.kind !== 'write_issue' || issue === undefined) return;
    const labels = [...applyLabelChange(new Set(issue.labels), command)];
    this.issues.set(issue.id, { ...issue, labels, column: command.moveTo ?? issue.column });
    if (command.covers > 0) this.take({ type: 'labels.written', issue: issue.id, revision: command.covers });
  }
}
