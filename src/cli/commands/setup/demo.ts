/**
 * `legion demo`: runs six issues of a sample repository through real workers and summarises the
 * result.
 */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { AGENT_KINDS } from '../../../config/legion/work.ts';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { openAgents } from '../../../daemon/composition/open-agents.ts';
import { createDemoFolder } from '../../../demo/lay-out.ts';
import type { DemoAgent, DemoGithub } from '../../../demo/options.ts';
import type { NumberedStory } from '../../../demo/stories.ts';
import { getLauncher } from '../../installation.ts';
import { isAbort } from '../../interruption.ts';
import { printJson, printPage } from '../../present/page.ts';
import { getTerminalColumns, withProgress } from '../../present/terminal.ts';
import {
  addJsonOption,
  type CommandContext,
  defineCommand,
  parseWholeNumber,
  renderExamples,
} from '../../program/define-command.ts';
import { createDemoLocalBoard, type DemoBoard } from './demo/board.ts';
import {
  type GithubOptions,
  type LinearOptions,
  type ParsedLinearOptions,
  parseGithubOptions,
  parseLinearOptions,
} from './demo/options.ts';
import { type DemoReporter, openLiveBoard, openLogReporter, SILENT_REPORTER } from './demo/reporters.ts';
import { runDemo } from './demo/run.ts';
import { assertDemoSucceeded, renderSummaryPage } from './demo/summary-page.ts';

/**
 * Twice the time that a small, busy machine needs. A demo that takes longer is stuck, and the
 * timeout error reports why each issue is waiting.
 */
const DEFAULT_WITHIN_S = 180;
/** A real agent thinks for minutes; the scripted agent takes seconds. */
const DEFAULT_REAL_WITHIN_S = 2_700;
/** An hour: longer than anyone watches. */
const MAX_WITHIN_S = 3_600;

export const demo = defineCommand(
  () =>
    addServiceOptions(
      addJsonOption(
        new Command()
          .description(
            'Create a sample repository with six issues and let scripted agents take them all to Done, with real processes, commits and tests. The demo also plays your part: it clarifies an issue, answers a question and approves a merge. It needs no account and writes only to one folder, unless you point it at GitHub or Linear. The folder remains, so that you can inspect the result.',
          )
          .option('--folder <DIR>', 'New or empty folder for all files (default: a temporary one)')
          .option('--keep', 'Keep the daemon running at the end, for `legion explain` and other commands')
          .option('--open', 'Show the demo on the dashboard in your browser; implies --keep')
          .option('--rm', 'Remove the folder if the demo succeeds')
          .option(
            '--within <SECONDS>',
            `Give up after this many seconds (default: ${DEFAULT_WITHIN_S}, or ${DEFAULT_REAL_WITHIN_S} with a real agent)`,
            parseWholeNumber('--within', 1),
          ),
      ),
    ).addHelpText(
      'after',
      renderExamples('legion demo', 'legion demo --open', 'legion demo --agent claude-code'),
    ),
  async ({ options }, context) => {
    const { open, rm = false, json = false } = options;
    // The dashboard needs a running daemon.
    const keep = options.keep === true || open === true;
    if (keep && rm) {
      throw new LegionError(
        'usage.invalid',
        `--${open === true ? 'open' : 'keep'} and --rm cannot be combined.`,
      );
    }
    const services = parseServiceOptions(options, context);
    const agent = parseAgentOptions(options, services.linear !== undefined);
    const defaultSeconds = agent === undefined ? DEFAULT_WITHIN_S : DEFAULT_REAL_WITHIN_S;
    const withinMs = 1_000 * checkSeconds(options.within ?? defaultSeconds);
    if (agent !== undefined) await refuseUnreadyAgent(agent, context);
    const folder = claimFolder(options.folder, context.cwd);
    const board = await openDemoBoard(services, folder, context);
    const { stories } = board;
    const show = chooseReporter(context, json, stories);
    const run = async () => {
      const demoFolder = await createDemoFolder({
        folder,
        launcher: getLauncher(),
        environment: context.env,
        stories,
        agent,
        services: board.serviceOptions,
      });
      return runDemo(demoFolder, board, { keep, open: open === true, withinMs }, show, context);
    };
    const result = await (json ? withProgress(context, 'running the demo', run) : run())
      .catch((error: unknown) => {
        if (!json && isAbort(error, context.signal))
          context.stderr.write(`legion: Interrupted. The demo has stopped; its files are in ${folder}.\n`);
        throw error;
      })
      .finally(() => board.close());
    const { summary } = result;
    if (json) printJson(context, summary);
    else printPage(context, renderSummaryPage(summary, rm && summary.ok, getTerminalColumns(context.stdout)));
    if (rm && summary.ok) rmSync(folder, { recursive: true, force: true });
    return assertDemoSucceeded(result, withinMs);
  },
);

function checkSeconds(seconds: number): number {
  if (seconds <= MAX_WITHIN_S) return seconds;
  throw new LegionError('usage.invalid', `--within takes at most ${MAX_WITHIN_S} seconds, got ${seconds}.`);
}

/**
 * Enough rows for the board, the log above it and one spare line. On a shorter terminal, the board
 * could not be redrawn in place.
 */
const MIN_ROWS = 14;

/**
 * Chooses the output: a live board at a terminal, one line per step elsewhere, nothing with --json.
 */
function chooseReporter(
  { stdout }: CommandContext,
  json: boolean,
  stories: readonly NumberedStory[],
): DemoReporter {
  if (json) return SILENT_REPORTER;
  const isRoomy = stdout.isTTY === true && (stdout.rows ?? MIN_ROWS) >= MIN_ROWS;
  return isRoomy ? openLiveBoard(stdout, stories) : openLogReporter(stdout);
}

/**
 * Returns the demo's directory: a new temporary directory, or the one specified on the command
 * line. Throws if the specified directory is not empty.
 */
function claimFolder(named: string | undefined, cwd: string): string {
  const path = named === undefined ? join(tmpdir(), 'legion-demo-') : resolve(cwd, named);
  try {
    if (named === undefined) return realpathSync(mkdtempSync(path));
    mkdirSync(path, { recursive: true });
    if (readdirSync(path).length === 0) return realpathSync(path);
  } catch (error) {
    throw new LegionError('demo.folder_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
  throw new LegionError('demo.folder_taken', `${path} is not empty.`);
}

/**
 * Refuses an unusable agent before anything is created, because its issues would otherwise wait
 * until the demo times out.
 */
async function refuseUnreadyAgent(demo: DemoAgent, { env, signal }: CommandContext): Promise<void> {
  const kind = AGENT_KINDS.find((each) => each === demo.agent);
  if (kind === undefined) return;
  // A preflight writes nothing to the state directory that it receives.
  const agentOptions = { launcher: getLauncher(), state: tmpdir(), folder: tmpdir(), environment: env };
  const { model, url, keyVariable } = demo;
  const endpoint = url === undefined ? undefined : { url, keyVariable };
  const preflight = await openAgents(agentOptions)(kind).preflight(signal, { model, endpoint });
  if (!preflight.ready) throw new LegionError('agent.not_ready', `${preflight.problem}. ${preflight.next}`);
}

type ServiceOptions = AgentOptions & GithubOptions & LinearOptions;

/** Adds the options of `legion demo` that select an agent, a GitHub server or a Linear server. */
function addServiceOptions<Options extends OptionValues>(
  command: Command<[], Options>,
): Command<[], Options & ServiceOptions> {
  const inAgent = createOptionGroup('Real agent instead of the scripted one:');
  const inLinear = createOptionGroup('Board in Linear:');
  const inGithub = createOptionGroup('Board or code on GitHub:');
  const options = [
    inAgent('--agent <AGENT>', 'Agent to use: claude-code, opencode or codex; it must be logged in'),
    inAgent('--model <MODEL>', 'Model that the agent uses'),
    inAgent('--model-url <URL>', 'URL of the model’s API, such as a gateway or your own model'),
    inAgent(
      '--key-variable <NAME>',
      'Environment variable with the API key for --linear-url or, without it, for --model-url',
    ),
    inLinear('--linear-url <URL>', 'URL of Linear’s API or of a simulator (`npm run linear -- --demo`)'),
    inLinear('--team <KEY>', 'Team to use as the board; it must have no open issues'),
    inGithub('--github-url <URL>', 'URL of GitHub or of a simulator (`npm run github -- --demo`)'),
    inGithub('--project <OWNER/NUMBER>', 'Project to use as the board; not with --linear-url'),
    inGithub('--repo <OWNER/NAME>', 'Repository with the sample project on its main branch'),
    inGithub(
      '--token-variable <NAME>',
      'Environment variable with your token; NAME_IMPL and NAME_REVIEW may hold the tokens of the roles',
    ),
  ];
  for (const option of options) command.addOption(option);
  return command as unknown as Command<[], Options & ServiceOptions>;
}

function createOptionGroup(heading: string) {
  return (flags: string, description: string) => new Option(flags, description).helpGroup(heading);
}

export interface ParsedServiceOptions {
  readonly linear: ParsedLinearOptions | undefined;
  readonly github: DemoGithub | undefined;
}

/** Parses the options that specify a Linear team, or a GitHub project and repository. */
export function parseServiceOptions(
  options: LinearOptions & GithubOptions,
  context: CommandContext,
): ParsedServiceOptions {
  const linear = parseLinearOptions(options, context);
  return { linear, github: parseGithubOptions(options, context, linear !== undefined) };
}

/**
 * Opens the board that the options specify. Loads GitHub and Linear code only if needed. `folder`
 * is the demo's directory.
 */
export async function openDemoBoard(
  { linear, github }: ParsedServiceOptions,
  folder: string,
  context: CommandContext,
): Promise<DemoBoard> {
  const withCreationProgress = (board: () => Promise<DemoBoard>) =>
    withProgress(context, 'creating the issues', board);
  if (linear !== undefined) {
    const { openDemoLinearBoard } = await import('./demo/linear-board.ts');
    return withCreationProgress(() => openDemoLinearBoard(linear, github, folder, context));
  }
  if (github?.project === undefined) return createDemoLocalBoard();
  const { openDemoGithubBoard } = await import('./demo/github-board.ts');
  const { project } = github;
  return withCreationProgress(() => openDemoGithubBoard({ ...github, project }, folder, context));
}

/** Real agents that a demo can use. */
const REAL_AGENTS: readonly string[] = ['claude-code', 'opencode', 'codex'];

type AgentOptions = {
  readonly agent?: string;
  readonly model?: string;
  readonly modelUrl?: string;
  readonly keyVariable?: string;
};

/**
 * If `isLinearKey` is true, --key-variable specifies the variable with Linear's key, which must
 * never reach a model.
 */
function parseAgentOptions(
  { agent, model, ...options }: AgentOptions,
  isLinearKey: boolean,
): DemoAgent | undefined {
  const { modelUrl: url } = options;
  const keyVariable = isLinearKey ? undefined : options.keyVariable;
  if (agent === undefined) {
    if ([model, url, keyVariable].some((value) => value !== undefined))
      throw new LegionError(
        'usage.invalid',
        '--model and --model-url need --agent. --key-variable needs --agent or --linear-url.',
      );
    return undefined;
  }
  if (!REAL_AGENTS.includes(agent))
    throw new LegionError(
      'usage.invalid',
      `--agent takes ${REAL_AGENTS.join(', ')}, got ${quoteText(agent)}.`,
    );
  return { agent, model, url, keyVariable };
}
