/**
 * Defines commands that query the daemon and show the result: as text to people, as JSON to
 * programs.
 */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { LegionError } from '../../core/model/fault.ts';
import { createDaemonClient, type DaemonClient } from '../daemon-client.ts';
import { findRunningLocation, type LegionLocation, showLocationNotes } from '../legion-location.ts';
import { getOperatorName } from '../parse-names.ts';
import { getTerminalColumns, UNLIMITED_COLUMNS, withProgress } from '../present/terminal.ts';
import {
  addJsonOption,
  addLocationOptions,
  type CliCommand,
  type CommandContext,
  defineCommand,
  type ParsedArgs,
} from './define-command.ts';

export interface CommandSession {
  readonly daemon: DaemonClient;
  /** Name of the operator, as the journal records it. */
  readonly by: string;
  readonly location: LegionLocation;
  /** True if a program reads the output. */
  readonly json: boolean;
  /** Width of the terminal. Unlimited if a program reads the output. */
  readonly columns: number;
  readonly context: CommandContext;
}

export interface CommandResult {
  /** Value that --json prints. If undefined, --json prints nothing. */
  readonly data: unknown;
  readonly text: string;
  /** Set if the text does not come from Legion and must be printed unchanged. */
  readonly isVerbatim?: true;
  /** Exit code. 0 if absent. */
  readonly exit?: number;
}

export function daemonCommand<Positionals extends unknown[], Options extends OptionValues>(
  build: () => Command<Positionals, Options>,
  ask: (parsed: ParsedArgs<Positionals, Options>, session: CommandSession) => Promise<CommandResult>,
  prepareArgs?: CliCommand['prepareArgs'],
): CliCommand {
  return defineCommand(
    () => addLocationOptions(addJsonOption(build())),
    async (parsed, context) => {
      const json = parsed.options.json === true;
      const location = findRunningLocation(context, parsed.options);
      if (!json) showLocationNotes(location, context);
      const columns = getTerminalColumns(context.stdout);
      const { legion } = location.resolved.config;
      const daemon = withWaitProgress(
        createDaemonClient(location.state, context.signal, legion),
        legion,
        context,
      );
      const session = { daemon, by: getOperatorName(), location, json, columns, context };
      const result = await ask(parsed, session).catch((error: unknown) => throwWithSuggestion(error, daemon));
      context.stdout.write(
        json ? toJsonLine(result.data) : ensureFinalNewline(await wrapResult(result, columns)),
      );
      return result.exit;
    },
    prepareArgs,
  );
}

/** Shows progress for each request separately, because a prompt may appear between two requests. */
function withWaitProgress(daemon: DaemonClient, legion: string, context: CommandContext): DaemonClient {
  const label = `waiting for ${legion}`;
  return {
    get file() {
      return daemon.file;
    },
    call: (...args) => withProgress(context, label, () => daemon.call(...args)),
    callEarly: (...args) => withProgress(context, label, () => daemon.callEarly(...args)),
    text: (path) => withProgress(context, label, () => daemon.text(path)),
    open: daemon.open,
  };
}

/**
 * Wraps the text. The code is imported only for a terminal, because loading it takes longer than
 * most commands run.
 */
async function wrapResult({ text, isVerbatim }: CommandResult, columns: number): Promise<string> {
  if (isVerbatim === true || columns === UNLIMITED_COLUMNS) return text;
  return (await import('../present/fit.ts')).wrapPage(text, columns);
}

function toJsonLine(data: unknown): string {
  return data === undefined ? '' : `${JSON.stringify(data)}\n`;
}

function ensureFinalNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Always rejects with the given error. If a similar issue id exists, adds the suggestion to the
 * error's message.
 */
async function throwWithSuggestion(error: unknown, daemon: DaemonClient): Promise<never> {
  if (!(error instanceof LegionError) || error.code !== 'tracker.issue_unknown') throw error;
  const [, unknownId = ''] = /^([^\s:]+)/.exec(error.message) ?? [];
  const intended = findIntendedId(unknownId, await readIssueIds(daemon));
  if (intended === undefined) throw error;
  throw new LegionError(error.code, `${error.message.replace(/\.$/, '')}. Did you mean ${intended}?`);
}

/** Suggests only an id with the same number. Suggesting SHOP-9 for SHOP-99 would be a guess. */
function findIntendedId(unknownId: string, ids: readonly string[]): string | undefined {
  const number = extractNumber(unknownId);
  const matches = number === undefined ? [] : ids.filter((id) => extractNumber(id) === number);
  return matches.length === 1 ? matches[0] : undefined;
}

function extractNumber(id: string): string | undefined {
  return /(\d+)$/.exec(id)?.[1];
}

async function readIssueIds(daemon: DaemonClient): Promise<readonly string[]> {
  try {
    // Imported only after a wrong id, because loading these schemas takes longer than most
    // responses.
    const { dashboardEndpoints } = await import('../../protocol/endpoints/dashboard.ts');
    const { cards } = await daemon.call(dashboardEndpoints.board, { query: { finished: 'all' } });
    return cards.map(({ id }) => id);
  } catch (error) {
    if (error instanceof LegionError) return [];
    throw error;
  }
}
