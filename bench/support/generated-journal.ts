/** Generates realistic journals of any length, with issues that pass through all phases. */
import type { EventBody } from '../../src/core/model/event.ts';
import { computeSessionId } from '../../src/core/model/ids.ts';
import type { Mode } from '../../src/core/model/mode.ts';

const PHASES: readonly Mode[] = ['architect', 'plan', 'implement', 'test', 'review', 'implement', 'merge'];

export function createIssueEvents(count: number): EventBody[] {
  const events: EventBody[] = [];
  let intent = 0;
  for (let number = 1; events.length < count; number += 1) {
    const issue = `BENCH-${number}`;
    const attempts: Partial<Record<Mode, number>> = {};
    PHASES.forEach((mode, phase) => {
      intent += 2;
      attempts[mode] = (attempts[mode] ?? 0) + 1;
      events.push(...createPhaseEvents(issue, mode, phase, attempts[mode], intent));
    });
  }
  return events.slice(0, count);
}

function createPhaseEvents(
  issue: string,
  mode: Mode,
  phase: number,
  attempt: number,
  intent: number,
): EventBody[] {
  const life = { issue, mode, attempt };
  const session = computeSessionId('bench', issue, mode);
  const decision = { issue, mode, evidence: [`status=${phase}`, 'worker=none'] };
  return [
    {
      type: 'decision.made',
      ...decision,
      decision: phase * 2 + 1,
      action: 'dispatch_implementer',
      reason: 'due',
    },
    {
      type: 'intent.opened',
      intent: intent - 1,
      command: {
        kind: 'write_issue',
        issue,
        add: ['worker-active'],
        remove: ['worker-done'],
        moveTo: 'Testing',
        covers: 0,
      },
    },
    {
      type: 'intent.opened',
      intent,
      command: { kind: 'spawn', issue, mode, attempt, version: 0, purpose: 'start' },
    },
    { type: 'attempt.dispatched', ...life, session, version: 0, host: 'here' },
    { type: 'intent.settled', intent: intent - 1, outcome: 'done', detail: '' },
    { type: 'attempt.spawned', ...life, pid: 4_000 + intent, startTime: `${intent}` },
    { type: 'intent.settled', intent, outcome: 'done', detail: '' },
    { type: 'attempt.active', ...life },
    { type: 'decision.made', ...decision, decision: phase * 2 + 2, action: 'skip', reason: 'worker_live' },
    {
      type: 'checkpoint.saved',
      ...life,
      checkpoint: 1,
      stage: 'work',
      completed: ['read the issue', 'wrote the test'],
      remaining: ['make it pass'],
      lastAction: 'ran the tests',
    },
    { type: 'attempt.reported', ...life, report: 1, outcome: 'done', summary: 'All done; see the handoff.' },
    { type: 'labels.owed', issue, revision: phase + 1, add: ['worker-done'], remove: ['worker-active'] },
    { type: 'attempt.report_accepted', ...life, report: 1 },
    { type: 'handoff.written', issue, phase: mode, revision: phase + 1, content: { decided: 'as planned' } },
    { type: 'labels.written', issue, revision: phase + 1 },
    { type: 'attempt.exited', ...life, code: 0, signal: null },
  ];
}
