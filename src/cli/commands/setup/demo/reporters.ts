/**
 * Presents a running demo: as a live board at a terminal, with one row per issue below the log, or
 * as a plain log.
 */

import type { Writable } from 'node:stream';
import { type DemoHistory, formatAttemptName, type IssueHistory } from '../../../../demo/history.ts';
import type { Narration, NarrationMood } from '../../../../demo/narrate.ts';
import type { NumberedStory } from '../../../../demo/stories.ts';
import {
  formatColumn,
  renderScreenLine,
  type ScreenLine,
  type TextSegment,
  type TextStyle,
  toSegment,
  toStyledSegment,
} from '../../../present/table.ts';
import type { CommandContext } from '../../../program/define-command.ts';

export interface DemoReporter {
  /** Reports a step of the demo itself. */
  reportStep(text: string): void;
  /** Reports an action of the demo's person, on one issue or on the whole legion. */
  reportPersonAct(issue: string | undefined, text: string): void;
  narrate(sentence: Narration, at: number): void;
  updateBoard(history: DemoHistory): void;
  /** Restores the terminal. Calling it twice is safe. */
  close(): void;
}

export const SILENT_REPORTER: DemoReporter = {
  reportStep: () => undefined,
  reportPersonAct: () => undefined,
  narrate: () => undefined,
  updateBoard: () => undefined,
  close: () => undefined,
};

/** Ten redraws a second: events come in bursts, and people cannot read faster than that. */
const REDRAW_MS = 100;
/** Used if the terminal does not report its width. */
const USUAL_COLUMNS = 80;
/** Enough for any sentence. */
const MAX_SENTENCE_COLUMNS = 400;
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';

export function openLiveBoard(
  stdout: CommandContext['stdout'],
  stories: readonly NumberedStory[],
): DemoReporter {
  const startedAt = Date.now();
  const latest = new Map<string, Narration>();
  let history: DemoHistory | undefined;
  let drawn = 0;
  let timer: NodeJS.Timeout | undefined;

  function renderErase(): string {
    return drawn === 0 ? '' : `\r\u001b[${drawn}A${CLEAR_BELOW}`;
  }
  function draw(linesAbove: readonly ScreenLine[] = []): void {
    const board =
      history === undefined ? [] : renderLiveBoard(history, stories, latest, Date.now() - startedAt);
    // Log lines may wrap. Board lines must not wrap, because redrawing counts each as one terminal
    // row.
    const columns = (stdout.columns ?? USUAL_COLUMNS) - 1;
    const text = [
      ...linesAbove.map((line) => renderScreenLine(line, MAX_SENTENCE_COLUMNS)),
      ...board.map((line) => renderScreenLine(line, columns)),
    ];
    stdout.write(`${renderErase()}${text.map((line) => `${line}\n`).join('')}`);
    drawn = board.length;
  }
  /** Redraws the board at a fixed interval while it is shown, so that its clock advances. */
  function tick(): void {
    draw();
    timer = setTimeout(tick, REDRAW_MS);
  }
  const printAbove = (line: ScreenLine) => draw([[toElapsedSegment(Date.now() - startedAt), ...line]]);

  return {
    reportStep: (text) => printAbove([toStyledSegment('dim', text)]),
    reportPersonAct: (issue, text) => printAbove(renderPersonLine(issue, text)),
    narrate: (sentence) => {
      latest.set(sentence.issue, sentence);
      // Unusual events are also printed above the board, where they stay visible.
      if (sentence.mood !== 'plain') printAbove(renderNarrationLine(sentence));
    },
    updateBoard: (now) => {
      history = now;
      if (timer !== undefined) return;
      stdout.write(HIDE_CURSOR);
      tick();
    },
    close: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      draw();
      stdout.write(SHOW_CURSOR);
      drawn = 0;
      history = undefined;
    },
  };
}

function renderLiveBoard(
  history: DemoHistory,
  stories: readonly NumberedStory[],
  latest: ReadonlyMap<string, Narration>,
  elapsed: number,
): readonly ScreenLine[] {
  const done = stories.filter(({ id }) => history.getIssue(id).status === 'Done').length;
  return [
    [],
    [toElapsedSegment(elapsed), toStyledSegment('bold', `${done} of ${stories.length} issues are Done`)],
    ...stories.map(({ id, title }) => renderIssueLine(id, title, history.getIssue(id), latest.get(id))),
  ];
}

/** Widths of the status and the worker: enough for `Needs Review` and `implement #2`. */
const STATUS_WIDTH = 12;

const WORKER_WIDTH = 12;

function renderIssueLine(
  id: string,
  title: string,
  history: IssueHistory,
  narration: Narration | undefined,
): ScreenLine {
  const { status } = history;
  return [
    toSegment(`  ${id}  `),
    { text: formatColumn(status, STATUS_WIDTH), style: status === 'Done' ? 'green' : undefined },
    toStyledSegment('cyan', ` ${formatColumn(describeActiveWorker(history), WORKER_WIDTH)}  `),
    toLatestSegment(title, history, narration),
  ];
}

/** Git's usual abbreviation. */
const SHORT_SHA = 7;

function toLatestSegment(
  title: string,
  { status, merged }: IssueHistory,
  narration: Narration | undefined,
): TextSegment {
  if (status === 'Done' && merged !== undefined)
    return toSegment(`merged as ${merged.sha.slice(0, SHORT_SHA)}`);
  return narration === undefined ? toSegment(title) : toNarrationSegment(narration);
}

/** Returns the attempt that is running now. */
function describeActiveWorker(history: IssueHistory): string {
  const live = history.attempts.findLast(({ end, exited }) => end === undefined && !exited);
  return live === undefined ? '' : formatAttemptName(live, history);
}

/** Wide enough for a whole sentence, because log lines are not truncated. */
const LOG_COLUMNS = 400;

/** Prints the demo as a log: one line per step, with the seconds since the start. */
export function openLogReporter(stdout: Writable): DemoReporter {
  const startedAt = Date.now();
  const print = (line: ScreenLine, at = Date.now()) =>
    stdout.write(`${renderScreenLine([toElapsedSegment(at - startedAt), ...line], LOG_COLUMNS)}\n`);
  return {
    ...SILENT_REPORTER,
    reportStep: (text) => print([toSegment(`demo    ${text}`)]),
    reportPersonAct: (issue, text) => print(renderPersonLine(issue, text)),
    narrate: (sentence, at) => print(renderNarrationLine(sentence), at),
  };
}

const MOOD_STYLES: Readonly<Record<NarrationMood, TextStyle | undefined>> = {
  plain: undefined,
  good: 'green',
  bad: 'red',
  person: 'yellow',
};

/** Formats the seconds since the start of the demo. */
function toElapsedSegment(ms: number): TextSegment {
  return toStyledSegment('dim', `${(Math.max(0, ms) / 1_000).toFixed(1).padStart(6)}s  `);
}

function renderPersonLine(issue: string | undefined, text: string): ScreenLine {
  return [toIssueSegment(issue), toStyledSegment('yellow', `you (played by the demo): ${text}`)];
}

function renderNarrationLine(sentence: Narration): ScreenLine {
  return [toIssueSegment(sentence.issue), toNarrationSegment(sentence)];
}

function toNarrationSegment({ text, mood }: Narration): TextSegment {
  return { text, style: MOOD_STYLES[mood] };
}

function toIssueSegment(issue = ''): TextSegment {
  return toSegment(`${issue.padEnd(7)} `);
}
