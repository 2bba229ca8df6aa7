/** Checks that the host runs the repository's own quality gate between In Progress and Testing. */
import { expect, test } from 'vitest';
import { decide } from '../../../../src/core/pipeline/decide.ts';
import { computeEffects } from '../../../../src/core/pipeline/effects.ts';
import { rowsOf, told } from '../told.ts';

const GATE = `
  pr=open gate-command=configured gate=passed        | transition_to_testing               | test      | finished
  pr=open gate-command=configured gate=failed        | resume_implementer_for_quality_gate | implement | quality_gate_red
  pr=open gate-command=configured gate=could_not_run | add_legion_paused                   | implement | quality_gate_could_not_run
  pr=open gate-command=configured gate=none          | retry_quality_gate                  | implement | quality_gate_due
  pr=open gate-command=configured gate=void          | retry_quality_gate                  | implement | quality_gate_due
  pr=open gate-command=configured gate=unknown       | retry_pr_check                      | implement | evidence_unknown
  ci=failing gate-command=configured gate=passed     | resume_implementer_for_ci_failure   | implement | ci_failing
  ci=pending gate-command=configured gate=failed     | retry_ci_check                      | implement | ci_pending
  pr=none gate-command=configured gate=passed        | investigate_no_pr                   | implement | no_pr
  pr=open gate=failed                                | transition_to_testing               | test      | finished`;

test.each(rowsOf(GATE))('In Progress, done, %s: %s in mode %s, because %s', (words, action, mode, reason) => {
  const { signals, policy } = told('In Progress', `done ${words}`);
  expect(decide(signals, policy)).toMatchObject({ action, mode, reason });
});

test('a due quality gate is run by the host, not by a worker', () => {
  const { signals, policy } = told('In Progress', 'done pr=open gate-command=configured');
  expect(computeEffects(decide(signals, policy), signals)).toEqual({
    add: [],
    remove: [],
    runQualityGate: true,
  });
});

test('a quality gate that could not run does not cause the work to be sent back', () => {
  const { signals, policy } = told('In Progress', 'done pr=open gate-command=configured gate=could_not_run');
  const effects = computeEffects(decide(signals, policy), signals);
  expect(effects).toMatchObject({ add: ['legion-paused'], escalate: true });
  expect(effects).not.toHaveProperty('spawn');
});
