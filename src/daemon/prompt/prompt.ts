/** The prompt a worker starts with: who it is, why it is called, the issue as data, what is known, how to speak. */
import type { Purpose } from '../../domain/command.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Mode, Phase } from '../../domain/mode.ts';
import { DUTIES } from './duties.ts';
import { fenced } from './fence.ts';
import { WHY } from './reasons-to-return.ts';

export interface PromptFacts {
  readonly mode: Mode;
  readonly phase: Phase;
  readonly purpose: Purpose;
  readonly attempt: number;
  readonly issue: Issue;
  readonly tracker: string;
  readonly repository: string;
  readonly base: string;
  readonly workspace: string;
  /** What this purpose has to tell, such as the failing check; each entry is data from outside. */
  readonly told: readonly { readonly what: string; readonly text: string }[];
  /** What the repository asks of this phase. */
  readonly instructions?: string | undefined;
}

export function promptFor(facts: PromptFacts): string {
  const { mode, phase, purpose, attempt, issue, tracker, repository, base, workspace, told } = facts;
  return [
    `You are the ${phase} worker of Legion for issue ${issue.id} (mode ${mode}, attempt ${attempt}).`,
    `Tracker: ${tracker}. Repository: ${repository}, base branch ${base}. Your workspace is ${workspace}, on branch ${issue.id}; work nowhere else.`,
    WHY[purpose],
    DUTIES[phase],
    fenced(`Issue ${issue.id}`, `${issue.title}\n\n${issue.body}`),
    ...told.map(({ what, text }) => fenced(what, text)),
    ...(facts.instructions === undefined
      ? []
      : [fenced('What the repository asks of this phase', facts.instructions)]),
    HOW_TO_SPEAK,
  ].join('\n\n');
}

const HOW_TO_SPEAK = `Speak through the \`legion\` MCP server or the same verbs of \`legion worker\`: \`issue\` reads the issue, its comments and its pull
request; \`handoff read\` what earlier phases left. Do this one phase and no other. End it with exactly one of:
- \`legion worker done "what you did"\`: it is checked against its proof; if something is missing you are told, mend it and report again.
- \`legion worker ask "your question"\`, then end your turn: a person answers, and you continue with the answer.
- \`legion worker error "why it cannot be done"\`.`;
