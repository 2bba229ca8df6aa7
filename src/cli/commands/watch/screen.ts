/** Watching at a terminal: draws the scene anew when something happens, at most four times a second. */
import { LegionError } from '../../../domain/fault.ts';
import type { CommandContext } from '../../command.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import type { SentEvent } from '../../event-stream.ts';
import { rendered } from '../../present/line.ts';
import { follow } from './follow.ts';
import { layout } from './layout.ts';
import { type Picture, readPicture } from './picture.ts';
import { openTerminal } from './terminal.ts';

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
