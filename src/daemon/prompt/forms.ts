/** The form of each template: its variables and blocks, from the frame down to each reason. */
import type { Purpose } from '../../domain/command.ts';
import type { Phase } from '../../domain/mode.ts';
import type { BlockName, Form, TemplateName, VariableName } from './template/form.ts';

const GENERAL: readonly VariableName[] = [
  ...(['issue', 'mode', 'phase', 'purpose', 'attempt'] as const),
  ...(['tracker', 'repository', 'base', 'workspace', 'branch'] as const),
];
const PULL_REQUEST: readonly VariableName[] = ['pull_request', 'head'];

/** Known to every reason; where a reason leaves them out, the frame tells them. */
const TOLD_ANYWAY: readonly BlockName[] = [
  ...(['fenced.answers', 'fenced.refusal', 'fenced.checkpoint'] as const),
  ...(['fenced.handoffs', 'fenced.messages'] as const),
];

const FRAME: Form = {
  name: 'frame',
  variables: GENERAL,
  // The order is the repository's to choose; that a worker learns what it may do and how to speak is not.
  required: [
    ...(['who', 'where', 'reason', 'duties'] as const),
    ...(['fenced.issue', 'fenced.told', 'fenced.instructions', 'speak'] as const),
  ],
  optional: [],
  first: 'who',
};

const PHASE_VARIABLES: Readonly<Record<Phase, readonly VariableName[]>> = {
  architect: [],
  plan: [],
  implement: [],
  test: [],
  review: [],
  retro: ['retro_paths'],
  merge: [],
};

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
  quality_gate: { variables: [...PULL_REQUEST, 'commit'], required: ['fenced.output'] },
  plan_review: { required: ['fenced.handoffs'] },
  plan_changes: { required: ['fenced.comments'] },
  feedback: { required: ['fenced.answers'] },
  missing_pr: {},
  missing_review: { variables: PULL_REQUEST },
  crash: { required: ['fenced.checkpoint'] },
};

export const FORMS: ReadonlyMap<TemplateName, Form> = new Map(
  [
    FRAME,
    ...Object.entries(PHASE_VARIABLES).map(([phase, own]) =>
      formOf(`phase.${phase as Phase}`, { variables: own }, []),
    ),
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
    ...{ name, required },
    variables: [...GENERAL, ...variables],
    optional: optional.filter((block) => !required.includes(block)),
  };
}
