/** A command that asks the daemon and shows the result: as text to people, as JSON to programs. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { LegionError } from '../../core/model/fault.ts';
import type { CliCommand, CommandContext, ParsedArgs } from '../command.ts';
import { type DaemonClient, daemonClient } from '../daemon-client.ts';
import { findRunningPlace, type Place } from '../legion-location.ts';
import { operatorName } from '../operator.ts';
import { showPlaceNotes } from '../place-notes.ts';
import { withProgress } from '../present/progress.ts';
import { terminalColumns, UNLIMITED_COLUMNS } from '../present/terminal-columns.ts';
import { defineCommand } from './define-command.ts';
import { addJsonOption, addPlaceOptions } from './options.ts';

export interface CommandSession {
  readonly daemon: DaemonClient;
  /** Who asks, as the journal records it. */
  readonly by: string;
  readonly place: Place;
  /** A program reads the output. */
  readonly json: boolean;
  /** The width of the terminal; unlimited where a program reads the output. */
  readonly columns: number;
  readonly context: CommandContext;
}

export interface CommandResult {
  /** What --json prints; nothing if undefined. */
  readonly data: unknown;
  readonly text: string;
  /** The text is not Legion's own and is printed as it is. */
  readonly isVerbatim?: true;
  /** 0 if absent. */
  readonly exit?: number;
}

export function daemonCommand<Positionals extends unknown[], Options extends OptionValues>(
  build: () => Command<Positionals, Options>,
  ask: (parsed: ParsedArgs<Positionals, Options>, session: CommandSession) => Promise<CommandResult>,
  prepareArgs?: CliCommand['prepareArgs'],
): CliCommand {
  return defineCommand(
    () => addPlaceOptions(addJsonOption(build())),
    async (parsed, context) => {
      const json = parsed.options.json === true;
      const place = findRunningPlace(context, parsed.options);
      if (!json) showPlaceNotes(place, context);
      const columns = terminalColumns(context.stdout);
      const { legion } = place.resolved.config;
      const daemon = showWaits(daemonClient(place.state, context.signal, legion), legion, context);
      const session = { daemon, by: operatorName(), place, json, columns, context };
      const result = await ask(parsed, session).catch((error: unknown) => suggestIssue(error, daemon));
      context.stdout.write(json ? toJsonLine(result.data) : endLine(await fitText(result, columns)));
      return result.exit;
    },
    prepareArgs,
  );
}

/** For each request by itself: between two of them a person may be asked something. */
function showWaits(daemon: DaemonClient, legion: string, context: CommandContext): DaemonClient {
  const what = `waiting for ${legion}`;
  return {
    get file() {
      return daemon.file;
    },
    call: (...given) => withProgress(context, what, () => daemon.call(...given)),
    callEarly: (...given) => withProgress(context, what, () => daemon.callEarly(...given)),
    text: (path) => withProgress(context, what, () => daemon.text(path)),
    open: daemon.open,
  };
}

/** Imported only for a terminal: measuring text takes longer to load than most commands run. */
async function fitText({ text, isVerbatim }: CommandResult, columns: number): Promise<string> {
  if (isVerbatim === true || columns === UNLIMITED_COLUMNS) return text;
  return (await import('../present/fit.ts')).wrapPage(text, columns);
}

function toJsonLine(data: unknown): string {
  return data === undefined ? '' : `${JSON.stringify(data)}\n`;
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Rejects with the error, whatever happens: a suggestion is only a help. */
async function suggestIssue(error: unknown, daemon: DaemonClient): Promise<never> {
  if (!(error instanceof LegionError) || error.code !== 'tracker.issue_unknown') throw error;
  const [, wrong = ''] = /^([^\s:]+)/.exec(error.message) ?? [];
  const meant = findMeant(wrong, await readIds(daemon));
  if (meant === undefined) throw error;
  throw new LegionError(error.code, `${error.message.replace(/\.$/, '')}. Did you mean ${meant}?`);
}

/** Only an id of the same number: of SHOP-99 and SHOP-9, nobody knows which was meant. */
function findMeant(wrong: string, ids: readonly string[]): string | undefined {
  const number = readNumber(wrong);
  const found = number === undefined ? [] : ids.filter((id) => readNumber(id) === number);
  return found.length === 1 ? found[0] : undefined;
}

function readNumber(id: string): string | undefined {
  return /(\d+)$/.exec(id)?.[1];
}

async function readIds(daemon: DaemonClient): Promise<readonly string[]> {
  try {
    // Only a wrong id needs it: its schemas take longer to load than most answers.
    const { dashboardEndpoints } = await import('../../protocol/endpoints/dashboard.ts');
    const { cards } = await daemon.call(dashboardEndpoints.board, { query: { finished: 'all' } });
    return cards.map(({ id }) => id);
  } catch (error) {
    if (error instanceof LegionError) return [];
    throw error;
  }
}
