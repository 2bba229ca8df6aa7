/**
 * Types of a demo issue, and the scenario rules that every issue needs in addition to its
 * implementer's rules: specification, plan, tests, review, retro, merge.
 */
import type { SpawnPurpose } from '../core/model/command.ts';
import type { Phase } from '../core/model/mode.ts';
import { ACCEPTANCE_TESTS } from './project.ts';

export interface DemoStory {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** Describes what the story demonstrates. */
  readonly shows: string;
  readonly rules: (issue: string) => readonly DemoRule[];
  /** The person's comment when the issue is in the Icebox. */
  readonly clarification?: string;
  /** The person's answer to the worker's question. */
  readonly answer?: string;
}

/** A rule in the scripted agent's scenario file. The agent plays the first rule that matches. */
export interface DemoRule {
  readonly issue: string;
  readonly phase: Phase;
  readonly purpose?: SpawnPurpose;
  readonly attempt?: number | `>${number}`;
  readonly steps: readonly DemoStep[];
}

/** Has exactly one key, which is the name of the step. */
export type DemoStep = Readonly<Record<string, unknown>>;

export interface StoryPhases {
  /** Absent if the issue skips the architect. */
  readonly specification?: readonly string[];
  readonly plan: readonly string[];
  /** Text of the reviewer's approval. */
  readonly approval: string;
  readonly lesson: string;
  /**
   * Whether the lesson is added to the repository as a file. Some issues do not add it, because a
   * third changed file would be too many for the auto-merge gate.
   */
  readonly note?: boolean;
}

export function buildPhaseRules(issue: string, phases: StoryPhases): readonly DemoRule[] {
  const { specification, plan, approval } = phases;
  const architect: DemoRule[] =
    specification === undefined
      ? []
      : [
          {
            issue,
            phase: 'architect',
            steps: [...buildHandoffSteps('Specification', { decided: specification })],
          },
        ];
  return [
    ...architect,
    { issue, phase: 'plan', steps: buildHandoffSteps('Plan', { left: plan }) },
    {
      issue,
      phase: 'test',
      steps: [
        { verdict_from: { argv: ACCEPTANCE_TESTS, suites: ['acceptance'] } },
        { done: 'Ran the command as a user would' },
      ],
    },
    {
      issue,
      phase: 'review',
      steps: [{ review: { verdict: 'approve', text: approval } }, { done: 'Approved the pull request' }],
    },
    { issue, phase: 'retro', steps: buildRetroSteps(issue, phases) },
    { issue, phase: 'merge', steps: [{ merge: true }, { done: 'Merged the pull request' }] },
  ];
}

/** Returns the implementer's last steps, which submit its work as a pull request. */
export function buildSubmitSteps(
  issue: string,
  summary: string,
  files: readonly string[],
): readonly DemoStep[] {
  return [
    { commit: `${issue}: ${summary}` },
    { push: true },
    { pr_open: { title: `${issue}: ${summary}`, body: `${summary}.\n\nCloses ${issue}` } },
    { handoff: { summary, done: [summary], files, tests: ['node --test'] } },
    { done: `${summary}; the pull request is open` },
  ];
}

/** Returns the implementer's last steps if the pull request already exists. */
export function buildResubmitSteps(issue: string, summary: string): readonly DemoStep[] {
  return [{ commit: `${issue}: ${summary}` }, { push: true }, { done: summary }];
}

function buildHandoffSteps(
  document: string,
  content: Readonly<Record<string, unknown>>,
): readonly DemoStep[] {
  return [
    { issue: true },
    { handoff: { summary: `${document} of \${issue}`, ...content } },
    { done: `Wrote the ${document.toLowerCase()}` },
  ];
}

function buildRetroSteps(issue: string, { lesson, note = false }: StoryPhases): readonly DemoStep[] {
  const path = `docs/solutions/${issue}.md`;
  const noteSteps: DemoStep[] = note
    ? [
        { write: { path, content: `# What ${issue} taught\n\n${lesson}\n` } },
        { commit: `${issue}: lessons learned` },
        { push: true },
      ]
    : [];
  return [...noteSteps, { handoff: { summary: lesson, files: note ? [path] : [] } }, { done: lesson }];
}
