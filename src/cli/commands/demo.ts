/** `legion demo`: a sample repository, six issues, real workers, and a summary of what became of them. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { AGENT_KINDS } from '../../config/legion/work.ts';
import { LegionError, shown } from '../../core/model/fault.ts';
import { openAgents } from '../../daemon/compose-agents.ts';
import type { DemoAgent } from '../../demo/configuration.ts';
import { layOut } from '../../demo/lay-out.ts';
import type { NumberedStory } from '../../demo/stories.ts';
import type { CommandContext } from '../command.ts';
import { isAbort } from '../interruption.ts';
import { launcher } from '../launcher.ts';
import { printJson, printPage } from '../present/print.ts';
import { withProgress } from '../present/progress.ts';
import { terminalColumns } from '../present/terminal-columns.ts';
import { defineCommand } from '../program/define-command.ts';
import { addJsonOption, examples, parseWholeNumber } from '../program/options.ts';
import type { GithubOptions } from './demo/github-options.ts';
import type { LinearOptions } from './demo/linear-options.ts';
import { openLiveBoard } from './demo/live-board.ts';
import { openLog } from './demo/log.ts';
import { openDemoBoard, servicesGiven } from './demo/open-board.ts';
import { runDemo } from './demo/run.ts';
import { type Show, SILENT } from './demo/show.ts';
import { summaryPage } from './demo/summary-page.ts';
import { verdictOn } from './demo/verdict.ts';

/** Twice what it may take on a small, busy machine: what takes longer hangs, and then the reasons are worth more. */
const WITHIN_S = 180;
/** A real agent thinks for minutes where the scripted one plays for seconds. */
const WITHIN_REAL_S = 2_700;
/** An hour: longer than anybody watches. */
const WITHIN_MOST_S = 3_600;

export const demo = defineCommand(
  () =>
    addServiceOptions(
      addJsonOption(
        new Command()
          .description(
            'Make a small sample repository with six issues and take them all to Done with scripted agents: real processes, real commits, real tests. It needs no account and writes into one folder only, unless it is given GitHub or Linear. It also plays the person: it clarifies an issue, answers a question and approves a merge. The folder stays, so that you can look at the result.',
          )
          .option('--folder <DIR>', 'A new or empty folder for everything (default: a temporary one)')
          .option(
            '--keep',
            'Leave the daemon running at the end, to look at with `legion explain` and others',
          )
          .option(
            '--open',
            'Show it on the dashboard in your browser; leaves the daemon running, as --keep does',
          )
          .option('--rm', 'Remove the folder if all went well')
          .option(
            '--within <SECONDS>',
            `Give up after this time (default: ${WITHIN_S}, with a real agent ${WITHIN_REAL_S})`,
            parseWholeNumber('--within', 1),
          ),
      ),
    ).addHelpText('after', examples('legion demo', 'legion demo --open', 'legion demo --agent claude-code')),
  async ({ options }, context) => {
    const { open, rm = false, json = false } = options;
    // A page whose daemon has ended would show nothing.
    const keep = options.keep === true || open === true;
    if (keep && rm) {
      throw new LegionError(
        'usage.invalid',
        `--${open === true ? 'open' : 'keep'} and --rm exclude each other`,
      );
    }
    const services = servicesGiven(options, context);
    const agent = agentGiven(options, services.linear !== undefined);
    const usual = agent === undefined ? WITHIN_S : WITHIN_REAL_S;
    const withinMs = 1_000 * checkSeconds(options.within ?? usual);
    if (agent !== undefined) await refuseUnready(agent, context);
    const folder = claimFolder(options.folder, context.cwd);
    const board = await openDemoBoard(services, folder, context);
    const { stories, surroundings } = board;
    const show = chooseShow(context, json, stories);
    const given = context.env;
    const run = async () => {
      const place = await layOut({ folder, launcher: launcher(), given, stories, agent, surroundings });
      return runDemo(place, board, { keep, open: open === true, withinMs }, show, context);
    };
    const result = await (json ? withProgress(context, 'the demo runs', run) : run())
      .catch((error: unknown) => {
        if (!json && isAbort(error, context.signal))
          context.stderr.write(`legion: interrupted; nothing of the demo runs any more, ${folder} stays\n`);
        throw error;
      })
      .finally(() => board.close());
    const { summary } = result;
    if (json) printJson(context, summary);
    else printPage(context, summaryPage(summary, rm && summary.ok, terminalColumns(context.stdout)));
    if (rm && summary.ok) rmSync(folder, { recursive: true, force: true });
    return verdictOn(result, withinMs);
  },
);

function checkSeconds(seconds: number): number {
  if (seconds <= WITHIN_MOST_S) return seconds;
  throw new LegionError('usage.invalid', `--within takes at most ${WITHIN_MOST_S} seconds, got ${seconds}`);
}

/** The rows of the board, what is said above it and a line to spare; in a lower terminal it could not be drawn over. */
const LEAST_ROWS = 14;

/** How the demo is shown: a live board at a terminal, a line a step elsewhere, nothing beside JSON. */
function chooseShow({ stdout }: CommandContext, json: boolean, stories: readonly NumberedStory[]): Show {
  if (json) return SILENT;
  const isRoomy = stdout.isTTY === true && (stdout.rows ?? LEAST_ROWS) >= LEAST_ROWS;
  return isRoomy ? openLiveBoard(stdout, stories) : openLog(stdout);
}

/** The folder a demo gets: a new one for temporary files, or the one that was named, if there is nothing in it. */
function claimFolder(named: string | undefined, cwd: string): string {
  const path = named === undefined ? join(tmpdir(), 'legion-demo-') : resolve(cwd, named);
  try {
    if (named === undefined) return realpathSync(mkdtempSync(path));
    mkdirSync(path, { recursive: true });
    if (readdirSync(path).length === 0) return realpathSync(path);
  } catch (error) {
    throw new LegionError('demo.folder_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
  throw new LegionError('demo.folder_taken', `${path} has something in it`);
}

/** Refuses a demo on an agent that cannot work, before anything is laid out: its issues would wait for it until the demo gives up. */
async function refuseUnready(demo: DemoAgent, { env, signal }: CommandContext): Promise<void> {
  const kind = AGENT_KINDS.find((each) => each === demo.agent);
  if (kind === undefined) return;
  // A preflight leaves nothing where it is told that sessions are kept.
  const place = { launcher: launcher(), state: tmpdir(), folder: tmpdir(), environment: env };
  const { model, url, keyVariable } = demo;
  const endpoint = url === undefined ? undefined : { url, keyVariable };
  const found = await openAgents(place)(kind).preflight(signal, { model, endpoint });
  if (!found.ready) throw new LegionError('agent.not_ready', `${found.problem}. ${found.next}`);
}

type ServiceOptions = AgentOptions & GithubOptions & LinearOptions;

/** The options of `legion demo` that name an agent, a GitHub or a Linear. */
function addServiceOptions<Options extends OptionValues>(
  command: Command<[], Options>,
): Command<[], Options & ServiceOptions> {
  const inAgent = inGroup('A real agent instead of the scripted one:');
  const inLinear = inGroup('The board in a Linear:');
  const inGithub = inGroup('On a GitHub:');
  const options = [
    inAgent('--agent <AGENT>', 'claude-code, opencode or codex; it must be logged in'),
    inAgent('--model <MODEL>', 'Model of the agent'),
    inAgent('--model-url <URL>', 'Address of the model’s API, such as a gateway or your own model'),
    inAgent(
      '--key-variable <NAME>',
      'Environment variable that holds the key for --linear-url or, without it, for --model-url',
    ),
    inLinear('--linear-url <URL>', 'Put the issues there, for example `npm run linear -- --demo`'),
    inLinear('--team <KEY>', 'Team that is the board; it may have no open issues'),
    inGithub('--github-url <URL>', 'Use this GitHub, for example `npm run github -- --demo`'),
    inGithub('--project <OWNER/NUMBER>', 'Project that is the board; not with --linear-url'),
    inGithub('--repo <OWNER/NAME>', 'Repository with the sample project on its branch main'),
    inGithub(
      '--token-variable <NAME>',
      'Environment variable with your token; NAME_IMPL and NAME_REVIEW may hold those of the roles',
    ),
  ];
  for (const option of options) command.addOption(option);
  return command as unknown as Command<[], Options & ServiceOptions>;
}

function inGroup(heading: string) {
  return (flags: string, description: string) => new Option(flags, description).helpGroup(heading);
}

/** The real agent a demo is to be played with, from its options. */
const REAL_AGENTS: readonly string[] = ['claude-code', 'opencode', 'codex'];

type AgentOptions = {
  readonly agent?: string;
  readonly model?: string;
  readonly modelUrl?: string;
  readonly keyVariable?: string;
};

/** `isKeyLinears`: the variable holds no key for a model, and none must reach one. */
function agentGiven(
  { agent, model, ...options }: AgentOptions,
  isKeyLinears: boolean,
): DemoAgent | undefined {
  const { modelUrl: url } = options;
  const keyVariable = isKeyLinears ? undefined : options.keyVariable;
  if (agent === undefined) {
    if ([model, url, keyVariable].some((given) => given !== undefined))
      throw new LegionError(
        'usage.invalid',
        '--model and --model-url need --agent; --key-variable needs it, or --linear-url',
      );
    return undefined;
  }
  if (!REAL_AGENTS.includes(agent))
    throw new LegionError('usage.invalid', `--agent takes ${REAL_AGENTS.join(', ')}, got ${shown(agent)}`);
  return { agent, model, url, keyVariable };
}
