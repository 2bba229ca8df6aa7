/** Where a view is printed: plain lines for a program, and for a person the same above a line to type in. */
import { createInterface, moveCursor, type ReadLine } from 'node:readline';
import type { CommandContext } from '../../command.ts';
import { type Line, rendered } from '../../present/line.ts';

/** Two presses within this are meant; one alone may be a habit. */
const SECOND_PRESS_MS = 2_000;
const CLEAR_BELOW = '\u001b[J';
const PROMPT = '❯ ';

export interface Screen {
  print(lines: readonly Line[]): void;
  close(): void;
}

export interface Typist {
  typed(line: string): void;
  /** Ctrl-C was pressed once. */
  warned(): void;
  /** Ctrl-C twice, or Ctrl-D. */
  left(): void;
}

export function plainScreen({ stdout }: CommandContext): Screen {
  return { print: (lines) => stdout.write(textOf(lines)), close: () => undefined };
}

export function typingScreen({ stdin, stdout, env: { TERM } }: CommandContext, typist: Typist): Screen {
  const show = TERM === 'dumb' ? after : above;
  const reader = createInterface({ input: stdin, output: stdout, prompt: PROMPT, terminal: true });
  let pressedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  reader.on('line', (line) => {
    typist.typed(line);
    reader.prompt();
  });
  reader.on('SIGINT', () => {
    const again = performance.now() - pressedAt < SECOND_PRESS_MS;
    pressedAt = performance.now();
    if (again) typist.left();
    else typist.warned();
  });
  reader.on('close', () => {
    isClosed = true;
    typist.left();
  });
  reader.prompt();
  return {
    print(lines) {
      if (lines.length === 0) return;
      if (isClosed) stdout.write(textOf(lines));
      else show(reader, stdout, textOf(lines));
    },
    close: () => reader.close(),
  };
}

/** What is being typed is taken away, and drawn again below the text. */
function above(reader: ReadLine, stdout: CommandContext['stdout'], text: string): void {
  const { rows } = reader.getCursorPos();
  moveCursor(stdout, 0, -rows);
  // The reader goes up by as many rows as it wrote before, to draw them again: there must be so many to go up.
  stdout.write(`\r${CLEAR_BELOW}${text}${'\n'.repeat(rows)}`);
  reader.prompt(true);
}

/** On a terminal without codes nothing can be taken away: it is written once more after the text, which the reader does not do there. */
function after(reader: ReadLine, stdout: CommandContext['stdout'], text: string): void {
  stdout.write(`\n${text}`);
  reader.prompt(true);
  stdout.write(reader.line);
}

/** Lines go on as far as they are: a terminal breaks them, and a person may copy them whole. */
function textOf(lines: readonly Line[]): string {
  return lines.map((line) => `${rendered(line, Number.POSITIVE_INFINITY)}\n`).join('');
}
