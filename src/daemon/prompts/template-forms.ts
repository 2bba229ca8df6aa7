/** Defines which variables and blocks each template may use, from the frame to each reason. */
import type { SpawnPurpose } from '../../core/model/command.ts';
import {
  type BlockName,
  DUTIES,
  type PromptDuty,
  type TemplateForm,
  type TemplateName,
  type VariableName,
} from '../context/prompt-template.ts';

const GENERAL: readonly VariableName[] = [
  'issue',
  'mode',
  'phase',
  'purpose',
  'attempt',
  'tracker',
  'repository',
  'base',
  'base_ref',
  'workspace',
  'branch',
];
const PULL_REQUEST: readonly VariableName[] = ['pull_request', 'head'];

/**
 * Blocks that every reason may use. If a reason omits a block of quoted text, the frame renders it.
 */
const FRAME_BLOCKS: readonly BlockName[] = [
  'round',
  'fenced.earlier',
  'fenced.answers',
  'fenced.refusal',
  'fenced.checkpoint',
  'fenced.handoffs',
  'fenced.messages',
];

const FRAME_FORM: TemplateForm = {
  name: 'frame',
  variables: GENERAL,
  // The template may put the blocks in any order, but it cannot omit the worker's permissions or
  // the instructions for reporting.
  required: [
    'who',
    'where',
    'reason',
    'duties',
    'fenced.issue',
    'fenced.told',
    'fenced.instructions',
    'speak',
  ],
  // If a frame omits these blocks, they are rendered next to the reason and the duties.
  optional: ['operator', 'commands'],
  first: 'who',
};

const DUTY_VARIABLES: Readonly<Partial<Record<PromptDuty, readonly VariableName[]>>> = {
  retro: ['retro_paths'],
};

interface ReasonForm {
  readonly variables?: readonly VariableName[];
  readonly required?: readonly BlockName[];
}

const REASON_FORMS: Readonly<Record<SpawnPurpose, ReasonForm>> = {
  start: {},
  retro: { variables: [...PULL_REQUEST, 'retro_paths'] },
  ci_failure: { variables: PULL_REQUEST, required: ['fenced.check'] },
  ci_timeout: { variables: PULL_REQUEST, required: ['fenced.check'] },
  test_failure: { variables: [...PULL_REQUEST, 'commit'], required: ['fenced.report'] },
  review_changes: { variables: PULL_REQUEST, required: ['fenced.remarks'] },
  conflict: { variables: PULL_REQUEST },
  sent_back: { variables: PULL_REQUEST, required: ['fenced.order'] },
  quality_gate: { variables: [...PULL_REQUEST, 'commit', 'quality_gate'], required: ['fenced.output'] },
  plan_review: { required: ['fenced.handoffs'] },
  rejected: { required: ['fenced.order'] },
  plan_changes: { required: ['fenced.comments'] },
  feedback: { required: ['fenced.answers'] },
  operator: {},
  missing_pr: {},
  missing_review: { variables: PULL_REQUEST },
  crash: { required: ['fenced.checkpoint'] },
};

export const TEMPLATE_FORMS: ReadonlyMap<TemplateName, TemplateForm> = new Map(
  [
    FRAME_FORM,
    ...DUTIES.map((duty) => createForm(`phase.${duty}`, { variables: DUTY_VARIABLES[duty] ?? [] }, [])),
    ...Object.entries(REASON_FORMS).map(([purpose, own]) =>
      createForm(`reason.${purpose as SpawnPurpose}`, own, FRAME_BLOCKS),
    ),
  ].map((form) => [form.name, form]),
);

function createForm(
  name: TemplateName,
  { variables = [], required = [] }: ReasonForm,
  optional: readonly BlockName[],
): TemplateForm {
  return {
    name,
    required,
    variables: [...GENERAL, ...variables],
    optional: optional.filter((block) => !required.includes(block)),
  };
}
