/** Brings the dashboard of a clone up to date, in a process of its own; in an installation there is nothing to do. */
import { execFile } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { LegionError } from '../domain/fault.ts';
import type { Environment } from './command.ts';
import { pagesBuilder } from './pages-folder.ts';

/** It takes three seconds, and much longer on a machine that is busy with workers; what takes longer hangs. */
const BUILD_MS = 120_000;
/** What a builder says about a mistake; all beyond it is more of the same. */
const SAID_MOST_CHARACTERS = 1_000;

/** Rejects with `http.pages_unbuilt`, or with the signal's reason. */
export function buildPages(env: Environment, signal: AbortSignal): Promise<void> {
  const builder = pagesBuilder();
  if (builder === undefined) return Promise.resolve();
  const options = { env: env, signal, timeout: BUILD_MS };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [builder], options, (error, _, stderr) => {
      if (error === null) return resolve();
      if (signal.aborted) return reject(signal.reason);
      const said = stripVTControlCharacters(stderr).trim().slice(0, SAID_MOST_CHARACTERS) || error.message;
      const why = error.killed === true ? `it took longer than ${BUILD_MS / 1_000} s` : said;
      reject(new LegionError('http.pages_unbuilt', why, { cause: error }));
    });
  });
}
