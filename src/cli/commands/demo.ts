/** `legion demo`: a sample repository, six issues, real workers, and a summary of what became of them. */
import { rmSync } from 'node:fs';
import type { DemoAgent } from '../../demo/configuration.ts';
import { layOut } from '../../demo/lay-out.ts';
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import { wholeNumber } from '../arguments.ts';
import { JSON_OPTION } from '../asking.ts';
import { formed } from '../formed.ts';
import { isAbort } from '../interruption.ts';
import { launcher } from '../launcher.ts';
import { withProgress } from '../present/progress.ts';
import { ownBoard } from './demo/board.ts';
import { chooseShow } from './demo/choose-show.ts';
import { claimFolder } from './demo/folder.ts';
import { githubBoard } from './demo/github-board.ts';
import { GITHUB_OPTIONS, githubGiven } from './demo/github-options.ts';
import { refuseUnready } from './demo/refuse-unready.ts';
import { runDemo } from './demo/run.ts';
import { summaryPage } from './demo/summary-page.ts';
import { verdictOn } from './demo/verdict.ts';

/** Twice what it may take on a small, busy machine: what takes longer hangs, and then the reasons are worth more. */
const WITHIN_S = 180;
/** A real agent thinks for minutes where the scripted one plays for seconds. */
const WITHIN_REAL_S = 2_700;
/** An hour: longer than anybody watches. */
const WITHIN_MOST_S = 3_600;

export const demo = formed(
  {
    name: 'demo',
    says: [
      'Makes a small sample repository with six issues and runs them all to Done with scripted agents: real processes,',
      'real commits, real tests. It needs no account and writes into one folder only, unless it is told of a GitHub. It',
      'also plays the person: it clarifies an issue, answers a question and approves a merge. The folder stays, so that',
      'you can look at the result.',
    ].join('\n'),
    options: {
      folder: {
        value: 'DIR',
        says: 'a new or empty folder for everything; default: one for temporary files',
      },
      keep: {
        says: 'leave the daemon running when all is done, to look at with `legion explain` and the like',
      },
      rm: { says: 'remove the folder when all went well' },
      agent: {
        value: 'AGENT',
        says: 'claude-code, opencode or codex instead of the scripted agent; it must be logged in',
      },
      model: { value: 'MODEL', says: 'the model it is to use' },
      'model-url': {
        value: 'URL',
        says: 'where that model’s API is, such as a gateway or a model of your own',
      },
      'key-variable': { value: 'NAME', says: 'the environment variable with the key to that address' },
      ...GITHUB_OPTIONS,
      within: {
        value: 'SECONDS',
        says: `give up after so long; default: ${WITHIN_S}, with a real agent ${WITHIN_REAL_S}`,
      },
      ...JSON_OPTION,
    },
  },
  async ({ options }, context) => {
    const { keep, rm, json } = options;
    if (keep && rm) throw new LegionError('usage.invalid', '--keep and --rm exclude each other');
    const agent = agentGiven(options);
    const github = githubGiven(options, context);
    const usual = agent === undefined ? WITHIN_S : WITHIN_REAL_S;
    const withinMs = 1_000 * (options.within === undefined ? usual : secondsGiven(options.within));
    if (agent !== undefined) await refuseUnready(agent, context);
    const folder = claimFolder(options.folder, context.cwd);
    const board =
      github === undefined
        ? ownBoard()
        : await withProgress(context, 'the issues are written', () => githubBoard(github, folder, context));
    const { stories } = board;
    const show = chooseShow(context, json, stories);
    const given = context.env;
    const run = async () => {
      const place = await layOut({ folder, launcher: launcher(), given, stories, agent, github });
      return runDemo(place, board, { keep, withinMs }, show, context);
    };
    const result = await (json ? withProgress(context, 'the demo runs', run) : run())
      .catch((error: unknown) => {
        if (!json && isAbort(error, context.signal))
          context.stderr.write(`legion: interrupted; nothing of the demo runs any more, ${folder} stays\n`);
        throw error;
      })
      .finally(() => board.close());
    const { summary } = result;
    const { columns } = context.stdout;
    context.stdout.write(
      json ? `${JSON.stringify(summary)}\n` : summaryPage(summary, rm && summary.ok, columns),
    );
    if (rm && summary.ok) rmSync(folder, { recursive: true, force: true });
    return verdictOn(result, withinMs);
  },
);

function secondsGiven(text: string): number {
  const seconds = wholeNumber('--within', text, 1);
  if (seconds <= WITHIN_MOST_S) return seconds;
  throw new LegionError('usage.invalid', `--within takes at most ${WITHIN_MOST_S} seconds, got ${seconds}`);
}

const REAL_AGENTS: readonly string[] = ['claude-code', 'opencode', 'codex'];

interface AgentOptions {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly 'model-url'?: string | undefined;
  readonly 'key-variable'?: string | undefined;
}

function agentGiven({ agent, model, ...options }: AgentOptions): DemoAgent | undefined {
  const { 'model-url': url, 'key-variable': keyVariable } = options;
  if (agent === undefined) {
    if ([model, url, keyVariable].some((given) => given !== undefined))
      throw new LegionError('usage.invalid', '--model, --model-url and --key-variable need --agent');
    return undefined;
  }
  if (!REAL_AGENTS.includes(agent))
    throw new LegionError('usage.invalid', `--agent takes ${REAL_AGENTS.join(', ')}, got ${shown(agent)}`);
  return { agent, model, url, keyVariable };
}
