/** Follows `legion.yaml` while the daemon runs: a good change is taken over, a bad one is reported and changes nothing. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Fault } from '../core/model/fault.ts';
import { type Changes, changesBetween } from './legion/changes.ts';
import { readLegionFile } from './legion/load.ts';
import { type Inputs, type Resolved, resolveConfig } from './legion/resolve.ts';

/** A hint of the file system may be late, lost, or not exist, as on network disks and through links. */
const POLL_MS = 2_000;

/** A text counts when it was the same twice, this far apart: a file being written is not read half or empty. */
const SETTLE_MS = 100;

export interface ConfigWatch {
  /** The last good one. */
  current(): Resolved;
  /** What is wrong with the file now; the configuration in force is then older than the file. */
  fault(): Fault | undefined;
  /** No timer, no watcher and no call remains. */
  close(): void;
}

export interface ConfigListener {
  /** At least one key has another value than before. */
  changed(resolved: Resolved, changes: Changes): void;
  /** Once for each new thing that is wrong, not at every look. */
  refused(fault: Fault): void;
}

/** `initial` was read before: what changed since is found at the first look. */
export function watchConfig(
  path: string,
  inputs: Omit<Inputs, 'file'>,
  initial: Resolved,
  listener: ConfigListener,
): ConfigWatch {
  let good = initial;
  let fault: Fault | undefined;
  /** What the file held at the last look, and whether that has been dealt with. */
  let last: { readonly seen: Seen; readonly taken: boolean } | undefined;
  let wasThere = [...initial.sources.values()].some(({ from }) => from === 'file');
  let settling: NodeJS.Timeout | undefined;
  let closed = false;

  function look(): void {
    const seen = readLegionFile(path);
    const text = seen.ok ? { text: seen.value } : { fault: seen.fault };
    const same = last !== undefined && isSame(last.seen, text);
    if (same && last?.taken === true) return;
    last = { seen: text, taken: same };
    if (same) take(text);
    else lookSoon();
  }

  function take(seen: Seen): void {
    if (seen.text === undefined) {
      // Without a file from the start the defaults are in force, and nothing is wrong with that.
      if (seen.fault.code !== 'config.missing' || wasThere) refuse(seen.fault);
      return;
    }
    wasThere = true;
    const next = resolveConfig({ ...inputs, file: { path, text: seen.text } });
    if (!next.ok) {
      refuse(next.fault);
      return;
    }
    fault = undefined;
    const changes = changesBetween(good.config, next.value.config);
    good = next.value;
    if (changes.keys.length > 0) listener.changed(good, changes);
  }

  function refuse(next: Fault): void {
    const isNew = fault?.message !== next.message;
    fault = next;
    if (isNew) listener.refused(next);
  }

  function lookSoon(): void {
    if (closed) return;
    settling ??= setTimeout(() => {
      settling = undefined;
      look();
    }, SETTLE_MS);
  }

  const poll = setInterval(look, POLL_MS);
  const watcher = hinted(path, lookSoon);
  lookSoon();
  return {
    current: () => good,
    fault: () => fault,
    close() {
      closed = true;
      clearInterval(poll);
      clearTimeout(settling);
      watcher?.close();
    },
  };
}

type Seen = { readonly text: string } | { readonly text?: undefined; readonly fault: Fault };

function isSame(a: Seen, b: Seen): boolean {
  return a.text === undefined && b.text === undefined
    ? a.fault.message === b.fault.message
    : a.text === b.text;
}

/** On the folder: an editor that replaces the file by another leaves a watch on the file itself with the old one. */
function hinted(path: string, hint: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(path), (_, name) => {
      if (name === null || name === basename(path)) hint();
    });
    // A folder that is gone cannot be watched; polling goes on.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
