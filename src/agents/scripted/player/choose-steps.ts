/**
 * Chooses a turn's steps: the remaining steps after an answered question, the steps of the first
 * matching rule, or the built-in scenario of the phase.
 */

import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../../lib/fs/read-bounded.ts';
import type {
  RuleConditions,
  Scenario,
  ScenarioRule,
  ScenarioStep,
  StepInput,
  StepName,
  WorkerFacts,
} from '../scenario/scenario.ts';
import type { RuleBookmark } from './session.ts';

export interface StepChoice {
  readonly steps: readonly ScenarioStep[];
  /** Index of the first step. */
  readonly first: number;
  /** Index of the rule in the scenario. Undefined for the built-in scenario. */
  readonly rule: number | undefined;
  /** Location of the rule for messages, such as `rules[2]`. */
  readonly location: string;
}

export async function chooseSteps(
  scenario: Scenario | undefined,
  context: RuleMatchContext & { readonly bookmark: RuleBookmark | undefined; readonly workspace: string },
): Promise<StepChoice> {
  const rules = scenario?.rules ?? [];
  const { facts, bookmark } = context;
  const resumeAt = facts.purpose === 'feedback' ? bookmark : undefined;
  const interrupted = resumeAt === undefined ? undefined : rules[resumeAt.rule];
  // The file may have been edited: continue only if the previous step is still a question.
  if (resumeAt !== undefined && interrupted?.steps[resumeAt.next - 1]?.name === 'ask') {
    if (resumeAt.next < interrupted.steps.length) return createChoice(resumeAt.rule, resumeAt.next);
  }
  const rule = await findMatchingRule(rules, context);
  if (rule !== undefined) return createChoice(rule, 0);
  const steps = await buildDefaultSteps(context);
  return { steps, first: 0, rule: undefined, location: `the built-in ${facts.phase} scenario` };

  function createChoice(index: number, first: number): StepChoice {
    return { steps: rules[index]?.steps ?? [], first, rule: index, location: `rules[${index}]` };
  }
}

export interface RuleMatchContext {
  readonly facts: WorkerFacts;
  /** Previous turns of this session, oldest first. */
  readonly earlier: readonly WorkerFacts[];
  /** Fetched only if a rule depends on it, because it costs a request to the daemon. */
  title(): Promise<string>;
}

/**
 * Finds the first rule that matches a turn. Resolves to the rule's index, or undefined if none
 * matches.
 */
export async function findMatchingRule(
  rules: readonly ScenarioRule[],
  context: RuleMatchContext,
): Promise<number | undefined> {
  for (const [index, rule] of rules.entries()) {
    if (await isRuleMatch(rule, context)) return index;
  }
  return undefined;
}

async function isRuleMatch(
  rule: RuleConditions,
  { facts, earlier, title }: RuleMatchContext,
): Promise<boolean> {
  if (!hasMatchingFacts(rule, facts)) return false;
  const round = earlier.filter((turn) => hasMatchingFacts(rule, turn)).length + 1;
  if (rule.round !== undefined && rule.round !== round) return false;
  // Checks the title last, because fetching it costs a request. The title is the same for every
  // turn of a session, so it does not affect the count of rounds.
  return rule.title === undefined || (await title()).toLowerCase().includes(rule.title.toLowerCase());
}

function hasMatchingFacts(
  { issue, mode, phase, purpose, attempt }: RuleConditions,
  facts: WorkerFacts,
): boolean {
  return (
    (issue === undefined || isGlobMatch(facts.issue, issue)) &&
    (mode === undefined || mode === facts.mode) &&
    (phase === undefined || phase === facts.phase) &&
    (purpose === undefined || purpose === facts.purpose) &&
    (attempt === undefined ||
      ('exactly' in attempt ? facts.attempt === attempt.exactly : facts.attempt > attempt.above))
  );
}

/** Matches piece by piece: a regular expression with many stars would be slow. */
function isGlobMatch(id: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  const text = id.toLowerCase();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const index = text.indexOf(piece, at);
    if (index < 0) return false;
    at = index + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/**
 * Long enough for a test suite that takes many minutes, but keeps a hung one from blocking the
 * issue.
 */
const TEST_TIMEOUT_MS = 1_800_000;

/** Purposes of workers that repair existing work. */
const REPAIR_PURPOSES: readonly string[] = [
  'ci_failure',
  'ci_timeout',
  'test_failure',
  'review_changes',
  'quality_gate',
  'sent_back',
];

export interface DefaultStepsContext {
  readonly facts: WorkerFacts;
  readonly workspace: string;
  title(): Promise<string>;
}

/** Built-in scenarios, one per phase: a small, honest change that works in any git repository. */
export async function buildDefaultSteps({
  facts,
  workspace,
  title,
}: DefaultStepsContext): Promise<readonly ScenarioStep[]> {
  const { issue, phase, purpose } = facts;
  switch (phase) {
    case 'architect':
      return purpose === 'plan_review'
        ? buildPlanReviewSteps(issue)
        : buildArchitectSteps(issue, await title());
    case 'plan':
      return buildPlanSteps(issue, await title());
    case 'implement':
      if (purpose === 'conflict') return buildConflictSteps(issue);
      return REPAIR_PURPOSES.includes(purpose)
        ? buildRepairSteps(facts)
        : buildImplementSteps(issue, await title());
    case 'test':
      return buildTestSteps(issue, await readTestCommand(workspace));
    case 'review':
      return buildReviewSteps(issue);
    case 'retro':
      return buildRetroSteps(issue, await title());
    case 'merge':
      return [createStep('merge', {}), createDoneStep(`Merged the pull request for ${issue}`)];
  }
}

/** One file per issue, so that no two issues conflict. */
function resolveNotePath(issue: string): string {
  return `docs/changes/${issue}.md`;
}

function buildArchitectSteps(issue: string, title: string): readonly ScenarioStep[] {
  const decided = [
    `Acceptance: ${resolveNotePath(issue)} describes the change`,
    'Test: the repository’s own tests pass',
  ];
  return [
    createHandoffStep({ summary: `Specification for ${issue}: ${title}`, decided }),
    createDoneStep(`Wrote the specification for ${issue}`),
  ];
}

function buildPlanReviewSteps(issue: string): readonly ScenarioStep[] {
  const text = 'The plan meets the acceptance criteria.';
  return [
    createStep('plan_review', { verdict: 'approve', text }),
    createDoneStep(`Approved the plan for ${issue}`),
  ];
}

function buildPlanSteps(issue: string, title: string): readonly ScenarioStep[] {
  const left = [`Write ${resolveNotePath(issue)}`, 'Commit and push it', 'Open the pull request'];
  return [
    createHandoffStep({ summary: `Plan for ${issue}: ${title}`, left, details: { steps: left } }),
    createDoneStep(`Planned ${issue} in ${left.length} steps`),
  ];
}

function buildImplementSteps(issue: string, title: string): readonly ScenarioStep[] {
  const note = resolveNotePath(issue);
  return [
    createStep('write', { path: note, content: `# ${title}\n\nThe change for issue ${issue}.\n` }),
    createStep('commit', { message: `${issue}: ${title}`, include: [note] }),
    createStep('push', {}),
    createStep('pr_open', {
      title: `${issue}: ${title}`,
      body: `Adds \`${note}\`.\n\nCloses ${issue}`,
      draft: false,
    }),
    createHandoffStep({ summary: `Implemented ${issue}`, done: [`Wrote ${note}`], files: [note] }),
    createDoneStep(`Implemented ${issue} and opened the pull request`),
  ];
}

function buildRepairSteps({ issue, purpose, attempt }: WorkerFacts): readonly ScenarioStep[] {
  const note = resolveNotePath(issue);
  return [
    createStep('append', { path: note, content: `\nRevisited (${purpose}, attempt ${attempt}).\n` }),
    createStep('commit', { message: `${issue}: revisit the change (${purpose})`, include: [note] }),
    createStep('push', {}),
    createDoneStep(`Revisited ${issue}: ${purpose}`),
  ];
}

function buildConflictSteps(issue: string): readonly ScenarioStep[] {
  return [
    createStep('merge_base', {}),
    createStep('push', {}),
    createDoneStep(`Merged the base into the branch of ${issue}`),
  ];
}

function buildTestSteps(
  issue: string,
  command: readonly [string, ...string[]] | undefined,
): readonly ScenarioStep[] {
  const suites = ['unit'];
  const verdict =
    command === undefined
      ? createStep('verdict', { result: 'pass', suites, detail: 'The repository has no tests to run.' })
      : createStep('verdict_from', { argv: [...command], suites, timeout: TEST_TIMEOUT_MS });
  return [verdict, createDoneStep(`Submitted the verdict on ${issue}`)];
}

function buildReviewSteps(issue: string): readonly ScenarioStep[] {
  const text = `Read the change for ${issue}; it does what the issue asks for.`;
  return [
    createStep('review', { verdict: 'approve', text }),
    createDoneStep(`Approved the pull request for ${issue}`),
  ];
}

/** Writes only to paths whose changes do not void the results of tests and review. */
function buildRetroSteps(issue: string, title: string): readonly ScenarioStep[] {
  const path = `docs/solutions/${issue}.md`;
  const content = `# ${title}\n\nLesson from issue ${issue}: a small change needs a small note.\n`;
  return [
    createStep('write', { path, content }),
    createStep('commit', { message: `${issue}: lessons learned`, include: [path] }),
    createStep('push', {}),
    createHandoffStep({ summary: `Looked back at ${issue}`, files: [path] }),
    createDoneStep(`Recorded the lessons from ${issue}`),
  ];
}

function createDoneStep(summary: string): ScenarioStep<'done'> {
  return createStep('done', { summary });
}

function createHandoffStep(
  fields: Partial<StepInput<'handoff'>> & { readonly summary: string },
): ScenarioStep<'handoff'> {
  const { decided = [], done: did = [], left = [], files = [], tests = [], ...rest } = fields;
  return createStep('handoff', { ...rest, decided, done: did, left, files, tests });
}

function createStep<N extends StepName>(name: N, input: StepInput<N>): ScenarioStep<N>;
function createStep(name: StepName, input: unknown): unknown {
  return { name, input };
}

const manifestSchema = z.object({ scripts: z.object({ test: z.string().min(1) }) });

/** Written by `npm init` if there are no tests. */
const PLACEHOLDER_TEST_SCRIPT = 'no test specified';

/** Returns undefined if the repository does not define a test command. */
async function readTestCommand(workspace: string): Promise<readonly [string, ...string[]] | undefined> {
  const manifest = manifestSchema.safeParse(readJsonFile(join(workspace, 'package.json')));
  const declares = manifest.success && !manifest.data.scripts.test.includes(PLACEHOLDER_TEST_SCRIPT);
  return declares ? ['npm', 'test'] : undefined;
}
