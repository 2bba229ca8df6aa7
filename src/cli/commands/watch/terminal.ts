/** The terminal as a full screen: what was on it comes back when it is left, whatever happened in between. */
import type { CommandContext } from '../../command.ts';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_TO_END_OF_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** What a terminal sends for q, Q, Ctrl-C and Ctrl-D while nobody translates its keys. */
const QUIT_KEYS: ReadonlySet<string> = new Set(['q', 'Q', '\u0003', '\u0004']);

/** Of a terminal that does not say. */
const USUAL_SIZE = { columns: 80, rows: 24 };

export interface Terminal {
  size(): { readonly columns: number; readonly rows: number };
  draw(lines: readonly string[]): void;
  close(): void;
}

export interface TerminalListener {
  quit(): void;
  resized(): void;
}

export function openTerminal({ stdin, stdout }: CommandContext, listener: TerminalListener): Terminal {
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
