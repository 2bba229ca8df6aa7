/** A command that asks the daemon and shows the answer: as text to a person, as JSON to a machine. */
import type { Command, CommandContext } from '../command.ts';
import { type DaemonClient, daemonClient } from '../daemon-client.ts';
import type { Form, Given } from '../form.ts';
import { formed } from '../formed.ts';
import { operatorName } from '../operator.ts';
import { findRunningPlace, type Place } from '../place.ts';
import { showPlaceNotes } from '../place-notes.ts';
import { terminalColumns, wrapPage } from '../present/fit.ts';
import { withProgress } from '../present/progress.ts';

/** What every command that looks for a legion takes. */
export const PLACE_OPTIONS = {
  legion: { value: 'NAME', says: 'another legion than the one of this folder' },
  config: { value: 'FILE', says: 'its legion.yaml; default: the next one from here upwards' },
} as const;

export const JSON_OPTION = { json: { says: 'JSON instead of text' } } as const;

export interface CommandSession {
  readonly daemon: DaemonClient;
  /** Who asks, as the journal will have it. */
  readonly by: string;
  readonly place: Place;
  /** A machine reads what is printed. */
  readonly json: boolean;
  /** The width of the terminal; unlimited where a program reads the output. */
  readonly columns: number;
  readonly context: CommandContext;
}

export interface CommandResult {
  /** What --json prints; nothing where it is undefined. */
  readonly data: unknown;
  readonly text: string;
  /** The text is not Legion's own and is printed as it is. */
  readonly isVerbatim?: true;
  /** 0 where it is absent. */
  readonly exit?: number;
}

type WithCommonOptions<F extends Form> = F & {
  readonly options: typeof PLACE_OPTIONS & typeof JSON_OPTION;
};

export function daemonCommand<const F extends Form>(
  form: F,
  ask: (given: Given<F>, session: CommandSession) => Promise<CommandResult>,
): Command & { readonly form: Form } {
  const whole = {
    ...form,
    options: { ...form.options, ...JSON_OPTION, ...PLACE_OPTIONS },
  } as WithCommonOptions<F>;
  return formed<Form>(whole, async (given, context) => {
    const { json, ...flags } = given.options as Given<WithCommonOptions<Form>>['options'];
    const place = findRunningPlace(context, flags);
    if (!json) showPlaceNotes(place, context);
    const { legion } = place.resolved.config;
    const daemon = showingWaits(daemonClient(place.state, context.signal, legion), legion, context);
    const columns = terminalColumns(context.stdout);
    const answer = await ask(given as Given<F>, {
      daemon,
      by: operatorName(),
      place,
      json,
      columns,
      context,
    });
    const text = answer.isVerbatim === true ? answer.text : wrapPage(answer.text, columns);
    context.stdout.write(json ? line(answer.data) : ended(text));
    return answer.exit;
  });
}

/** Each request by itself: between two of them a person may be asked something. */
function showingWaits(daemon: DaemonClient, legion: string, context: CommandContext): DaemonClient {
  const what = `waiting for ${legion}`;
  return {
    get file() {
      return daemon.file;
    },
    call: (...given) => withProgress(context, what, () => daemon.call(...given)),
    request: (...given) => withProgress(context, what, () => daemon.request(...given)),
    text: (path) => withProgress(context, what, () => daemon.text(path)),
    open: daemon.open,
  };
}

function line(data: unknown): string {
  return data === undefined ? '' : `${JSON.stringify(data)}\n`;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
