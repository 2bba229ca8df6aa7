/**
 * Runs one pass over the board: decides what each issue needs now, in order of urgency, and returns
 * events to append and commands to run.
 */

import type { Action } from '../model/action.ts';
import { type AgentChoice, toAgentFields } from '../model/agent-choice.ts';
import type { Command } from '../model/command.ts';
import { toWorkerId } from '../model/ids.ts';
import { formatClosingLine } from '../model/issue.ts';
import type { Mode } from '../model/mode.ts';
import type { ObservedIssue } from '../model/observed-issue.ts';
import type { IssueSignals } from '../model/signals.ts';
import { checkAutoMergeGate } from '../pipeline/auto-merge.ts';
import type { DecisionChain, DecisionLink } from '../pipeline/effects.ts';
import type { PipelinePolicy } from '../pipeline/policy.ts';
import { REASONS } from '../pipeline/reasons.ts';
import { chooseTriageRoute } from '../pipeline/triage.ts';
import { buildPhaseComments, type CommentSettings } from './comments/phase-comments.ts';
import { buildQuestionComments } from './comments/question-comments.ts';
import { renderSpecification } from './describe-approval.ts';
import { computeLabelChange } from './effective-labels.ts';
import { type EvaluationContext, IssueEvaluator } from './evaluate.ts';
import { buildChainEvents } from './events.ts';
import { explainWait } from './explain-wait.ts';
import type { IssuePlan, PassPlan } from './issue-plan.ts';
import { computeNextSessionVersion, hasFailed, shouldStartNewSession } from './next-attempt.ts';
import { toMergeCandidate } from './observation.ts';
import type { LegionState, MadeDecision } from './state.ts';

export interface PassContext extends EvaluationContext {
  readonly legionId: string;
  /** Host where new workers start. */
  readonly host: string;
  /**
   * Whole board as last seen, if this pass covers only a part of it. It determines blockers and
   * which issue leaves the Icebox next.
   */
  readonly whole?: readonly ObservedIssue[];
  readonly comments: CommentSettings;
}

/**
 * Pure: the same state, board and time give the same step. Skips issues with an open intent until
 * it is settled.
 */
export function planPass(
  state: LegionState,
  board: readonly ObservedIssue[],
  context: PassContext,
): PassPlan {
  const evaluator = new IssueEvaluator(state, context.whole ?? board, context);
  const idle = board.filter(({ issue }) => (state.issues.get(issue.id)?.openIntents ?? 0) === 0);
  const issues: IssuePlan[] = [];
  let lastIntent = state.lastIntent;
  for (const { seen: observed, chain } of evaluator.evaluatePass(idle)) {
    const policy = context.policyOf(observed);
    const agentFor = (mode: Mode) => evaluator.agentFor(mode);
    const commands = buildCommands(state, observed, chain, policy, agentFor, context.comments).map(
      (command) => {
        lastIntent += 1;
        return { intent: lastIntent, command };
      },
    );
    const events = buildChainEvents(state, observed.issue.id, chain, commands, context);
    issues.push({
      issue: observed.issue.id,
      decisions: chain.links.map((link) => link.decision),
      events,
      commands,
    });
  }
  return { issues, wakeAt: evaluator.wakeAt };
}

/**
 * Derives the daemon's commands from one settled chain of decisions: the write first, the worker
 * last. `agentFor` returns the agent for a worker that the chain may start.
 */
function buildCommands(
  state: LegionState,
  observed: ObservedIssue,
  chain: DecisionChain,
  policy: PipelinePolicy,
  agentFor: (mode: Mode) => AgentChoice | undefined,
  settings: CommentSettings,
): Command[] {
  const { decision: previous, generation = 0 } = state.issues.get(observed.issue.id) ?? {};
  const others = chain.links.flatMap((link) => [
    ...buildSideCommands(state, observed, link, previous, generation),
    ...buildReadinessCommands(state, observed, link, chain.after, policy),
    ...buildStopCommands(state, observed, link),
  ]);
  const workers = chain.links.flatMap((link) => buildSpawnCommands(state, observed, link, agentFor));
  const comments = [
    ...buildPhaseComments(state, observed, settings),
    ...buildQuestionComments(state, observed),
  ];
  return [...buildWriteCommands(state, observed, chain), ...others, ...comments, ...workers];
}

/**
 * Batches all label changes and the move of one pass into one write, and sends only differences.
 */
function buildWriteCommands(
  state: LegionState,
  { issue, status }: ObservedIssue,
  { after }: DecisionChain,
): Command[] {
  const { add, remove } = computeLabelChange(issue.labels, after.labels);
  const moveTo = after.status;
  const moves = moveTo !== status && moveTo !== 'terminal' && moveTo !== 'unknown';
  if (!moves && add.length === 0 && remove.length === 0) return [];
  const covers = state.issues.get(issue.id)?.owed.at(-1)?.revision ?? 0;
  const labels = { add: [...add], remove: [...remove], covers };
  return [{ kind: 'write_issue', issue: issue.id, ...labels, ...(moves ? { moveTo } : {}) }];
}

function buildSideCommands(
  state: LegionState,
  observed: ObservedIssue,
  link: DecisionLink,
  previous: MadeDecision | undefined,
  generation: number,
): Command[] {
  const { effects, decision } = link;
  const { issue } = observed;
  const commands: Command[] = [];
  if (decision.action === 'transition_to_icebox') commands.push(buildClarificationRequest(observed));
  if (effects.addClosingKeyword === true) {
    commands.push({ kind: 'add_closing_keyword', issue: issue.id, line: formatClosingLine(issue) });
  }
  if (effects.rereadForge === true) commands.push({ kind: 'reread_forge', issue: issue.id });
  if (effects.runQualityGate === true && typeof observed.pullRequest === 'object') {
    commands.push({ kind: 'run_quality_gate', issue: issue.id, sha: observed.pullRequest.headSha });
  }
  // Notify a person when the decision changes, not on every pass.
  const hasChanged = previous?.action !== decision.action || previous.reason !== decision.reason;
  // If a merge is waiting for a person, the readiness comment replaces the escalation, because it
  // contains more details.
  const isReadiness = decision.action === 'add_needs_approval' && typeof observed.pullRequest === 'object';
  if (effects.escalate === true && hasChanged && !isReadiness)
    commands.push(buildEscalation(state, issue.id, generation, link));
  return commands;
}

/**
 * Posts each auto-merge condition with its evidence, for the approver or for readers of an
 * automatic merge.
 */
function buildReadinessCommands(
  state: LegionState,
  observed: ObservedIssue,
  { decision }: DecisionLink,
  after: IssueSignals,
  policy: PipelinePolicy,
): Command[] {
  const { issue, pullRequest } = observed;
  const asks = decision.action === 'add_needs_approval';
  const merges = decision.action === 'dispatch_merger' && !after.labels.has('human-approved');
  if (typeof pullRequest !== 'object' || (!asks && !merges)) return [];
  const candidate = toMergeCandidate(observed, state.issues.get(issue.id), after.labels);
  const conditions = candidate === undefined ? [] : checkAutoMergeGate(candidate, policy);
  const opening = asks
    ? 'Ready to merge once a person approves. Auto-merge gate:'
    : 'Every auto-merge condition passes, so Legion merges this without approval:';
  const lines = conditions.map(({ name, verdict, evidence }) => `- ${verdict}: ${name} (${evidence})`);
  // Readers of an automatic merge did not approve it, so the comment tells them how to undo it.
  const closing = merges ? [`To undo the merge: \`legion rollback ${issue.id}\``] : [];
  const key = `${issue.id}:${decision.action}:${pullRequest.headSha}`;
  const kind = asks ? 'escalate' : 'comment';
  return [{ kind, issue: issue.id, key, text: [opening, ...lines, ...closing].join('\n') }];
}

function buildSpawnCommands(
  state: LegionState,
  { issue }: ObservedIssue,
  { effects }: DecisionLink,
  agentFor: (mode: Mode) => AgentChoice | undefined,
): Command[] {
  if (effects.spawn === undefined) return [];
  const { mode, purpose } = effects.spawn;
  const worker = state.workers.get(toWorkerId(issue.id, mode));
  const attempt = (worker?.attempt ?? 0) + 1;
  // If the last attempt failed or its session cannot be continued, the prompt describes finished
  // and remaining work, unless the start has another purpose.
  const choice = agentFor(mode);
  const isBroken =
    worker !== undefined && (hasFailed(worker) || shouldStartNewSession(worker, choice?.agent));
  const resumed = purpose === 'start' && isBroken ? 'crash' : purpose;
  const version = computeNextSessionVersion(worker, choice?.agent);
  return [
    { kind: 'spawn', issue: issue.id, mode, attempt, version, purpose: resumed, ...toAgentFields(choice) },
  ];
}

/**
 * Stops what remains of a failed attempt before the next one starts, because two attempts must
 * never run at once.
 */
function buildStopCommands(
  state: LegionState,
  { issue }: ObservedIssue,
  { decision }: DecisionLink,
): Command[] {
  if (decision.reason !== 'remains_alive') return [];
  const worker = state.workers.get(toWorkerId(issue.id, decision.mode));
  if (worker === undefined) return [];
  const { mode, attempt } = worker;
  return [{ kind: 'stop', issue: issue.id, mode, attempt, evidence: [...decision.evidence] }];
}

function buildClarificationRequest({ issue }: ObservedIssue): Command {
  const questions = chooseTriageRoute(issue).questions.map((question) => `- ${question}`);
  const text = ['This issue needs more detail before work can begin:', ...questions].join('\n');
  // The key ensures that the questions are posted exactly once each time the issue enters the
  // column.
  const key = `${issue.id}:icebox:${issue.enteredStatusAt ?? issue.createdAt}`;
  return { kind: 'comment', issue: issue.id, key, text };
}

/**
 * The key contains the evidence and the generation, so a problem is reported once, and again after
 * a person resumes the issue.
 */
function buildEscalation(
  state: LegionState,
  issue: string,
  generation: number,
  { decision }: DecisionLink,
): Command {
  const { cause, worker } = explainWait(state, issue, decision);
  const record = state.issues.get(issue);
  const isApproval = decision.action === 'add_needs_approval' && record?.merged?.undone === undefined;
  const next = getNextAfterStop(decision.action)?.replaceAll('ISSUE', issue);
  const text = [
    cause,
    ...(next === undefined ? [] : [`Next: \`${next}\``]),
    ...decision.evidence.map((fact) => `- ${fact}`),
    ...(isApproval ? ['', renderSpecification(record)] : []),
  ].join('\n');
  // Each round of the specification is a new request, because an edited comment notifies nobody.
  const subject = isApproval ? `specification-${record?.specification ?? 0}:` : '';
  const key = `${issue}:${decision.action}:${generation}:${subject}${decision.evidence.join()}`;
  return { kind: 'escalate', issue, key, text, ...(worker === undefined ? {} : { worker }) };
}

/**
 * Returns the command with which a person ends the stop. Derived from the action, because the label
 * of the stop is not set yet.
 */
function getNextAfterStop(action: Action): string | undefined {
  if (action === 'add_legion_paused') return REASONS.paused.until.next;
  if (action === 'add_needs_approval') return REASONS.waits_for_approval.until.next;
  return action === 'add_user_input_needed' ? REASONS.waits_for_answer.until.next : undefined;
}
