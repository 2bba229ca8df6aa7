/** The end of a file, as much of it as a message can carry. */
import type { FileHandle } from 'node:fs/promises';

/** Some hundred lines: the complaint of a failed check is nearly always among them. */
const TAIL_BYTES = 32 * 1024;

/** What was written after `from`, or the last of it. */
export async function tailOf(file: FileHandle, from: number): Promise<string> {
  const { size } = await file.stat();
  const start = Math.max(from, size - TAIL_BYTES);
  const buffer = Buffer.alloc(Math.max(0, size - start));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  const text = buffer.subarray(0, bytesRead);
  return text.toString('utf8', start === from ? 0 : restOfCharacter(text));
}

/** How many bytes belong to a character that was cut in two, at most three; none where they are no UTF-8. */
export function restOfCharacter(bytes: Uint8Array): number {
  const first = bytes.subarray(0, 4).findIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return Math.max(0, first);
}
