/** Between In Progress and Testing the host runs the repository's own gate. */
import { expect, test } from 'vitest';
import { effectsOf } from '../../../../src/core/pipeline/effects.ts';
import { decide } from '../../../../src/pipeline/decide.ts';
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

test('a gate that is due is run by the host, not by a worker', () => {
  const { signals, policy } = told('In Progress', 'done pr=open gate-command=configured');
  expect(effectsOf(decide(signals, policy), signals)).toEqual({ add: [], remove: [], runQualityGate: true });
});

test('a gate that could not run sends nobody back', () => {
  const { signals, policy } = told('In Progress', 'done pr=open gate-command=configured gate=could_not_run');
  const effects = effectsOf(decide(signals, policy), signals);
  expect(effects).toMatchObject({ add: ['legion-paused'], escalate: true });
  expect(effects).not.toHaveProperty('spawn');
});
