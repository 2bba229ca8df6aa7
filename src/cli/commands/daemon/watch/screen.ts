/**
 * Shows the scene at a terminal and redraws it when something happens, at most four times a second.
 */
import { LegionError } from '../../../../core/model/fault.ts';
import { adminEndpoints } from '../../../../protocol/endpoints/admin.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { workerEndpoints } from '../../../../protocol/endpoints/workers.ts';
import type { DaemonClient } from '../../../daemon-client.ts';
import { renderScreenLine } from '../../../present/table.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { type SentEvent, watchEvents } from '../../../watch-events.ts';
import { type LegionSnapshot, renderScene } from './layout.ts';

/** Four times a second: events come in bursts, and people cannot read faster than that. */
const REFRESH_MS = 250;
/** Ages are shown in seconds, so the screen is redrawn every second. */
const TICK_MS = 1_000;
/** More than any screen can show. */
const MAX_EVENTS = 60;

export async function watchScreen(state: string, context: CommandContext): Promise<void> {
  const quitting = new AbortController();
  const signal = AbortSignal.any([context.signal, quitting.signal]);
  const updates = watchEvents(state, { back: MAX_EVENTS }, signal);
  // Waits for the first response before taking over the screen, so that an error appears in the
  // normal shell output.
  const first = await updates.next();
  const terminal = openTerminal(context, { onQuit: () => quitting.abort(), onResize: draw });

  let snapshot: LegionSnapshot | undefined;
  let connectionProblem: string | undefined;
  let events: readonly SentEvent[] = [];
  let daemon: DaemonClient | undefined;
  let failure: unknown;

  function draw(): void {
    const size = terminal.size();
    const lines = renderScene({ snapshot, events, away: connectionProblem }, size, Date.now());
    // Leaves the last column free. If a line filled the whole width, clearing the rest of the line
    // would erase its last character.
    terminal.draw(lines.map((line) => renderScreenLine(line, size.columns - 1)));
  }
  const refresh = createThrottledTask(REFRESH_MS, async () => {
    try {
      if (daemon !== undefined) snapshot = await readLegionSnapshot(daemon);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof LegionError) connectionProblem ??= error.message;
      else failure ??= error;
      if (failure !== undefined) quitting.abort();
    }
    if (!signal.aborted) draw();
  });
  const tick = setInterval(draw, TICK_MS);

  try {
    for (let next = first; next.done !== true; next = await updates.next()) {
      const update = next.value;
      if (update.kind === 'away') {
        connectionProblem = update.why;
        draw();
        continue;
      }
      connectionProblem = undefined;
      if (update.kind === 'connected') ({ daemon } = update);
      else events = [...events, update.event].slice(-MAX_EVENTS);
      refresh.soon();
    }
  } finally {
    clearInterval(tick);
    refresh.stop();
    terminal.close();
  }
  if (failure !== undefined) throw failure;
}

/**
 * Runs `task` soon after it is requested, never concurrently with itself, and at most once every
 * `ms`.
 */
function createThrottledTask(ms: number, task: () => Promise<void>): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let requested = false;
  let stopped = false;
  let last = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    requested = true;
    if (timer !== undefined || stopped) return;
    timer = setTimeout(run, Math.max(0, last + ms - performance.now()));
  }
  function run(): void {
    requested = false;
    last = performance.now();
    void task().finally(() => {
      timer = undefined;
      if (requested) schedule();
    });
  }
  return {
    soon: schedule,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_TO_END_OF_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Input that a raw-mode terminal sends for q, Q, Ctrl-C and Ctrl-D. */
const QUIT_KEYS: ReadonlySet<string> = new Set(['q', 'Q', '\u0003', '\u0004']);

/** Used if the terminal does not report its size. */
const USUAL_SIZE = { columns: 80, rows: 24 };

interface FullScreenTerminal {
  size(): { readonly columns: number; readonly rows: number };
  draw(lines: readonly string[]): void;
  close(): void;
}

interface TerminalListener {
  onQuit(): void;
  onResize(): void;
}

/** Switches the terminal to full screen and restores its content at the end, even after an error. */
function openTerminal({ stdin, stdout }: CommandContext, listener: TerminalListener): FullScreenTerminal {
  const onKeys = (keys: Buffer | string) => {
    if ([...keys.toString()].some((key) => QUIT_KEYS.has(key))) listener.onQuit();
  };
  stdout.write(ENTER);
  setRawMode(stdin, true);
  stdin.on('data', onKeys);
  stdin.resume();
  stdout.on('resize', listener.onResize);
  return {
    size: () => ({
      columns: stdout.columns ?? USUAL_SIZE.columns,
      rows: stdout.rows ?? USUAL_SIZE.rows,
    }),
    draw(lines) {
      const text = lines.map((line) => `${line}${CLEAR_TO_END_OF_LINE}`).join('\r\n');
      stdout.write(`${HOME}${text}${CLEAR_BELOW}`);
    },
    close() {
      stdout.off('resize', listener.onResize);
      stdin.off('data', onKeys);
      setRawMode(stdin, false);
      stdin.pause();
      stdout.write(LEAVE);
    },
  };
}

/**
 * Switches raw mode on or off. Does nothing for other streams, because only a terminal has this
 * method.
 */
function setRawMode(stdin: CommandContext['stdin'], raw: boolean): void {
  (stdin as Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>).setRawMode?.(raw);
}

/** Reads everything the screen shows from the daemon. */
export async function readLegionSnapshot(daemon: DaemonClient): Promise<LegionSnapshot> {
  const [health, issues, workers, inbox] = await Promise.all([
    daemon.call(adminEndpoints.health),
    daemon.call(issueEndpoints.list),
    daemon.call(workerEndpoints.list),
    daemon.call(adminEndpoints.inbox),
  ]);
  return { health, issues, workers, inbox };
}
