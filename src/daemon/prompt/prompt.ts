/** The prompt a worker starts with: who it is, why it is called, its duties, what is known as data, how to speak. */
import type { Purpose } from '../../domain/command.ts';
import { LegionError } from '../../domain/fault.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Mode, Phase } from '../../domain/mode.ts';
import { BUILT_IN, type Templates } from './built-in.ts';
import { fenced } from './fence.ts';
import { HOW_TO_SPEAK } from './how-to-speak.ts';
import { type BlockName, type TemplateName, TOLD_GROUPS } from './template/form.ts';
import type { Template } from './template/parse.ts';
import { type Blocks, renderTemplate, type Values } from './template/render.ts';
import { NOTHING_TOLD, type Told, type ToldFacts } from './told.ts';

export interface PromptFacts extends ToldFacts {
  readonly mode: Mode;
  readonly phase: Phase;
  readonly purpose: Purpose;
  readonly attempt: number;
  readonly issue: Issue;
  readonly tracker: string;
  readonly repository: string;
  readonly base: string;
  readonly workspace: string;
  /** Legion's own sentences about the branch, told with where it is. */
  readonly notes?: readonly (string | undefined)[];
  /** Where a retro may write. */
  readonly retroPaths: readonly string[];
  /** What the repository asks of this phase. */
  readonly instructions?: string | undefined;
  /** The repository's own templates, as far as the operator has approved them. */
  readonly templates: Templates;
}

export function promptFor(facts: PromptFacts): string {
  const { issue, told, templates } = facts;
  const values = valuesOf(facts);
  const template = (name: TemplateName) => known(templates.get(name) ?? BUILT_IN.get(name), name);
  const reason = template(`reason.${facts.purpose}`);
  const toldThere = blocksIn(reason);
  // What the reason leaves out is told in its place in the frame: nothing is lost, nothing is said twice.
  const others = TOLD_GROUPS.filter((group) => !toldThere.has(`fenced.${group}`));
  const blocks: Blocks = {
    who: whoOf(values),
    where: [whereOf(values), ...(facts.notes ?? [])].filter((line) => line !== undefined).join('\n'),
    reason: renderTemplate(reason, values, ofReason(told)),
    duties: renderTemplate(template(`phase.${facts.phase}`), values, {}),
    'fenced.issue': fenced(`Issue ${issue.id}`, `${issue.title}\n\n${issue.body}`),
    'fenced.told': fencedAll(others.flatMap((group) => told[group] ?? [])),
    'fenced.instructions':
      facts.instructions === undefined
        ? ''
        : fenced('What the repository asks of this phase', facts.instructions),
    speak: HOW_TO_SPEAK,
  };
  return renderTemplate(template('frame'), values, blocks);
}

/** The first line of every prompt: scripted agents and people who read a log find their place by it. */
function whoOf({ phase, issue, mode, attempt, purpose }: Values): string {
  return `You are the ${phase} worker of Legion for issue ${issue} (mode ${mode}, attempt ${attempt}, purpose ${purpose}).`;
}

function whereOf({ tracker, repository, base, workspace, branch }: Values): string {
  return `Tracker: ${tracker}. Repository: ${repository}, base branch ${base}. Your workspace is ${workspace}, on branch ${branch}; work nowhere else.`;
}

const UNKNOWN = '(not known now: `legion worker issue` shows it)';

function valuesOf(facts: PromptFacts): Values {
  const { mode, phase, purpose, attempt, issue, tracker, repository, base, workspace } = facts;
  const { pullRequest, commit, retroPaths } = facts;
  return {
    ...{ mode, phase, purpose, tracker, repository, base, workspace },
    issue: issue.id,
    branch: issue.id,
    attempt: String(attempt),
    pull_request: pullRequest === undefined ? UNKNOWN : `#${pullRequest.number}`,
    head: pullRequest?.headSha ?? UNKNOWN,
    commit: commit ?? UNKNOWN,
    retro_paths: retroPaths.join(', '),
  };
}

/** A reason that announces what it then cannot show says so. */
function ofReason(told: ToldFacts['told']): Blocks {
  return Object.fromEntries(
    TOLD_GROUPS.map((group) => [`fenced.${group}`, fencedAll(told[group]) || NOTHING_TOLD[group]]),
  );
}

function fencedAll(entries: readonly Told[] = []): string {
  return entries.map(({ what, text, keep }) => fenced(what, text, keep)).join('\n\n');
}

function blocksIn({ parts }: Template): ReadonlySet<BlockName> {
  return new Set(parts.flatMap((part) => (part.kind === 'block' ? [part.block] : [])));
}

function known(template: Template | undefined, name: TemplateName): Template {
  if (template === undefined) throw new LegionError('daemon.defect', `there is no template ${name}`);
  return template;
}
