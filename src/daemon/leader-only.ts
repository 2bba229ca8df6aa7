/** Ports whose writes only the leader makes: whoever was replaced while it slept must not carry out what it had in hand. */

import type { Host } from '../hosts/host.ts';
import type { LocalBoard } from '../ports/board-editor.ts';
import type { Forge } from '../ports/forge.ts';
import type { Tracker } from '../ports/tracker.ts';
import type { Workspaces } from '../workspaces/workspace.ts';
import type { Ledger } from './context/journal-ledger.ts';

/**
 * Not among them: making a workspace, which takes nothing away from anybody, and signals, which go to the very process that
 * was found dead or told to leave, whoever leads.
 */
const WRITES = {
  tracker: ['write', 'comment', 'create', 'close', 'move', 'attach'],
  board: [
    ...(['write', 'comment', 'create', 'close', 'move'] as const),
    ...(['edit', 'relabel', 'say'] as const),
  ],
  forge: ['push', 'open', 'edit', 'markReady', 'label', 'comment', 'review', 'merge', 'abandon', 'revert'],
  host: ['start', 'deliver', 'forget'],
  workspaces: ['remove'],
} as const;

/** Asked right before each write; what is in flight at that moment cannot be called back. */
export function leaderOnly(ledger: Ledger) {
  return {
    tracker: (port: Tracker) => confirmed(port, WRITES.tracker, ledger),
    board: (port: LocalBoard) => confirmed(port, WRITES.board, ledger),
    forge: (port: Forge) => confirmed(port, WRITES.forge, ledger),
    host: (port: Host) => confirmed(port, WRITES.host, ledger),
    workspaces: (port: Workspaces) => confirmed(port, WRITES.workspaces, ledger),
  };
}

function confirmed<T extends object>(port: T, writes: readonly (keyof T)[], ledger: Ledger): T {
  return new Proxy(port, { get: (target, name) => memberOf(target, name as keyof T, writes, ledger) });
}

function memberOf<T extends object>(
  port: T,
  name: keyof T,
  writes: readonly (keyof T)[],
  ledger: Ledger,
): unknown {
  const member: unknown = Reflect.get(port, name, port);
  if (typeof member !== 'function') return member;
  const method = member.bind(port) as (...given: unknown[]) => unknown;
  if (!writes.includes(name)) return method;
  return async (...given: unknown[]) => {
    await ledger.confirm();
    return method(...given);
  };
}
