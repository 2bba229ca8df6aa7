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
  // Cut in the middle of a character, it begins with the rest of one, at most three bytes.
  const whole =
    start === from
      ? 0
      : Math.max(
          0,
          text.subarray(0, 3).findIndex((byte) => byte < 0x80 || byte >= 0xc0),
        );
  return text.toString('utf8', whole);
}
