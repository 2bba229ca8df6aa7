/**
 * Watches `legion.yaml` while the daemon is running. Applies a valid change, and reports an invalid
 * one without applying it.
 */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '../core/model/fault.ts';
import { type ConfigInputs, type ResolvedConfig, readLegionFile, resolveConfig } from './legion/resolve.ts';
import { type LegionConfig, legionSchema } from './legion/schema.ts';
import { collectConfigValues } from './schema/section.ts';

/**
 * The file is also polled, because file system events may be late, lost or unavailable, as on
 * network disks and through links.
 */
const POLL_MS = 2_000;

/**
 * The file's text is used only if two reads this far apart return the same text, so that a
 * half-written file is not used.
 */
const SETTLE_MS = 100;

export interface ConfigWatch {
  /** Last valid configuration. */
  current(): ResolvedConfig;
  /**
   * Problem with the current file. While it is set, an earlier version of the file remains in
   * effect.
   */
  fault(): Fault | undefined;
  /** Stops all timers and watchers. The listener is not called afterwards. */
  close(): void;
}

export interface ConfigListener {
  /** Called if at least one key has a new value. */
  changed(resolved: ResolvedConfig, changes: ConfigChanges): void;
  /** Called once for each new problem, not on every read. */
  refused(fault: Fault): void;
}

/** `initial` was read earlier. Changes since then are found by the first read. */
export function watchConfig(
  path: string,
  inputs: Omit<ConfigInputs, 'file'>,
  initial: ResolvedConfig,
  listener: ConfigListener,
): ConfigWatch {
  let valid = initial;
  let fault: Fault | undefined;
  /** Last content of the file, and whether it has been handled. */
  let last: { readonly read: ConfigFileRead; readonly taken: boolean } | undefined;
  let existed = [...initial.sources.values()].some(({ from }) => from === 'file');
  let settleTimer: NodeJS.Timeout | undefined;
  let closed = false;

  function check(): void {
    const file = readLegionFile(path);
    const read = file.ok ? { text: file.value } : { fault: file.fault };
    const isSame = last !== undefined && isSameRead(last.read, read);
    if (isSame && last?.taken === true) return;
    last = { read, taken: isSame };
    if (isSame) apply(read);
    else checkSoon();
  }

  function apply(read: ConfigFileRead): void {
    if (read.text === undefined) {
      // A missing file is a problem only if the file existed before. Otherwise the defaults apply.
      if (read.fault.code !== 'config.missing' || existed) refuse(read.fault);
      return;
    }
    existed = true;
    const next = resolveConfig({ ...inputs, file: { path, text: read.text } });
    if (!next.ok) {
      refuse(next.fault);
      return;
    }
    fault = undefined;
    const changes = compareConfigs(valid.config, next.value.config);
    valid = next.value;
    if (changes.keys.length > 0) listener.changed(valid, changes);
  }

  function refuse(next: Fault): void {
    const isNew = fault?.message !== next.message;
    fault = next;
    if (isNew) listener.refused(next);
  }

  function checkSoon(): void {
    if (closed) return;
    settleTimer ??= setTimeout(() => {
      settleTimer = undefined;
      check();
    }, SETTLE_MS);
  }

  const poll = setInterval(check, POLL_MS);
  const watcher = watchParentFolder(path, checkSoon);
  checkSoon();
  return {
    current: () => valid,
    fault: () => fault,
    close() {
      closed = true;
      clearInterval(poll);
      clearTimeout(settleTimer);
      watcher?.close();
    },
  };
}

type ConfigFileRead = { readonly text: string } | { readonly text?: undefined; readonly fault: Fault };

function isSameRead(a: ConfigFileRead, b: ConfigFileRead): boolean {
  return a.text === undefined && b.text === undefined
    ? a.fault.message === b.fault.message
    : a.text === b.text;
}

/**
 * Watches the directory, because a watch on the file itself would stay on the old file when an
 * editor replaces it.
 */
function watchParentFolder(path: string, hint: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(path), (_, name) => {
      if (name === null || name === basename(path)) hint();
    });
    // A deleted directory cannot be watched. Polling continues.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** Keys of resources that a daemon opens only at startup. Each key includes everything below it. */
const RESTART_KEYS: readonly string[] = [
  'legion',
  'short_id',
  'backend',
  'forge',
  'github',
  'linear',
  'repos',
  'extra_projects',
  'port',
  'workspaces',
  'credentials',
];

export interface ConfigChanges {
  /** Keys such as `limits.workers`, in alphabetical order. */
  readonly keys: readonly string[];
  /** Keys that take effect only after a restart. */
  readonly needRestart: readonly string[];
}

/** Compares two configurations and finds the changes that a running daemon cannot apply. */
export function compareConfigs(before: LegionConfig, after: LegionConfig): ConfigChanges {
  const old = collectConfigValues(legionSchema, before);
  const current = collectConfigValues(legionSchema, after);
  const keys = [...new Set([...old.keys(), ...current.keys()])]
    .filter((key) => !isDeepStrictEqual(old.get(key)?.value, current.get(key)?.value))
    .sort();
  return { keys, needRestart: keys.filter(isRestartRequired) };
}

export function isRestartRequired(key: string): boolean {
  return RESTART_KEYS.some(
    (each) => key === each || key.startsWith(`${each}.`) || key.startsWith(`${each}[`),
  );
}
