/** Legion's own templates, read once: what holds where a repository has none of its own. */
import type { Purpose } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { Duty, Form, TemplateName } from '../context/prompt-template.ts';
import { parseTemplate, type Template } from '../prompts/parse-template.ts';
import { FORMS } from '../prompts/template-forms.ts';
import { FRAME } from './templates/frame.ts';
import { ARCHITECT_PHASE } from './templates/phase/architect.ts';
import { IMPLEMENT_PHASE } from './templates/phase/implement.ts';
import { MERGE_PHASE } from './templates/phase/merge.ts';
import { PLAN_PHASE } from './templates/phase/plan.ts';
import { PLAN_REVIEW_DUTIES } from './templates/phase/plan-review.ts';
import { RETRO_PHASE } from './templates/phase/retro.ts';
import { REVIEW_PHASE } from './templates/phase/review.ts';
import { REWORK_DUTIES } from './templates/phase/rework.ts';
import { TEST_PHASE } from './templates/phase/test.ts';
import { CI_FAILURE_REASON } from './templates/reason/ci-failure.ts';
import { CONFLICT_REASON } from './templates/reason/conflict.ts';
import { CRASH_REASON } from './templates/reason/crash.ts';
import { FEEDBACK_REASON } from './templates/reason/feedback.ts';
import { MISSING_PR_REASON } from './templates/reason/missing-pr.ts';
import { MISSING_REVIEW_REASON } from './templates/reason/missing-review.ts';
import { OPERATOR_REASON } from './templates/reason/operator.ts';
import { PLAN_CHANGES_REASON } from './templates/reason/plan-changes.ts';
import { PLAN_REVIEW_REASON } from './templates/reason/plan-review.ts';
import { QUALITY_GATE_REASON } from './templates/reason/quality-gate.ts';
import { RETRO_REASON } from './templates/reason/retro.ts';
import { REVIEW_CHANGES_REASON } from './templates/reason/review-changes.ts';
import { SENT_BACK_REASON } from './templates/reason/sent-back.ts';
import { START_REASON } from './templates/reason/start.ts';
import { TEST_FAILURE_REASON } from './templates/reason/test-failure.ts';

const DUTY_TEXTS: Readonly<Record<Duty, string>> = {
  architect: ARCHITECT_PHASE,
  plan: PLAN_PHASE,
  implement: IMPLEMENT_PHASE,
  test: TEST_PHASE,
  review: REVIEW_PHASE,
  retro: RETRO_PHASE,
  merge: MERGE_PHASE,
  plan_review: PLAN_REVIEW_DUTIES,
  rework: REWORK_DUTIES,
};

const REASONS: Readonly<Record<Purpose, string>> = {
  start: START_REASON,
  retro: RETRO_REASON,
  ci_failure: CI_FAILURE_REASON,
  test_failure: TEST_FAILURE_REASON,
  review_changes: REVIEW_CHANGES_REASON,
  conflict: CONFLICT_REASON,
  sent_back: SENT_BACK_REASON,
  quality_gate: QUALITY_GATE_REASON,
  plan_review: PLAN_REVIEW_REASON,
  plan_changes: PLAN_CHANGES_REASON,
  feedback: FEEDBACK_REASON,
  operator: OPERATOR_REASON,
  missing_pr: MISSING_PR_REASON,
  missing_review: MISSING_REVIEW_REASON,
  crash: CRASH_REASON,
};

/** A template for each name. */
export type Templates = ReadonlyMap<TemplateName, Template>;

export const BUILT_IN: Templates = new Map(
  [...FORMS].map(([name, form]) => [name, parsed(form, textOf(name))]),
);

function textOf(name: TemplateName): string {
  if (name === 'frame') return FRAME;
  const [kind, which] = name.split('.');
  return kind === 'phase' ? DUTY_TEXTS[which as Duty] : REASONS[which as Purpose];
}

function parsed(form: Form, text: string): Template {
  const read = parseTemplate(form, text);
  if (read.ok) return read.template;
  const says = read.problems.map((problem) => `${form.name}:${problem.line}: ${problem.says}`);
  throw new LegionError('daemon.defect', says.join('\n'));
}
