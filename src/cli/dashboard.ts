/**
 * Finds, builds and opens the dashboard. If no browser can be opened, returns the address to open.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import { run } from '../lib/process/run.ts';
import { issueEndpoints } from '../protocol/endpoints/issues.ts';
import { sessionEndpoints } from '../protocol/endpoints/session.ts';
import type { DaemonClient } from './daemon-client.ts';
import { parseIssueId } from './parse-names.ts';
import { sanitizeText, withProgress } from './present/terminal.ts';
import type { CommandContext } from './program/define-command.ts';

/** Shown wherever the address is printed. */
export const SINGLE_USE_NOTICE = 'good for one minute and one use';

export interface OpenedDashboard extends DashboardAddress {
  /** True if a browser opened the address. Otherwise the caller shows the address. */
  readonly opened: boolean;
}

export async function openDashboard(
  daemon: DaemonClient,
  path: string,
  mayOpen: boolean,
  context: CommandContext,
): Promise<OpenedDashboard> {
  // Fails early if there is no daemon, because building the dashboard would then be useless.
  void daemon.file;
  await updatePages(context);
  const address = await createDashboardAddress(daemon, path);
  const opened = mayOpen && (await openBrowser(address.url, context.env, process.platform));
  return { ...address, opened };
}

/**
 * Updates the dashboard's build. Prints a build error instead of failing, because an older build
 * may still work, and the page reports the error too.
 */
async function updatePages(context: CommandContext): Promise<void> {
  const { env, signal, stderr } = context;
  try {
    await withProgress(context, 'building the dashboard', () => buildPages(env, signal));
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    stderr.write(
      `legion: ${sanitizeText(error.message)} [${error.code}]\n${sanitizeText(error.fault.next)}\n`,
    );
  }
}

interface DashboardAddress {
  readonly url: string;
  readonly expiresAt: number;
}

const PAGES: Readonly<Record<string, string>> = { board: '/ui/', inbox: '/ui/inbox', fleet: '/ui/fleet' };

/**
 * Returns the path for a page name or an issue id. Rejects an unknown issue here, where the user
 * can correct it.
 */
export async function resolvePagePath(daemon: DaemonClient, page: string): Promise<string> {
  const word = page.toLowerCase();
  if (Object.hasOwn(PAGES, word)) return PAGES[word] ?? '';
  const { issue } = await daemon.call(issueEndpoints.show, { params: { id: parseIssueId(page) } });
  return `/ui/issues/${encodeURIComponent(issue.id)}`;
}

/**
 * Creates an address that logs a browser in to the dashboard, once and within one minute. The code
 * comes after the `#`: browsers send that part to no server, and the page removes it from the
 * address at once.
 */
async function createDashboardAddress(daemon: DaemonClient, path: string): Promise<DashboardAddress> {
  const { code, expiresAt } = await daemon.call(sessionEndpoints.createCode);
  return { url: `${daemon.file.url}${path}#enter=${encodeURIComponent(code)}`, expiresAt };
}

/**
 * How long to wait for a program that opens the address. A program that passes the address to a
 * running browser exits at once. A program that is itself the browser does not exit and is left
 * running.
 */
const MAX_HANDOVER_MS = 3_000;

/**
 * Opens an address in the user's browser. Runs a program with arguments, never through a shell.
 * Resolves to whether a program accepted the address.
 */
async function openBrowser(address: string, env: EnvironmentVariables, platform: string): Promise<boolean> {
  for (const [program = '', ...args] of listBrowserCommands(address, env, platform)) {
    if (await tryBrowser(program, args, env)) return true;
  }
  return false;
}

/**
 * Returns the command lines to try, starting with the user's own browser. Returns none if there is
 * no display.
 */
export function listBrowserCommands(
  address: string,
  env: EnvironmentVariables,
  platform: string,
): readonly (readonly string[])[] {
  const { BROWSER = '', DISPLAY = '', WAYLAND_DISPLAY = '' } = env;
  if (BROWSER.trim() !== '') {
    // BROWSER may list several command lines. The address replaces `%s`, or is appended if there is
    // no `%s`.
    return BROWSER.split(':').flatMap((line) => {
      const words = line.split(/\s+/).filter((word) => word !== '');
      if (words.length === 0) return [];
      const hasPlaceholder = words.includes('%s');
      return [hasPlaceholder ? words.map((word) => (word === '%s' ? address : word)) : [...words, address]];
    });
  }
  if (platform === 'darwin') return [['open', address]];
  return DISPLAY === '' && WAYLAND_DISPLAY === '' ? [] : [['xdg-open', address]];
}

async function tryBrowser(
  program: string,
  args: readonly string[],
  env: EnvironmentVariables,
): Promise<boolean> {
  // Detached, so that closing the terminal does not close the browser. The browser's output is not
  // shown.
  const child = spawn(program, args, { env, detached: true, stdio: 'ignore' });
  const waiting = AbortSignal.timeout(MAX_HANDOVER_MS);
  try {
    const [code] = await once(child, 'exit', { signal: waiting });
    return code === 0;
  } catch {
    // If the program is still running at the timeout, it accepted the address. If the wait failed
    // earlier, the program could not be started.
    return waiting.aborted && child.pid !== undefined;
  } finally {
    child.unref();
  }
}

/** Format of a build's name, which the file `current` contains. */
const BUILD_NAME = /^[0-9a-f]{16}$/;

/**
 * Root directory of Legion. Both in the source tree and in a build, it is two directories above
 * this file.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Returns the script that builds the dashboard of a clone. Returns undefined in an installation,
 * which ships with the dashboard already built.
 */
function findPagesBuilder(): string | undefined {
  return import.meta.url.endsWith('.ts') ? join(ROOT, 'scripts/web.ts') : undefined;
}

/**
 * Returns the directory of the built dashboard. Called each time a page is opened, because a clone
 * may have been rebuilt.
 */
export function findPagesFolder(): string | undefined {
  if (findPagesBuilder() === undefined) return join(ROOT, 'dist/web');
  const cache = join(ROOT, 'node_modules/.cache/legion-web');
  try {
    const name = readFileSync(join(cache, 'current'), 'utf8').trim();
    return BUILD_NAME.test(name) ? join(cache, name) : undefined;
  } catch {
    return undefined; // not built yet
  }
}

/**
 * A build takes three seconds, and much longer on a machine that is busy with workers. A build that
 * takes longer than this is considered hung.
 */
const BUILD_MS = 120_000;

/**
 * Maximum length of the builder's stderr that an error quotes. Any further output would repeat the
 * same error.
 */
const MAX_BUILD_ERROR_CHARACTERS = 1_000;

/**
 * Builds the dashboard of a clone in a separate process. Does nothing in an installation. Rejects
 * with `http.pages_unbuilt`, or with the signal's reason.
 */
export async function buildPages(env: EnvironmentVariables, signal: AbortSignal): Promise<void> {
  const builder = findPagesBuilder();
  if (builder === undefined) return;
  const built = run(process.execPath, [builder], { env, signal, timeoutMs: BUILD_MS });
  const { status, stopped, stderr } = await built.catch((error: Error) => {
    signal.throwIfAborted();
    throw new LegionError('http.pages_unbuilt', error.message, { cause: error });
  });
  signal.throwIfAborted();
  if (status === 0) return;
  const output =
    stripVTControlCharacters(stderr).trim().slice(0, MAX_BUILD_ERROR_CHARACTERS) ||
    `The build exited with status ${status}.`;
  const why = stopped === 'timeout' ? `The build took longer than ${BUILD_MS / 1_000} s.` : output;
  throw new LegionError('http.pages_unbuilt', why);
}
