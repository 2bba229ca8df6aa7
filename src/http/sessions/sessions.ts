/** Browsers that are logged in: each by a cookie no script can read, together with a key no other server is sent. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Codes, openCodes } from './codes.ts';
import { hashOf } from './hash-of.ts';
import { readSessions, type SessionRecord, sessionFile } from './session-file.ts';

/** 256 bits. */
const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;
/** A page that is open asks every few seconds; a night without it ends the session. */
export const IDLE_MS = 12 * HOUR_MS;
/** However much it is used: once a week it is proved anew who sits there. */
export const TOTAL_MS = 7 * 24 * HOUR_MS;
/** Browsers of one operator. One more ends the one that was used least lately. */
export const MOST_SESSIONS = 32;
/** A session that is in use is written down so often; after a crash it counts as idle for so much longer, at most. */
const USE_SAVED_EVERY_MS = 5 * 60_000;

export interface Session {
  /** Aborted when it is over: what is under way for it ends, too. */
  readonly over: AbortSignal;
}

export interface Sessions {
  readonly codes: Codes;
  /** Rejects where the code is none; else both halves of the proof. */
  enter(code: string): Promise<{ readonly cookie: string; readonly key: string }>;
  /** Undefined where one half is missing or they do not belong together. */
  find(cookies: readonly string[], key: string | undefined): Session | undefined;
  /** All of them where none is named. Resolves when no restart can bring it back. */
  leave(session?: Session): Promise<void>;
  /** Ends what is over by now. */
  sweep(): void;
  close(): Promise<void>;
}

interface Live extends Session, SessionRecord {
  usedAt: number;
  savedAt: number;
  readonly ending: AbortController;
}

export function openSessions(path: string, clock: Clock, onError: (error: unknown) => void): Sessions {
  const codes = openCodes(clock);
  const live = new Map<string, Live>();
  const file = sessionFile(path, () =>
    [...live.values()].map(({ cookie, key, madeAt, usedAt }) => ({ cookie, key, madeAt, usedAt })),
  );
  for (const record of readSessions(path, onError)) add(record);

  function add(record: SessionRecord): void {
    const ending = new AbortController();
    live.set(record.cookie, { ...record, savedAt: record.usedAt, ending, over: ending.signal });
  }

  function end(session: Live): void {
    live.delete(session.cookie);
    session.ending.abort();
  }

  function sweep(): void {
    const now = clock.now();
    for (const session of live.values()) if (isOver(session, now)) end(session);
  }

  function endBeyondMost(): void {
    const byUse = [...live.values()].toSorted((one, other) => other.usedAt - one.usedAt);
    for (const session of byUse.slice(MOST_SESSIONS)) end(session);
  }

  return {
    codes,
    sweep,

    async enter(code) {
      codes.spend(code);
      const cookie = randomBytes(SECRET_BYTES).toString('base64url');
      const key = randomBytes(SECRET_BYTES).toString('base64url');
      const now = clock.now();
      add({ cookie: hashOf(cookie), key: hashOf(key), madeAt: now, usedAt: now });
      sweep();
      endBeyondMost();
      // A full disk must not keep people from looking at what is wrong: this session then ends with the daemon.
      await file.save().catch(onError);
      return { cookie, key };
    },

    find(cookies, key) {
      if (key === undefined) return undefined;
      sweep();
      const keyHash = hashOf(key);
      const session = cookies
        .map((cookie) => live.get(hashOf(cookie)))
        .find((each) => each !== undefined && isSame(each.key, keyHash));
      if (session === undefined) return undefined;
      session.usedAt = clock.now();
      if (session.usedAt - session.savedAt >= USE_SAVED_EVERY_MS) {
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

    /** The last uses are kept, so that a restart ends no session early. */
    async close() {
      if ([...live.values()].some(({ usedAt, savedAt }) => usedAt !== savedAt))
        await file.save().catch(onError);
      await file.idle();
    },
  };
}

/** Either way, because the machine's clock may be set back: a use far ahead of now says nothing. */
function isOver({ madeAt, usedAt }: SessionRecord, now: number): boolean {
  return Math.abs(now - usedAt) > IDLE_MS || now - madeAt > TOTAL_MS;
}

/** Hashes are of one length. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
