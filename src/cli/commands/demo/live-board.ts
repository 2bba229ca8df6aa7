/** The board of the demo at a terminal: one row an issue, drawn anew as things happen, below what was said for good. */
import { type Chronicle, type IssueCourse, nameOfLife } from '../../../demo/history.ts';
import type { NumberedStory } from '../../../demo/stories.ts';
import type { Told } from '../../../demo/telling.ts';
import type { CommandContext } from '../../command.ts';
import { column, type Line, type Piece, plain, rendered, styled } from '../../present/line.ts';
import type { Show } from './show.ts';
import { clock, personLine, toldLine, toldPiece } from './words.ts';

/** Ten times a second: events come in bursts, and nobody reads faster. */
const REDRAW_MS = 100;
/** Of a terminal that does not say. */
const USUAL_COLUMNS = 80;
/** A sentence, however long. */
const LASTING_COLUMNS = 400;
/** `Needs Review`, and `implement #2`. */
const STATUS_WIDTH = 12;
const WORKER_WIDTH = 12;
/** As git shows a commit to people. */
const SHORT_SHA = 7;

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';

export function openLiveBoard(stdout: CommandContext['stdout'], stories: readonly NumberedStory[]): Show {
  const began = Date.now();
  const latest = new Map<string, Told>();
  let chronicle: Chronicle | undefined;
  let drawn = 0;
  let timer: NodeJS.Timeout | undefined;

  function lift(): string {
    return drawn === 0 ? '' : `\r\u001b[${drawn}A${CLEAR_BELOW}`;
  }
  function draw(above: readonly Line[] = []): void {
    const board = chronicle === undefined ? [] : boardLines(chronicle, stories, latest, Date.now() - began);
    // What stays may wrap; a line of the board may not, because it is counted as one.
    const columns = (stdout.columns ?? USUAL_COLUMNS) - 1;
    const text = [
      ...above.map((line) => rendered(line, LASTING_COLUMNS)),
      ...board.map((line) => rendered(line, columns)),
    ];
    stdout.write(`${lift()}${text.map((line) => `${line}\n`).join('')}`);
    drawn = board.length;
  }
  /** Draws by itself while there is a board, so that its clock moves. */
  function tick(): void {
    draw();
    timer = setTimeout(tick, REDRAW_MS);
  }
  const sayAbove = (line: Line) => draw([[clock(Date.now() - began), ...line]]);

  return {
    step: (text) => sayAbove([styled('dim', text)]),
    person: (issue, text) => sayAbove(personLine(issue, text)),
    told: (sentence) => {
      latest.set(sentence.issue, sentence);
      // What is out of the ordinary stays on the screen.
      if (sentence.mood !== 'plain') sayAbove(toldLine(sentence));
    },
    board: (now) => {
      chronicle = now;
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
      chronicle = undefined;
    },
  };
}

function boardLines(
  chronicle: Chronicle,
  stories: readonly NumberedStory[],
  latest: ReadonlyMap<string, Told>,
  elapsed: number,
): readonly Line[] {
  const done = stories.filter(({ id }) => chronicle.of(id).status === 'Done').length;
  return [
    [],
    [clock(elapsed), styled('bold', `${done} of ${stories.length} issues are Done`)],
    ...stories.map(({ id, title }) => row(id, title, chronicle.of(id), latest.get(id))),
  ];
}

function row(id: string, title: string, course: IssueCourse, said: Told | undefined): Line {
  const { status } = course;
  return [
    plain(`  ${id}  `),
    { text: column(status, STATUS_WIDTH), style: status === 'Done' ? 'green' : undefined },
    styled('cyan', ` ${column(atWork(course), WORKER_WIDTH)}  `),
    lastWord(title, course, said),
  ];
}

function lastWord(title: string, { status, merged }: IssueCourse, said: Told | undefined): Piece {
  if (status === 'Done' && merged !== undefined) return plain(`merged as ${merged.sha.slice(0, SHORT_SHA)}`);
  return said === undefined ? plain(title) : toldPiece(said);
}

/** Who is at it at this moment. */
function atWork(course: IssueCourse): string {
  const live = course.lives.findLast(({ end, exited }) => end === undefined && !exited);
  return live === undefined ? '' : nameOfLife(live, course);
}
