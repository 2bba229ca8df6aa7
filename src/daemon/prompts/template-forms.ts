/** The form of each template: its variables and blocks, from the frame down to each reason. */
import type { Purpose } from '../../core/model/command.ts';
import {
  type BlockName,
  DUTIES,
  type Duty,
  type Form,
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

/** Known to every reason; where a reason leaves them out, the frame tells them. */
const TOLD_ANYWAY: readonly BlockName[] = [
  'round',
  'fenced.earlier',
  'fenced.answers',
  'fenced.refusal',
  'fenced.checkpoint',
  'fenced.handoffs',
  'fenced.messages',
];

const FRAME: Form = {
  name: 'frame',
  variables: GENERAL,
  // The order is the repository's to choose; that a worker learns what it may do and how to speak is not.
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
  // A frame that does not place them gets them beside the reason and the duties.
  optional: ['operator', 'commands'],
  first: 'who',
};

const DUTY_VARIABLES: Readonly<Partial<Record<Duty, readonly VariableName[]>>> = { retro: ['retro_paths'] };

interface ReasonForm {
  readonly variables?: readonly VariableName[];
  readonly required?: readonly BlockName[];
}

const REASONS: Readonly<Record<Purpose, ReasonForm>> = {
  start: {},
  retro: { variables: [...PULL_REQUEST, 'retro_paths'] },
  ci_failure: { variables: PULL_REQUEST, required: ['fenced.check'] },
  test_failure: { variables: [...PULL_REQUEST, 'commit'], required: ['fenced.report'] },
  review_changes: { variables: PULL_REQUEST, required: ['fenced.remarks'] },
  conflict: { variables: PULL_REQUEST },
  sent_back: { variables: PULL_REQUEST, required: ['fenced.order'] },
  quality_gate: { variables: [...PULL_REQUEST, 'commit', 'quality_gate'], required: ['fenced.output'] },
  plan_review: { required: ['fenced.handoffs'] },
  plan_changes: { required: ['fenced.comments'] },
  feedback: { required: ['fenced.answers'] },
  operator: {},
  missing_pr: {},
  missing_review: { variables: PULL_REQUEST },
  crash: { required: ['fenced.checkpoint'] },
};

export const FORMS: ReadonlyMap<TemplateName, Form> = new Map(
  [
    FRAME,
    ...DUTIES.map((duty) => formOf(`phase.${duty}`, { variables: DUTY_VARIABLES[duty] ?? [] }, [])),
    ...Object.entries(REASONS).map(([purpose, own]) =>
      formOf(`reason.${purpose as Purpose}`, own, TOLD_ANYWAY),
    ),
  ].map((form) => [form.name, form]),
);

function formOf(
  name: TemplateName,
  { variables = [], required = [] }: ReasonForm,
  optional: readonly BlockName[],
): Form {
  return {
    name,
    required,
    variables: [...GENERAL, ...variables],
    optional: optional.filter((block) => !required.includes(block)),
  };
}
