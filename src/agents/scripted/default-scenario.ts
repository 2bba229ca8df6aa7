/** The built-in scenarios, one for each phase: a small honest piece of work that any git repository can take. */
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import type { Facts } from './facts.ts';
import type { Step, StepInput, StepName } from './scenario/step.ts';

/** A suite of many minutes fits; one that hangs does not hold the issue for ever. */
const TEST_TIMEOUT_MS = 1_800_000;

/** Reasons to come back to work that is already there. */
const MENDING: readonly string[] = [
  'ci_failure',
  'test_failure',
  'review_changes',
  'quality_gate',
  'sent_back',
];

export interface DefaultOccasion {
  readonly facts: Facts;
  readonly workspace: string;
  title(): Promise<string>;
}

export async function defaultSteps({ facts, workspace, title }: DefaultOccasion): Promise<readonly Step[]> {
  const { issue, phase, purpose } = facts;
  switch (phase) {
    case 'architect':
      return purpose === 'plan_review' ? planReview(issue) : architect(issue, await title());
    case 'plan':
      return plan(issue, await title());
    case 'implement':
      if (purpose === 'conflict') return catchUp(issue);
      return MENDING.includes(purpose) ? mend(facts) : implement(issue, await title());
    case 'test':
      return test(issue, await testCommand(workspace));
    case 'review':
      return review(issue);
    case 'retro':
      return retro(issue, await title());
    case 'merge':
      return [play('merge', {}), done(`Merged the pull request of ${issue}`)];
  }
}

/** A file of its own for each issue, so that no two of them conflict. */
function noteOf(issue: string): string {
  return `docs/changes/${issue}.md`;
}

function architect(issue: string, title: string): readonly Step[] {
  const decided = [
    `Acceptance: ${noteOf(issue)} describes the change`,
    'Test: the repository’s own tests pass',
  ];
  return [
    handoff({ summary: `Specification of ${issue}: ${title}`, decided }),
    done(`Wrote the specification of ${issue}`),
  ];
}

function planReview(issue: string): readonly Step[] {
  const text = 'The plan leads to the acceptance criteria.';
  return [play('plan_review', { verdict: 'approve', text }), done(`Approved the plan of ${issue}`)];
}

function plan(issue: string, title: string): readonly Step[] {
  const left = [`Write ${noteOf(issue)}`, 'Commit and push it', 'Open the pull request'];
  return [
    handoff({ summary: `Plan of ${issue}: ${title}`, left, details: { steps: left } }),
    done(`Planned ${issue} in ${left.length} steps`),
  ];
}

function implement(issue: string, title: string): readonly Step[] {
  const note = noteOf(issue);
  return [
    play('write', { path: note, content: `# ${title}\n\nThe change of issue ${issue}.\n` }),
    play('commit', { message: `${issue}: ${title}`, include: [note] }),
    play('push', {}),
    play('pr_open', {
      title: `${issue}: ${title}`,
      body: `Adds \`${note}\`.\n\nCloses ${issue}`,
      draft: false,
    }),
    handoff({ summary: `Implemented ${issue}`, done: [`Wrote ${note}`], files: [note] }),
    done(`Implemented ${issue} and opened the pull request`),
  ];
}

function mend({ issue, purpose, attempt }: Facts): readonly Step[] {
  const note = noteOf(issue);
  return [
    play('append', { path: note, content: `\nLooked at again (${purpose}, attempt ${attempt}).\n` }),
    play('commit', { message: `${issue}: look at it again (${purpose})`, include: [note] }),
    play('push', {}),
    done(`Looked at ${issue} again: ${purpose}`),
  ];
}

function catchUp(issue: string): readonly Step[] {
  return [play('merge_base', {}), play('push', {}), done(`Merged the base into the branch of ${issue}`)];
}

function test(issue: string, command: readonly [string, ...string[]] | undefined): readonly Step[] {
  const suites = ['unit'];
  const verdict =
    command === undefined
      ? play('verdict', { result: 'pass', suites, detail: 'The repository has no tests to run.' })
      : play('verdict_from', { argv: [...command], suites, timeout: TEST_TIMEOUT_MS });
  return [verdict, done(`Gave the verdict on ${issue}`)];
}

function review(issue: string): readonly Step[] {
  const text = `Read the change of ${issue}; it does what the issue asks for.`;
  return [play('review', { verdict: 'approve', text }), done(`Approved the pull request of ${issue}`)];
}

/** Within the paths that void neither tests nor review. */
function retro(issue: string, title: string): readonly Step[] {
  const path = `docs/solutions/${issue}.md`;
  const content = `# ${title}\n\nWhat issue ${issue} taught: a small change needs a small note.\n`;
  return [
    play('write', { path, content }),
    play('commit', { message: `${issue}: what it taught`, include: [path] }),
    play('push', {}),
    handoff({ summary: `Looked back at ${issue}`, files: [path] }),
    done(`Wrote down what ${issue} taught`),
  ];
}

function done(summary: string): Step<'done'> {
  return play('done', { summary });
}

function handoff(given: Partial<StepInput<'handoff'>> & { readonly summary: string }): Step<'handoff'> {
  const { decided = [], done: did = [], left = [], files = [], tests = [], ...rest } = given;
  return play('handoff', { ...rest, decided, done: did, left, files, tests });
}

function play<N extends StepName>(name: N, input: StepInput<N>): Step<N>;
function play(name: StepName, input: unknown): unknown {
  return { name, input };
}

const manifestSchema = z.object({ scripts: z.object({ test: z.string().min(1) }) });

/** What `npm init` writes where there are no tests. */
const PLACEHOLDER = 'no test specified';

/** Undefined where the repository does not say. */
async function testCommand(workspace: string): Promise<readonly [string, ...string[]] | undefined> {
  const manifest = manifestSchema.safeParse(readJsonFile(join(workspace, 'package.json')));
  const declares = manifest.success && !manifest.data.scripts.test.includes(PLACEHOLDER);
  return declares ? ['npm', 'test'] : undefined;
}
