/** The rules every issue needs beside those of its implementer: specification, plan, tests, review, retro, merge. */
import { ACCEPTANCE_TESTS } from './project/project.ts';
import type { Rule, Step } from './story.ts';

export interface Course {
  /** Absent where the architect is never sent. */
  readonly specification?: readonly string[];
  readonly plan: readonly string[];
  /** What the reviewer says when it approves. */
  readonly approval: string;
  readonly lesson: string;
  /** Whether the lesson goes into the repository: a third file would be one too many for the auto-merge gate. */
  readonly note?: boolean;
}

export function courseOf(issue: string, course: Course): readonly Rule[] {
  const { specification, plan, approval } = course;
  const architect: Rule[] =
    specification === undefined
      ? []
      : [{ issue, phase: 'architect', steps: [...leave('Specification', { decided: specification })] }];
  return [
    ...architect,
    { issue, phase: 'plan', steps: leave('Plan', { left: plan }) },
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
    { issue, phase: 'retro', steps: retro(issue, course) },
    { issue, phase: 'merge', steps: [{ merge: true }, { done: 'Merged the pull request' }] },
  ];
}

/** The last steps of an implementer: what it made goes into a pull request. */
export function handIn(issue: string, what: string, files: readonly string[]): readonly Step[] {
  return [
    { commit: `${issue}: ${what}` },
    { push: true },
    { pr_open: { title: `${issue}: ${what}`, body: `${what}.\n\nCloses ${issue}` } },
    { handoff: { summary: what, done: [what], files, tests: ['node --test'] } },
    { done: `${what}; the pull request is open` },
  ];
}

/** The same where the pull request is there already. */
export function handInAgain(issue: string, what: string): readonly Step[] {
  return [{ commit: `${issue}: ${what}` }, { push: true }, { done: what }];
}

function leave(what: string, content: Readonly<Record<string, unknown>>): readonly Step[] {
  return [
    { issue: true },
    { handoff: { summary: `${what} of \${issue}`, ...content } },
    { done: `Wrote the ${what.toLowerCase()}` },
  ];
}

function retro(issue: string, { lesson, note = false }: Course): readonly Step[] {
  const path = `docs/solutions/${issue}.md`;
  const noted: Step[] = note
    ? [
        { write: { path, content: `# What ${issue} taught\n\n${lesson}\n` } },
        { commit: `${issue}: what it taught` },
        { push: true },
      ]
    : [];
  return [...noted, { handoff: { summary: lesson, files: note ? [path] : [] } }, { done: lesson }];
}
