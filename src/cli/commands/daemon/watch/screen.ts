/** Watching at a terminal: draws the scene anew when something happens, at most four times a second. */
import { LegionError } from '../../../../core/model/fault.ts';
import type { CommandContext } from '../../../command.ts';
import type { DaemonClient } from '../../../daemon-client.ts';
import type { SentEvent } from '../../../event-stream.ts';
import { rendered } from '../../../present/line.ts';
import { follow } from '../../watch/follow.ts';
import { layout } from '../../watch/layout.ts';
import { type Picture, readPicture } from '../../watch/picture.ts';

/** Four times a second: events come in bursts, and nobody reads faster. */
const REFRESH_MS = 250;
/** Ages on the screen are shown in seconds. */
const TICK_MS = 1_000;
/** More than any screen has room for. */
const EVENTS_KEPT = 60;

export async function watchScreen(state: string, context: CommandContext): Promise<void> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([context.signal, leaving.signal]);
  const happenings = follow(state, { back: EVENTS_KEPT }, signal);
  // The first answer comes before the screen is taken: an error there belongs to the shell.
  const first = await happenings.next();
  const terminal = openTerminal(context, { quit: () => leaving.abort(), resized: draw });

  let picture: Picture | undefined;
  let away: string | undefined;
  let events: readonly SentEvent[] = [];
  let daemon: DaemonClient | undefined;
  let failure: unknown;

  function draw(): void {
    const size = terminal.size();
    const lines = layout({ picture, events, away }, size, Date.now());
    // The last column stays free: clearing the rest of a full line would take its last letter.
    terminal.draw(lines.map((line) => rendered(line, size.columns - 1)));
  }
  const refresh = atMostEvery(REFRESH_MS, async () => {
    try {
      if (daemon !== undefined) picture = await readPicture(daemon);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof LegionError) away ??= error.message;
      else failure ??= error;
      if (failure !== undefined) leaving.abort();
    }
    if (!signal.aborted) draw();
  });
  const tick = setInterval(draw, TICK_MS);

  try {
    for (let next = first; next.done !== true; next = await happenings.next()) {
      const happening = next.value;
      if (happening.kind === 'away') {
        away = happening.why;
        draw();
        continue;
      }
      away = undefined;
      if (happening.kind === 'connected') ({ daemon } = happening);
      else events = [...events, happening.event].slice(-EVENTS_KEPT);
      refresh.soon();
    }
  } finally {
    clearInterval(tick);
    refresh.stop();
    terminal.close();
  }
  if (failure !== undefined) throw failure;
}

/** Runs `act` soon after it is asked for, never twice at once, and never more often than every `ms`. */
function atMostEvery(ms: number, act: () => Promise<void>): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let asked = false;
  let stopped = false;
  let last = Number.NEGATIVE_INFINITY;

  function soon(): void {
    asked = true;
    if (timer !== undefined || stopped) return;
    timer = setTimeout(run, Math.max(0, last + ms - performance.now()));
  }
  function run(): void {
    asked = false;
    last = performance.now();
    void act().finally(() => {
      timer = undefined;
      if (asked) soon();
    });
  }
  return {
    soon,
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

/** What a terminal sends for q, Q, Ctrl-C and Ctrl-D while nobody translates its keys. */
const QUIT_KEYS: ReadonlySet<string> = new Set(['q', 'Q', '\u0003', '\u0004']);

/** Of a terminal that does not say. */
const USUAL_SIZE = { columns: 80, rows: 24 };

interface Terminal {
  size(): { readonly columns: number; readonly rows: number };
  draw(lines: readonly string[]): void;
  close(): void;
}

interface TerminalListener {
  quit(): void;
  resized(): void;
}

/** Switches the terminal to full screen and restores its content at the end, even after an error. */
function openTerminal({ stdin, stdout }: CommandContext, listener: TerminalListener): Terminal {
  const onKeys = (keys: Buffer | string) => {
    if ([...keys.toString()].some((key) => QUIT_KEYS.has(key))) listener.quit();
  };
  stdout.write(ENTER);
  setRawMode(stdin, true);
  stdin.on('data', onKeys);
  stdin.resume();
  stdout.on('resize', listener.resized);
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
      stdout.off('resize', listener.resized);
      stdin.off('data', onKeys);
      setRawMode(stdin, false);
      stdin.pause();
      stdout.write(LEAVE);
    },
  };
}

/** Only a terminal has it. */
function setRawMode(stdin: CommandContext['stdin'], raw: boolean): void {
  (stdin as Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>).setRawMode?.(raw);
}
