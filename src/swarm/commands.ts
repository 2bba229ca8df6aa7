/** What one settled chain of decisions asks the daemon to do: the write first, the worker last. */
import type { Action } from '../core/model/action.ts';
import type { Command } from '../core/model/command.ts';
import { workerId } from '../core/model/ids.ts';
import type { Signals } from '../core/model/signals.ts';
import { autoMergeGate } from '../core/pipeline/auto-merge.ts';
import { REASONS } from '../core/pipeline/reasons.ts';
import { mergeCandidateOf, type SeenIssue } from '../core/state/observation.ts';
import type { MadeDecision, Swarm } from '../core/state/state.ts';
import type { Mode } from '../domain/mode.ts';
import { closingLine } from '../pipeline/gates/closing-keyword.ts';
import { routeIssue } from '../pipeline/triage/route.ts';
import type { Chain, Link } from './chain.ts';
import { type AgentChoice, whoWorks } from './choose-agent.ts';
import { labelsToWrite } from './effective-labels.ts';
import { explainWait } from './explain-wait.ts';
import { beginsAnew, hasFailed, nextVersion } from './restart.ts';

/** `agentFor` names who works, for a start the chain has found a place for. */
export function commandsOf(
  swarm: Swarm,
  seen: SeenIssue,
  chain: Chain,
  agentFor: (mode: Mode) => AgentChoice | undefined,
): Command[] {
  const { decision: told, generation = 0 } = swarm.issues.get(seen.issue.id) ?? {};
  const others = chain.links.flatMap((link) => [
    ...sideCommands(swarm, seen, link, told, generation),
    ...readinessCommand(swarm, seen, link, chain.after),
    ...stopCommand(swarm, seen, link),
  ]);
  const workers = chain.links.flatMap((link) => spawnCommand(swarm, seen, link, agentFor));
  return [...writeCommand(swarm, seen, chain), ...others, ...workers];
}

/** All label changes and the move of one pass are one batched write, and only what really differs is sent. */
function writeCommand(swarm: Swarm, { issue, status }: SeenIssue, { after }: Chain): Command[] {
  const { add, remove } = labelsToWrite(issue.labels, after.labels);
  const moveTo = after.status;
  const moves = moveTo !== status && moveTo !== 'terminal' && moveTo !== 'unknown';
  if (!moves && add.length === 0 && remove.length === 0) return [];
  const covers = swarm.issues.get(issue.id)?.owed.at(-1)?.revision ?? 0;
  const labels = { add: [...add], remove: [...remove], covers };
  return [{ kind: 'write_issue', issue: issue.id, ...labels, ...(moves ? { moveTo } : {}) }];
}

function sideCommands(
  swarm: Swarm,
  seen: SeenIssue,
  link: Link,
  told: MadeDecision | undefined,
  generation: number,
): Command[] {
  const { effects, decision } = link;
  const { issue } = seen;
  const commands: Command[] = [];
  if (decision.action === 'transition_to_icebox') commands.push(askForMore(seen));
  if (effects.addClosingKeyword === true) {
    commands.push({ kind: 'add_closing_keyword', issue: issue.id, line: closingLine(issue) });
  }
  if (effects.rereadForge === true) commands.push({ kind: 'reread_forge', issue: issue.id });
  if (effects.runQualityGate === true && typeof seen.pullRequest === 'object') {
    commands.push({ kind: 'run_quality_gate', issue: issue.id, sha: seen.pullRequest.headSha });
  }
  // A person is told when it becomes so, not at every look.
  const news = told?.action !== decision.action || told.reason !== decision.reason;
  // Where a merge waits for a person the comment on its readiness says more.
  const isReadiness = decision.action === 'add_needs_approval' && typeof seen.pullRequest === 'object';
  if (effects.escalate === true && news && !isReadiness)
    commands.push(escalation(swarm, issue.id, generation, link));
  return commands;
}

/** Whoever has to approve a merge, or wonders why nobody had to, finds each condition with its evidence on the issue. */
function readinessCommand(swarm: Swarm, seen: SeenIssue, { decision }: Link, after: Signals): Command[] {
  const { issue, pullRequest } = seen;
  const asks = decision.action === 'add_needs_approval';
  const merges = decision.action === 'dispatch_merger' && !after.labels.has('human-approved');
  if (typeof pullRequest !== 'object' || (!asks && !merges)) return [];
  const candidate = mergeCandidateOf(seen, swarm.issues.get(issue.id), after.labels);
  const conditions = candidate === undefined ? [] : autoMergeGate(candidate);
  const opening = asks
    ? 'Ready to be merged, once a person approves it. The auto-merge gate:'
    : 'Every condition of the auto-merge gate holds, so this is merged without a person:';
  const lines = conditions.map(({ name, verdict, evidence }) => `- ${verdict}: ${name} (${evidence})`);
  const key = `${issue.id}:${decision.action}:${pullRequest.headSha}`;
  const kind = asks ? 'escalate' : 'comment';
  return [{ kind, issue: issue.id, key, text: [opening, ...lines].join('\n') }];
}

function spawnCommand(
  swarm: Swarm,
  { issue }: SeenIssue,
  { effects }: Link,
  agentFor: (mode: Mode) => AgentChoice | undefined,
): Command[] {
  if (effects.spawn === undefined) return [];
  const { mode, purpose } = effects.spawn;
  const worker = swarm.workers.get(workerId(issue.id, mode));
  const attempt = (worker?.attempt ?? 0) + 1;
  // After a failed life the prompt tells what was done and what is left, where nothing else has to be said.
  const who = agentFor(mode);
  const isBroken = worker !== undefined && (hasFailed(worker) || beginsAnew(worker, who?.agent));
  const resumed = purpose === 'start' && isBroken ? 'crash' : purpose;
  const version = nextVersion(worker, who?.agent);
  return [{ kind: 'spawn', issue: issue.id, mode, attempt, version, purpose: resumed, ...whoWorks(who) }];
}

/** What is left of a failed life is stopped before the next one begins: two at once must not be. */
function stopCommand(swarm: Swarm, { issue }: SeenIssue, { decision }: Link): Command[] {
  if (decision.reason !== 'remains_alive') return [];
  const worker = swarm.workers.get(workerId(issue.id, decision.mode));
  if (worker === undefined) return [];
  const { mode, attempt } = worker;
  return [{ kind: 'stop', issue: issue.id, mode, attempt, evidence: [...decision.evidence] }];
}

function askForMore({ issue }: SeenIssue): Command {
  const questions = routeIssue(issue).questions.map((question) => `- ${question}`);
  const text = ['This needs a little more before work can begin:', ...questions].join('\n');
  // Asked anew each time it comes this way, and once for each.
  const key = `${issue.id}:icebox:${issue.enteredStatusAt ?? issue.createdAt}`;
  return { kind: 'comment', issue: issue.id, key, text };
}

/** The key holds the evidence, so that the same trouble is told once, and again after a person has let it go on. */
function escalation(swarm: Swarm, issue: string, generation: number, { decision }: Link): Command {
  const { cause, worker } = explainWait(swarm, issue, decision);
  const next = nextAfterStop(decision.action)?.replaceAll('ISSUE', issue);
  const text = [
    cause,
    ...(next === undefined ? [] : [`Next: \`${next}\``]),
    ...decision.evidence.map((fact) => `- ${fact}`),
  ].join('\n');
  const key = `${issue}:${decision.action}:${generation}:${decision.evidence.join()}`;
  return { kind: 'escalate', issue, key, text, ...(worker === undefined ? {} : { worker }) };
}

/** A stop is decided before the label that a person ends it by is set. */
function nextAfterStop(action: Action): string | undefined {
  if (action === 'add_legion_paused') return REASONS.paused.until.next;
  if (action === 'add_needs_approval') return REASONS.waits_for_approval.until.next;
  return action === 'add_user_input_needed' ? REASONS.waits_for_answer.until.next : undefined;
}
