/** Brings the dashboard of a clone up to date, in a process of its own; in an installation there is nothing to do. */
import { stripVTControlCharacters } from 'node:util';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { run } from '../lib/process/run.ts';
import { pagesBuilder } from './pages-folder.ts';

/** It takes three seconds, and much longer on a machine that is busy with workers; what takes longer hangs. */
const BUILD_MS = 120_000;
/** What a builder says about a mistake; all beyond it is more of the same. */
const SAID_MOST_CHARACTERS = 1_000;

/** Rejects with `http.pages_unbuilt`, or with the signal's reason. */
export async function buildPages(env: Environment, signal: AbortSignal): Promise<void> {
  const builder = pagesBuilder();
  if (builder === undefined) return;
  const built = run(process.execPath, [builder], { env, signal, timeoutMs: BUILD_MS });
  const { status, stopped, stderr } = await built.catch((error: Error) => {
    signal.throwIfAborted();
    throw new LegionError('http.pages_unbuilt', error.message, { cause: error });
  });
  signal.throwIfAborted();
  if (status === 0) return;
  const said =
    stripVTControlCharacters(stderr).trim().slice(0, SAID_MOST_CHARACTERS) || `it ended with ${status}`;
  const why = stopped === 'timeout' ? `it took longer than ${BUILD_MS / 1_000} s` : said;
  throw new LegionError('http.pages_unbuilt', why);
}
