/**
 * Summarises a demo: each issue with what happened to it, and commands for exploring the result.
 */

import { quoteShellWord } from '../core/model/format.ts';
import type { Phase } from '../core/model/mode.ts';
import type { DemoAttempt, DemoHistory } from './history.ts';
import type { DemoFolder } from './lay-out.ts';
import type { MainTests } from './main-tests.ts';
import { lowStock } from './stories/low-stock.ts';
import { thousands } from './stories/thousands.ts';
import { usage } from './stories/usage.ts';
import type { DemoStory } from './story.ts';

export interface DemoSummary extends DemoOutcome {
  /** Commands to run next. */
  readonly look: readonly CommandSuggestion[];
}

export interface DemoOutcome {
  /** True if every issue is Done and the tests pass on main. */
  readonly ok: boolean;
  readonly durationMs: number;
  readonly folder: string;
  /** Path of the daemon's log. */
  readonly log: string;
  /** Whether the daemon is still running. */
  readonly kept: boolean;
  readonly issues: readonly IssueSummary[];
  /** The person's actions, in order. */
  readonly person: readonly { readonly issue: string; readonly did: string }[];
  /** Undefined if the demo ended before the tests could run. */
  readonly tests?: MainTests | undefined;
}

export interface IssueSummary {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** Each phase once, in the order in which their first workers started. */
  readonly phases: readonly Phase[];
  /** Number of attempts of all workers of the issue. */
  readonly attempts: number;
  readonly durationMs: number | null;
  readonly mergedSha: string | null;
  /** Whether the gate or a person accepted the merge. */
  readonly merge: 'gate' | 'person' | null;
  readonly lives: readonly Pick<DemoAttempt, 'phase' | 'attempt' | 'purpose' | 'end'>[];
}

/** Issue as it is on the board at the end. */
export interface BoardIssue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly createdAt: number;
}

export function buildDemoIssueSummary(
  { id, title, status, createdAt }: BoardIssue,
  history: DemoHistory,
): IssueSummary {
  const { attempts, merged, doneAt } = history.getIssue(id);
  return {
    id,
    title,
    status,
    phases: [...new Set(attempts.map(({ phase }) => phase))],
    attempts: attempts.length,
    durationMs: doneAt === undefined ? null : doneAt - createdAt,
    mergedSha: merged?.sha ?? null,
    merge: merged === undefined ? null : merged.auto ? 'gate' : 'person',
    lives: attempts.map(({ phase, attempt, purpose, end }) => ({
      phase,
      attempt,
      purpose,
      ...(end === undefined ? {} : { end }),
    })),
  };
}

export interface CommandSuggestion {
  /** Command line that can be pasted into a shell. */
  readonly command: string;
  readonly why: string;
}

/** Suggests commands to explore a finished demo. */
export function listSuggestions(outcome: DemoOutcome, demo: DemoFolder): readonly CommandSuggestion[] {
  const { folder, repository, command, stories } = demo;
  const { kept, ok } = outcome;
  const findId = ({ title }: DemoStory) => stories.find((each) => each.title === title)?.id ?? title;
  const suggestCommand = (args: string, why: string): CommandSuggestion => ({
    command: `${quoteWord(command)} ${args}`,
    why,
  });
  return [
    { command: `git -C ${quoteWord(repository)} log --oneline`, why: 'what was merged' },
    kept
      ? suggestCommand('open', 'all of it in your browser')
      : suggestCommand('up', 'the daemon has stopped; this starts it again'),
    ...(ok
      ? listFinishedSuggestions(suggestCommand, findId)
      : listUnfinishedSuggestions(outcome, suggestCommand)),
    suggestCommand('down', `stops the daemon; you can then remove ${folder}`),
  ];
}

type SuggestLegionCommand = (args: string, why: string) => CommandSuggestion;

function listFinishedSuggestions(
  suggestCommand: SuggestLegionCommand,
  findId: (story: DemoStory) => string,
): readonly CommandSuggestion[] {
  return [
    suggestCommand(`explain ${findId(thousands)}`, 'its implement worker was killed once and started again'),
    suggestCommand(`logs ${findId(thousands)} implement --attempt 1`, 'its output until then'),
    suggestCommand(`issue show ${findId(usage)}`, 'the issue that was clarified'),
    suggestCommand(`handoff read ${findId(lowStock)}`, 'the handoffs between its phases'),
  ];
}

/**
 * Suggests commands for a demo that ended early. Such a demo pauses worker starts before it stops
 * the workers.
 */
function listUnfinishedSuggestions(
  { issues, kept }: DemoOutcome,
  suggestCommand: SuggestLegionCommand,
): readonly CommandSuggestion[] {
  const open = issues.filter(({ status }) => status !== 'Done');
  return [
    ...(kept ? [] : [suggestCommand('resume', 'lets workers start again')]),
    ...open.map(({ id }) => suggestCommand(`explain ${id}`, 'what it is waiting for')),
  ];
}

/** Quotes a path that a shell would split or interpret. */
function quoteWord(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : quoteShellWord(path);
}
