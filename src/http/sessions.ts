/**
 * Manages logged-in browsers: issues their login codes and stores their sessions. Each session has
 * a cookie that no script can read, and a key that is sent to no other server.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../core/model/clock.ts';
import { decode } from '../core/model/decode.ts';
import { LegionError } from '../core/model/fault.ts';
import { writeDurably } from '../lib/fs/atomic-write.ts';

/** 256 bits. */
const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;
/**
 * An open page sends a request every few seconds, so a session expires only after its page has been
 * closed for this long, such as overnight.
 */
export const MAX_IDLE_MS = 12 * HOUR_MS;
/** Requires a new login once a week, however much the session is used. */
export const MAX_SESSION_MS = 7 * 24 * HOUR_MS;
/** Limit for the browsers of one operator. A further login ends the least recently used session. */
export const MAX_SESSIONS = 32;
/**
 * How often the time of a session's last use is saved. After a crash, a session may seem to have
 * been idle for up to this much longer than it was.
 */
const USE_SAVE_INTERVAL_MS = 5 * 60_000;

export interface BrowserSession {
  /** Aborted when the session ends. The abort also ends the session's pending requests. */
  readonly over: AbortSignal;
}

export interface BrowserSessions {
  readonly codes: LoginCodes;
  /** Logs a browser in and returns its two credentials, a cookie and a key. Rejects an invalid code. */
  enter(code: string): Promise<{ readonly cookie: string; readonly key: string }>;
  /** Returns undefined if the cookie or the key is missing, or if they do not belong together. */
  find(cookies: readonly string[], key: string | undefined): BrowserSession | undefined;
  /**
   * Ends one session, or all sessions if no session is passed. Resolves once a restart can no
   * longer restore them.
   */
  leave(session?: BrowserSession): Promise<void>;
  /** Ends expired sessions. */
  sweep(): void;
  close(): Promise<void>;
}

interface LiveSession extends BrowserSession, BrowserSessionRecord {
  usedAt: number;
  savedAt: number;
  readonly ending: AbortController;
}

export function openBrowserSessions(
  path: string,
  clock: Clock,
  onError: (error: unknown) => void,
): BrowserSessions {
  const codes = openLoginCodes(clock);
  const live = new Map<string, LiveSession>();
  const file = createSessionFile(path, () =>
    [...live.values()].map(({ cookie, key, madeAt, usedAt }) => ({ cookie, key, madeAt, usedAt })),
  );
  for (const record of readSessions(path, onError)) add(record);

  function add(record: BrowserSessionRecord): void {
    const ending = new AbortController();
    live.set(record.cookie, { ...record, savedAt: record.usedAt, ending, over: ending.signal });
  }

  function end(session: LiveSession): void {
    live.delete(session.cookie);
    session.ending.abort();
  }

  function sweep(): void {
    const now = clock.now();
    for (const session of live.values()) if (isExpired(session, now)) end(session);
  }

  function endLeastUsed(): void {
    const byUse = [...live.values()].toSorted((one, other) => other.usedAt - one.usedAt);
    for (const session of byUse.slice(MAX_SESSIONS)) end(session);
  }

  return {
    codes,
    sweep,

    async enter(code) {
      codes.spend(code);
      const cookie = randomBytes(SECRET_BYTES).toString('base64url');
      const key = randomBytes(SECRET_BYTES).toString('base64url');
      const now = clock.now();
      add({ cookie: hashSecret(cookie), key: hashSecret(key), madeAt: now, usedAt: now });
      sweep();
      endLeastUsed();
      // A write error, such as a full disk, must not lock people out while they look for its cause.
      // A session that could not be saved ends when the daemon exits.
      await file.save().catch(onError);
      return { cookie, key };
    },

    find(cookies, key) {
      if (key === undefined) return undefined;
      sweep();
      const keyHash = hashSecret(key);
      const session = cookies
        .map((cookie) => live.get(hashSecret(cookie)))
        .find((each) => each !== undefined && isSameHash(each.key, keyHash));
      if (session === undefined) return undefined;
      session.usedAt = clock.now();
      if (session.usedAt - session.savedAt >= USE_SAVE_INTERVAL_MS) {
        session.savedAt = session.usedAt;
        void file.save().catch(onError);
      }
      return session;
    },

    async leave(session) {
      for (const each of live.values()) if (session === undefined || session === each) end(each);
      await file.save().catch((error: unknown) => {
        throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, {
          cause: error,
        });
      });
    },

    /** Saves the time of each session's last use, so that a restart ends no session early. */
    async close() {
      if ([...live.values()].some(({ usedAt, savedAt }) => usedAt !== savedAt))
        await file.save().catch(onError);
      await file.idle();
    },
  };
}

/**
 * Uses the absolute difference, because the machine's clock may be set back. A session whose last
 * use is far in the future is therefore treated as expired.
 */
function isExpired({ madeAt, usedAt }: BrowserSessionRecord, now: number): boolean {
  return Math.abs(now - usedAt) > MAX_IDLE_MS || now - madeAt > MAX_SESSION_MS;
}

/** Hashes always have equal length, as `timingSafeEqual` requires. */
function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Format that `hashSecret` writes: 256 bits in base64url. */
const hash = z.string().length(43);

const recordSchema = z.strictObject({
  cookie: hash,
  key: hash,
  madeAt: z.number(),
  usedAt: z.number(),
});
type BrowserSessionRecord = Readonly<z.output<typeof recordSchema>>;

const fileSchema = z.strictObject({ sessions: z.array(recordSchema) });

/**
 * Reads the stored sessions. The file is enough to recognise a session after a restart, but not to
 * log in. If the file is unreadable, `onError` receives the error and the daemon still starts, but
 * people must log in again.
 */
function readSessions(path: string, onError: (error: unknown) => void): readonly BrowserSessionRecord[] {
  try {
    const decoded = decode(fileSchema, JSON.parse(readFileSync(path, 'utf8')), path);
    if (decoded.ok) return decoded.value.sessions;
    throw new LegionError('daemon.state_unusable', decoded.fault.message);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onError(error);
    return [];
  }
}

interface SessionFile {
  /** Resolves when the sessions as of this call, or a newer version of them, are on disk. */
  save(): Promise<void>;
  /** Resolves when no write is pending. */
  idle(): Promise<void>;
}

/**
 * Calls `listSessions` at the start of each write. A save that is requested during a write waits
 * for that write and at most one more.
 */
function createSessionFile(path: string, listSessions: () => readonly BrowserSessionRecord[]): SessionFile {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    save() {
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          running = writeDurably(path, `${JSON.stringify({ sessions: listSessions() })}\n`);
          return running;
        });
      return next;
    },
    idle: () => (next ?? running).catch(() => undefined),
  };
}

/** 128 bits, which cannot be guessed. */
const CODE_BYTES = 16;

/**
 * Lifetime of a login code. A command opens the browser within a second, but a person who types the
 * address needs longer.
 */
export const CODE_LIFETIME_MS = 60_000;

/** Limit for unused codes. An operator who requests more has lost the earlier ones. */
export const MAX_CODES = 16;

/**
 * Limit for wrong codes per minute. A person rarely sends more than one, such as a code that was
 * already used.
 */
export const MAX_TRIES = 10;

export const TRIES_WINDOW_MS = 60_000;

interface LoginCode {
  readonly code: string;
  readonly expiresAt: number;
}

interface LoginCodes {
  create(): LoginCode;
  /**
   * Accepts a valid code once: returns and invalidates the code. Throws if the code is not valid.
   */
  spend(code: string): void;
}

/**
 * Issues login codes. Each is valid once and for a minute, and guessing is limited. Codes are kept
 * in memory only, so that no code survives a restart. Uses the monotonic clock, which cannot be set
 * back.
 */
function openLoginCodes(clock: Clock): LoginCodes {
  const expiries = new Map<string, number>();
  let tries: number[] = [];

  function create(): LoginCode {
    // Resets the limit, so that a guesser cannot lock the operator out. This is safe, because only
    // the operator can create codes.
    tries = [];
    const code = randomBytes(CODE_BYTES).toString('base64url');
    expiries.set(hashSecret(code), clock.monotonic() + CODE_LIFETIME_MS);
    for (const [oldest] of expiries) if (expiries.size > MAX_CODES) expiries.delete(oldest);
    return { code, expiresAt: clock.now() + CODE_LIFETIME_MS };
  }

  function spend(code: string): void {
    const now = clock.monotonic();
    tries = tries.filter((at) => now - at < TRIES_WINDOW_MS);
    // Throws before checking the code, so that a valid code is not used up.
    if (tries.length >= MAX_TRIES) {
      throw new LegionError('http.too_many_tries', `${MAX_TRIES} wrong codes were sent within a minute.`);
    }
    // Looks the code up by its hash, so that the time taken reveals nothing about the code.
    const hash = hashSecret(code);
    const expiry = expiries.get(hash);
    expiries.delete(hash);
    if (expiry !== undefined && now < expiry) return;
    tries.push(now);
    throw new LegionError('http.code_unknown', 'The code is unknown, already used or expired.');
  }

  return { create, spend };
}

/**
 * Hashes a secret for storage. The hash is enough to recognise the secret, but not to log in with.
 * One round is enough, because the secrets are random.
 */
function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
