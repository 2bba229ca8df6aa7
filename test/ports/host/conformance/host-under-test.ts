/** What the suite needs of a machine to put a host on it through its paces. */
import type { Host, NewProcess } from '../../../../src/hosts/host.ts';

export interface HostHarness {
  /** One more handle on the same host, as a restarted daemon has. */
  open(): Promise<Host>;
  /** A folder workers may use, seen by the test under the same path. */
  readonly workspace: string;
  /** Starts attempts from a process of its own, one after the other; it stays until it is killed. */
  daemon(orders: readonly NewProcess[]): Promise<OtherDaemon>;
  /** Ends every process of every worker, and fails if one is left. */
  dispose(): Promise<void>;
}

export interface OtherDaemon {
  /** Resolves when all its orders are started. */
  readonly started: Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** A variable of the daemon's environment that no worker may see: the harness sets it wherever a host is opened. */
export const CANARY = { name: 'LEGION_TEST_CANARY', value: 'a-secret-of-the-daemon' } as const;

/** The harness of the running test. */
export type Present = () => HostHarness;
