/** Shows that something is being waited for, on a terminal, once it takes longer than a person expects. */
import type { CommandContext } from '../command.ts';

/** Faster things need no word. */
const SILENT_MS = 800;
const FRAME_MS = 120;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const CLEAR_LINE = '\r\u001b[K';

export async function withProgress<T>(
  { stderr }: Pick<CommandContext, 'stderr'>,
  what: string | (() => string),
  wait: () => Promise<T>,
): Promise<T> {
  if (stderr.isTTY !== true) return wait();
  let frame = 0;
  let timer = setTimeout(show, SILENT_MS);
  function show(): void {
    const mark = FRAMES[frame % FRAMES.length] ?? '';
    stderr.write(`${CLEAR_LINE}${mark} ${typeof what === 'string' ? what : what()} …`);
    frame += 1;
    timer = setTimeout(show, FRAME_MS);
  }
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
    if (frame > 0) stderr.write(CLEAR_LINE);
  }
}
