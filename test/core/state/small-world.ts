/**
 * Simulates a board, a forge and workers in memory, driven by the real `step` and `evolve`, like
 * the daemon's loop without I/O.
 */

import type { LocalDay } from '../../../src/core/health/budget.ts';
import { type BudgetSettings, DEFAULT_BUDGETS } from '../../../src/core/health/budget.ts';
import type { AvailableAgents } from '../../../src/core/model/agent-choice.ts';
import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import type { ChangesSince, EvidenceKind } from '../../../src/core/model/evidence.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import type { Issue } from '../../../src/core/model/issue.ts';
import { applyLabelChange, type Label } from '../../../src/core/model/label.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import type { PullRequest } from '../../../src/core/model/pull-request.ts';
import { readStatus } from '../../../src/core/model/status.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../../src/core/pipeline/policy.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import type { PassPlan } from '../../../src/core/state/issue-plan.ts';
import { type PassContext, planPass } from '../../../src/core/state/plan-pass.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';

export class SmallWorld {
  readonly state: LegionState = createLegionState();
  readonly performed: Command[] = [];
  readonly issues = new Map<string, Issue>();
  readonly pullRequests = new Map<string, PullRequest>();
  /** Issues whose pull request cannot be read. */
  readonly unreadable = new Set<string>();
  /** Changes since each commit that has evidence. They are the same for every issue. */
  changes: ChangesSince = new Map();
  policy: PipelinePolicy = {
    ...DEFAULT_POLICY,
    approvals: { architect: 'auto', merge: 'auto' },
    autoMergeAllowed: true,
  };
  limits: Pick<PassContext, 'slots' | 'staggerMs' | 'checkWaitMs'> = {
    slots: { workers: 10, perMode: {} },
    staggerMs: 0,
    checkWaitMs: 3_600_000,
  };
  budgets: Partial<BudgetSettings> = {};
  comments: PassContext['comments'] = { specification: true, plan: true, test: true };
  day: LocalDay | undefined;
  agents: AvailableAgents = { choicesFor: () => [{ agent: 'first' }], readinessOf: () => 'ready' };
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

  look(board: readonly ObservedIssue[] = this.seen()): PassPlan {
    return planPass(this.state, board, { ...this.context(), whole: this.seen() });
  }

  context(): PassContext {
    return {
      ...this.limits,
      legionId: 'demo',
      comments: this.comments,
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

  /** Runs one pass: appends the events, runs the commands and records their outcomes. */
  pass(): PassPlan {
    return this.observe(this.seen());
  }

  /** Runs one pass over the board as it was observed. */
  observe(board: readonly ObservedIssue[]): PassPlan {
    const found = this.look(board);
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
    evolve(this.state, { ...body, seq: this.state.version + 1, at: this.now, epoch: 0 });
  }

  /** Lets the live worker of the issue report. The daemon still has to write the labels. */
  report(issue: string, ...labels: Label[]): void {
    for (const { mode, attempt, facts } of this.state.workers.values()) {
      const worker = this.state.workers.get(toWorkerId(issue, mode));
      if (worker?.attempt !== attempt || facts.acceptedAt !== undefined || worker.facts !== facts) continue;
      const identity = { issue, mode, attempt };
      this.take({
        type: 'attempt.reported',
        ...identity,
        report: worker.lastReport + 1,
        outcome: 'done',
        summary: '',
      });
      this.take({ type: 'attempt.report_accepted', ...identity, report: worker.lastReport + 1 });
    }
    const revision = (this.state.issues.get(issue)?.lastOwed ?? 0) + 1;
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
    const revision = (this.state.issues.get(issue)?.lastEvidence ?? 0) + 1;
    const detail = { by: 'w', suites: ['unit'], detail: '' };
    this.take({ type: 'evidence.recorded', issue, kind, revision, sha, verdict: 'passed', ...detail });
  }

  writes(issue: string): number {
    return this.performed.filter((command) => command.kind === 'write_issue' && command.issue === issue)
      .length;
  }

  seen(): ObservedIssue[] {
    return [...this.issues.values()].map((issue) => ({
      issue,
      status: readStatus(issue.column),
      pullRequest: this.unreadable.has(issue.id) ? 'unknown' : (this.pullRequests.get(issue.id) ?? 'none'),
      changes: this.changes,
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
