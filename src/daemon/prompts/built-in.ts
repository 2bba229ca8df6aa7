/**
 * Legion's built-in templates, parsed once. Each applies if the repository has no approved template
 * of the same name.
 */
import type { SpawnPurpose } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import type {
  PromptDuty,
  PromptTemplate,
  PromptTemplates,
  TemplateForm,
  TemplateName,
} from '../context/prompt-template.ts';
import { parseTemplate } from './parse-template.ts';
import {
  ARCHITECT_PHASE,
  IMPLEMENT_PHASE,
  MERGE_PHASE,
  PLAN_PHASE,
  PLAN_REVIEW_DUTIES,
  RETRO_PHASE,
  REVIEW_PHASE,
  REWORK_DUTIES,
  TEST_PHASE,
} from './phase-templates.ts';
import {
  CI_FAILURE_REASON,
  CI_TIMEOUT_REASON,
  CONFLICT_REASON,
  CRASH_REASON,
  FEEDBACK_REASON,
  MISSING_PR_REASON,
  MISSING_REVIEW_REASON,
  OPERATOR_REASON,
  PLAN_CHANGES_REASON,
  PLAN_REVIEW_REASON,
  QUALITY_GATE_REASON,
  REJECTED_REASON,
  RETRO_REASON,
  REVIEW_CHANGES_REASON,
  SENT_BACK_REASON,
  START_REASON,
  TEST_FAILURE_REASON,
} from './reason-templates.ts';
import { TEMPLATE_FORMS } from './template-forms.ts';

/** Template of the whole prompt: identity, operator messages, reason, duties, known facts, how to report. */
export const FRAME = `{{who}}
{{where}}

{{operator}}

## Why you were called

{{reason}}

## What to do

{{duties}}

{{commands}}

## What is known

{{fenced.issue}}
{{fenced.told}}
{{fenced.instructions}}

## How to report

{{speak}}`;

const DUTY_TEXTS: Readonly<Record<PromptDuty, string>> = {
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

const REASON_TEXTS: Readonly<Record<SpawnPurpose, string>> = {
  start: START_REASON,
  retro: RETRO_REASON,
  ci_failure: CI_FAILURE_REASON,
  ci_timeout: CI_TIMEOUT_REASON,
  test_failure: TEST_FAILURE_REASON,
  review_changes: REVIEW_CHANGES_REASON,
  conflict: CONFLICT_REASON,
  sent_back: SENT_BACK_REASON,
  quality_gate: QUALITY_GATE_REASON,
  plan_review: PLAN_REVIEW_REASON,
  rejected: REJECTED_REASON,
  plan_changes: PLAN_CHANGES_REASON,
  feedback: FEEDBACK_REASON,
  operator: OPERATOR_REASON,
  missing_pr: MISSING_PR_REASON,
  missing_review: MISSING_REVIEW_REASON,
  crash: CRASH_REASON,
};

export const BUILT_IN_TEMPLATES: PromptTemplates = new Map(
  [...TEMPLATE_FORMS].map(([name, form]) => [name, parseBuiltIn(form, getTemplateText(name))]),
);

function getTemplateText(name: TemplateName): string {
  if (name === 'frame') return FRAME;
  const [kind, which] = name.split('.');
  return kind === 'phase' ? DUTY_TEXTS[which as PromptDuty] : REASON_TEXTS[which as SpawnPurpose];
}

function parseBuiltIn(form: TemplateForm, text: string): PromptTemplate {
  const read = parseTemplate(form, text);
  if (read.ok) return read.template;
  const problems = read.problems.map((problem) => `${form.name}:${problem.line}: ${problem.message}`);
  throw new LegionError('daemon.defect', problems.join('\n'));
}
