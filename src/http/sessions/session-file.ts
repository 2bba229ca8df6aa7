/** The sessions as a file: what it takes to know them again after a restart, and nothing one could log in with. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { decode } from '../../domain/decode.ts';
import { writeDurably } from '../../lib/fs/atomic-write.ts';

/** As `hashOf` writes it: 256 bits in base64url. */
const hash = z.string().length(43);

const recordSchema = z.strictObject({
  cookie: hash,
  key: hash,
  madeAt: z.number(),
  usedAt: z.number(),
});
export type SessionRecord = Readonly<z.output<typeof recordSchema>>;

const fileSchema = z.strictObject({ sessions: z.array(recordSchema) });

/** A file that cannot be read costs a login, not the daemon: `onError` hears of it. */
export function readSessions(path: string, onError: (error: unknown) => void): readonly SessionRecord[] {
  try {
    const read = decode(fileSchema, JSON.parse(readFileSync(path, 'utf8')), path);
    if (read.ok) return read.value.sessions;
    throw new LegionError('daemon.state_unusable', read.fault.message);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onError(error);
    return [];
  }
}

export interface SessionFile {
  /** Resolves when this, or something newer, is on the disk. */
  save(): Promise<void>;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
}

/** `present` is asked when the writing begins. Whoever saves meanwhile waits for one more writing, never for two. */
export function sessionFile(path: string, present: () => readonly SessionRecord[]): SessionFile {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    save() {
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          running = writeDurably(path, `${JSON.stringify({ sessions: present() })}\n`);
          return running;
        });
      return next;
    },
    idle: () => (next ?? running).catch(() => undefined),
  };
}
