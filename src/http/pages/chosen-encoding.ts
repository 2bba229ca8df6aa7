/** Which of the forms a file lies there in is sent: the first that the browser takes. */
import type { Encoding } from './listed-files.ts';

/** `Accept-Encoding: br;q=0.5, gzip, *;q=0`. How much it likes one does not matter, only whether it takes it at all. */
export function chosenEncoding(
  accepted: string | undefined,
  there: readonly Encoding[],
): Encoding | undefined {
  const wishes = new Map((accepted ?? '').split(',').map(wish));
  return there.find((encoding) => wishes.get(encoding) ?? wishes.get('*') ?? false);
}

function wish(text: string): readonly [name: string, taken: boolean] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  return [name, !isRefused];
}
