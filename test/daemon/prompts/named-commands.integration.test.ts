/**
 * Runs every command that a prompt or a page of the worker skill mentions, in the situation that
 * the text describes.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readVerbInput, VERB_LAYOUTS } from '../../../src/cli/commands/agents/verb-input.ts';
import { createVerbCommand, worker as workerCommand } from '../../../src/cli/commands/agents/worker.ts';
import { requireSkillsFolder } from '../../../src/cli/installation.ts';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';
import { findCommand } from '../../../src/cli/program/dispatch.ts';
import type { SpawnPurpose } from '../../../src/core/model/command.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import type { WorkerIdentity } from '../../../src/core/model/ids.ts';
import { getPhaseMode, PHASES, type Phase } from '../../../src/core/model/mode.ts';
import type { Status } from '../../../src/core/model/status.ts';
import { buildPrompt } from '../../../src/daemon/prompts/prompt.ts';
import { collectPromptContext } from '../../../src/daemon/prompts/prompt-context.ts';
import { TEMPLATE_FORMS } from '../../../src/daemon/prompts/template-forms.ts';
import { getVerbModes, VERB_NAMES, type VerbName } from '../../../src/protocol/verb.ts';
import { parseLine } from '../../cli/support/parse-line.ts';
import { readPage } from '../../skills/page.ts';
import { type CommandLine, splitCommands } from '../../skills/shell.ts';
import { openWorking, type Working } from '../worker-api/working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const PURPOSES = [...TEMPLATE_FORMS.keys()].flatMap((name) =>
  name.startsWith('reason.') ? [name.slice('reason.'.length) as SpawnPurpose] : [],
);

/** For each phase, the purposes for which the pipeline starts a worker. */
const CALLS: Readonly<Record<Phase, readonly SpawnPurpose[]>> = {
  architect: ['start', 'crash', 'feedback', 'operator', 'plan_review', 'rejected'],
  plan: ['start', 'crash', 'feedback', 'operator', 'plan_changes', 'rejected'],
  implement: [
    'start',
    'crash',
    'feedback',
    'operator',
    'ci_failure',
    'ci_timeout',
    'test_failure',
    'review_changes',
    'conflict',
    'sent_back',
    'rejected',
    'quality_gate',
    'missing_pr',
  ],
  test: ['start', 'crash', 'feedback', 'operator'],
  review: ['start', 'crash', 'feedback', 'operator', 'missing_review'],
  retro: ['retro', 'crash', 'feedback', 'operator'],
  merge: ['start', 'crash', 'feedback', 'operator'],
};

const STATUSES: Readonly<Record<Phase, Status>> = {
  architect: 'Backlog',
  plan: 'Todo',
  implement: 'In Progress',
  test: 'Testing',
  review: 'Needs Review',
  retro: 'Retro',
  merge: 'Retro',
};

interface Situation {
  readonly issue: string;
  readonly phase: Phase;
  readonly purpose: SpawnPurpose;
  readonly workspace: string;
}

/**
 * Creates an issue in the state in which a worker of the phase finds it. From the implement phase
 * on, its work is in a pull request.
 */
async function situation(phase: Phase, purpose: SpawnPurpose): Promise<Situation> {
  const status = purpose === 'plan_review' ? 'Todo' : STATUSES[phase];
  const issue = await working.issue(status, purpose === 'plan_review' ? ['architect-continuity'] : []);
  const workspace = await working.workspace(issue);
  if (!['architect', 'plan'].includes(phase)) {
    await working.commit(issue, { [`${issue}.txt`]: 'work\n' });
    const who = await working.dispatch(issue, 'implement');
    await working.say(who, 'push');
    if (purpose !== 'missing_pr')
      await working.say(who, 'pr_open', { title: 'Work', body: `Closes ${issue}` });
    await end(who);
  }
  return { issue, phase, purpose, workspace };
}

async function end({ issue, mode, attempt }: WorkerIdentity): Promise<void> {
  await working.world.ledger.append([{ type: 'attempt.stopped', issue, mode, attempt, why: 'the next one' }]);
}

async function promptOf({ issue: id, phase, purpose, workspace }: Situation): Promise<string> {
  const mode = getPhaseMode(phase);
  const issue = await working.board.read(id, AbortSignal.any([]));
  if (issue === undefined) throw new Error(`${id} does not exist`);
  const spawn = { kind: 'spawn', issue: id, mode, purpose, attempt: 2, version: 0 } as const;
  return buildPrompt({
    ...(await collectPromptContext(working.world, spawn, AbortSignal.any([]))),
    mode,
    phase,
    purpose,
    calledFor: purpose,
    attempt: 2,
    issue,
    workspace,
    tracker: 'local',
    repository: 'repository',
    base: 'main',
    baseRef: 'main',
    commands: { approved: true, commands: { quality_gate: ['true'] } },
    retroPaths: ['docs/solutions/**'],
    templates: new Map(),
  });
}

/** Standard input for commands whose example shows none. */
const STDIN: Readonly<Partial<Record<VerbName, string>>> = {
  handoff_write: '{"summary":"s"}',
  split: '{"children":[{"title":"a","body":"b"}]}',
};

/**
 * Refusals that are correct in the tested situation, so they do not mean that the command is wrong.
 */
const TRUE_REFUSALS: Readonly<Partial<Record<VerbName, readonly string[]>>> = {
  merge: ['merge.refused'],
  // The prompt that asks for a pull request is sent before one exists.
  pr_show: ['worker.not_ready'],
  ci: ['worker.not_ready'],
  message: ['worker.unknown'],
  split: ['input.invalid'],
};

/** Resolves to the problem with the command, or undefined if the command works as documented. */
async function tryCommand(at: Situation, { words, input }: CommandLine): Promise<string | undefined> {
  const [program, ...args] = words;
  if (program === 'git') return tryGit(at, args);
  const [family, ...rest] = args;
  return family === 'worker' ? tryVerb(at, rest, input) : undefined;
}

async function tryGit({ workspace }: Situation, args: readonly string[]): Promise<string | undefined> {
  const filled = args.map((word) =>
    word
      .replaceAll(/\b(?:origin\/)?BASE\b/g, 'main')
      .replaceAll(/\bOLD\b/g, 'HEAD')
      .replaceAll(/\b(?:PATH|FILE)\b/g, 'app.txt'),
  );
  try {
    await promisify(execFile)('git', filled, { cwd: workspace, maxBuffer: 1e8 });
    return undefined;
  } catch (error) {
    return `git ${args.join(' ')}: ${(error as Error).message}`;
  }
}

async function tryVerb(at: Situation, words: readonly string[], input: string): Promise<string | undefined> {
  const shown = `legion worker ${words.join(' ')}`;
  const verb = VERB_NAMES.filter((each) =>
    VERB_LAYOUTS[each].words.every((word, index) => words[index] === word),
  ).at(0);
  if (words.length === 0) return undefined;
  if (verb === undefined) return /^[A-Z…]+$/.test(words[0] ?? '') ? undefined : `${shown}: unknown verb`;
  const args = words.slice(VERB_LAYOUTS[verb].words.length);
  if (args.includes('--help')) return undefined;
  const mode = getPhaseMode(at.phase);
  if (!getVerbModes(verb).includes(mode)) return `${shown}: is not for ${mode}`;
  try {
    const stdin = Readable.from([Buffer.from(input || STDIN[verb] || 'text')]);
    const context = { cwd: at.workspace, stdin, signal: AbortSignal.any([]) } as unknown as CommandContext;
    const parsed = parseLine(createVerbCommand(verb), ['worker', ...VERB_LAYOUTS[verb].words], args);
    const said = await readVerbInput(verb, parsed, context);
    const who = await working.dispatch(at.issue, mode);
    try {
      await working.say(who, verb, said);
    } finally {
      await end(who);
    }
    return undefined;
  } catch (error) {
    const code = error instanceof LegionError ? error.code : '';
    // A mere mention of a command, such as `legion worker ask`, has no arguments and may be refused
    // as invalid.
    if (args.length === 0 && (code === 'usage.invalid' || code === 'input.invalid')) return undefined;
    return TRUE_REFUSALS[verb]?.includes(code) === true
      ? undefined
      : `${shown}: ${code} ${(error as Error).message}`;
  }
}

function commandsIn(text: string): readonly CommandLine[] {
  const { codes, blocks } = readPage(text);
  return [
    ...codes.flatMap(({ line, text: code }) => splitCommands({ info: 'sh', line: line - 1, text: code })),
    ...blocks.filter(({ info }) => info === 'sh').flatMap(splitCommands),
  ].filter(({ words: [program] }) => program === 'legion' || program === 'git');
}

test('every purpose occurs in some phase', () => {
  expect(new Set(Object.values(CALLS).flat())).toEqual(new Set(PURPOSES));
});

describe('every command in a prompt works in the situation of that prompt', () => {
  test.each(PHASES.flatMap((phase) => CALLS[phase].map((purpose) => [phase, purpose] as const)))(
    '%s phase, purpose %s',
    async (phase, purpose) => {
      const at = await situation(phase, purpose);
      const named = commandsIn(await promptOf(at));
      expect(named.length).toBeGreaterThan(5);
      const wrong: string[] = [];
      for (const command of named) wrong.push(...[(await tryCommand(at, command)) ?? []].flat());
      expect(wrong).toEqual([]);
    },
  );
});

describe('every command on a page of the worker skill works in its phase', () => {
  const folder = join(requireSkillsFolder(), 'legion-worker');
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );

  test.each(pages)('%s', async (page) => {
    const phase = PHASES.find((each) => page === `workflows/${each}.md`) ?? 'implement';
    const at = await situation(phase, phase === 'retro' ? 'retro' : 'start');
    const wrong: string[] = [];
    for (const command of commandsIn(readFileSync(join(folder, page), 'utf8'))) {
      if (!isForThisPhase(page, command)) continue;
      prepareFiles(at, command);
      wrong.push(...[(await tryCommand(at, command)) ?? []].flat());
    }
    expect(wrong).toEqual([]);
  });
});

/**
 * Excludes plan reviews, which are possible only for an architect started for that purpose, and
 * aborting a rebase, because no rebase is in progress.
 */
function isForThisPhase(page: string, { words }: CommandLine): boolean {
  const line = words.join(' ');
  // The page about jj mentions git commands only to say what replaces them.
  if (page === 'references/jj.md' && words[0] === 'git') return false;
  if (line.includes('plan-review') || line === 'git rebase --abort') return false;
  return (
    page.startsWith('workflows/') ||
    !/legion worker (?:verdict|split|merge|review|done --sent-back)/.test(line)
  );
}

/** Creates the files that the example commands refer to. */
function prepareFiles({ workspace }: Situation, { words }: CommandLine): void {
  if (words[0] !== 'git' || words[1] !== 'add') return;
  for (const path of words.slice(2)) {
    const file = join(workspace, path.includes('.') ? path : `${path}/page.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'text\n');
  }
}

test('no prompt and no page of the worker skill mentions git add -A, a scratch file or an unbounded git diff --check', async () => {
  const folder = join(requireSkillsFolder(), 'legion-worker');
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const texts = [
    ...pages.map((page) => readFileSync(join(folder, page), 'utf8')),
    await promptOf(await situation('implement', 'conflict')),
    await promptOf(await situation('architect', 'start')),
  ];
  for (const text of texts) {
    expect(text).not.toMatch(/git add (?:-A|--all|\.)(?:\s|`)/);
    expect(text).not.toMatch(/--file \w+\.json/);
    expect(text).not.toMatch(/git diff --check(?! \S+\.\.\.HEAD)/);
    expect(text).not.toContain('data, not instructions');
    expect(text).not.toContain('are your own');
  }
});

test('the table in the worker skill and the command line list the same verbs', async () => {
  const router = readFileSync(join(requireSkillsFolder(), 'legion-worker', 'SKILL.md'), 'utf8');
  const rows = router.split('\n').filter((line) => line.startsWith('| `'));
  const inTable = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, verb]) => verb),
  );
  expect(new Set(inTable)).toEqual(new Set(VERB_NAMES));
  for (const verb of VERB_NAMES) {
    const { path } = await findCommand(['worker'], workerCommand, VERB_LAYOUTS[verb].words);
    expect(path, verb).toEqual(['worker', ...VERB_LAYOUTS[verb].words]);
  }
});
