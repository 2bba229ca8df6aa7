/**
 * Runs a legion for one test and provides an operator's requests. The legion is removed with its
 * daemon and workers, however the test ends.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, vi } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import type { IssueView, NewIssueRequest } from '../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../src/protocol/endpoints/issues.ts';
import type { InboxItem } from '../../../src/protocol/operator.ts';
import type { ApiClient } from '../../support/http-client.ts';
import {
  createTestLegion,
  type LegionOptions,
  type RunningDaemon,
  type TestLegion,
} from '../../support/running-daemon.ts';
import { type RunningProcess, startDaemonProcess } from '../../support/running-process.ts';

/**
 * A whole run takes three seconds on an idle machine, and many times longer if several run at once
 * on a busy one.
 */
const MAX_WAIT_MS = 90_000;
const MAX_TEST_MS = 240_000;
const POLL_MS = 100;

export interface TestDaemon {
  readonly legion: TestLegion;
  /** Client of the current daemon. Replaced by `start`. */
  readonly client: ApiClient;
  readonly log: readonly string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Starts the daemon in a separate process. */
  startProcess(): Promise<void>;
  /** Sends `kill -9` to the separate daemon. */
  kill(): Promise<void>;
  /** Adds an issue, by default one that is clear enough to work on. Resolves to its id. */
  add(fields?: Partial<NewIssueRequest>): Promise<string>;
  issue(id: string): Promise<IssueView>;
  detail(id: string): Promise<IssueDetail>;
  untilIssue(id: string, what: string, wanted: (issue: IssueView) => boolean): Promise<IssueView>;
  untilStatus(id: string, status: IssueView['status']): Promise<IssueView>;
  untilLabel(id: string, label: string): Promise<IssueView>;
  /**
   * Waits for this many comments, because a label is written before the comment that explains it.
   */
  untilComments(id: string, count: number): Promise<IssueDetail>;
  untilEvents(what: string, wanted: (events: readonly Event[]) => boolean): Promise<readonly Event[]>;
  inbox(): Promise<readonly InboxItem[]>;
  /** Returns every prompt that a worker received, oldest first. */
  prompts(issue: string, mode: Mode): readonly string[];
}

/** Repository files that allow an auto-merge: a CI check and the permission. */
export const AUTO_MERGE_FILES = {
  '.legion/config.yml': "merge: { auto_merge_allowed: true }\ncommands: { quality_gate: ['true'] }\n",
};

const CLEAR_ISSUE: Partial<NewIssueRequest> = {
  title: 'Add a greeting module',
  body: 'The library should export a function that greets a person by name; an empty name must be refused.',
  labels: ['chore'],
};

export interface TestDaemonOptions extends LegionOptions {
  /** Whether the repository's commands are approved from the start. Default: true. */
  readonly approved?: boolean;
}

/**
 * Returns a function that starts a legion. `patience` multiplies the waiting times, for slow
 * workers.
 */
export function setUpDaemons(patience = 1): (options?: TestDaemonOptions) => Promise<TestDaemon> {
  vi.setConfig({ testTimeout: patience * MAX_TEST_MS });
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return async (options = {}) => {
    const legion = await createTestLegion(options);
    const { daemon, end } = createDaemon(legion, patience * MAX_WAIT_MS);
    ends.push(end);
    await daemon.start();
    if (options.approved ?? true) await approveCommands(daemon.client);
    return daemon;
  };
}

export async function approveCommands({ get, post }: ApiClient): Promise<void> {
  const [shown] =
    await get<{ repo: string; fingerprint: string; approved: boolean }[]>('/repositories/commands');
  if (shown?.approved === false)
    await post('/repositories/commands/approve', { repo: shown.repo, fingerprint: shown.fingerprint });
}

function createDaemon(legion: TestLegion, waitMs: number): { daemon: TestDaemon; end: () => Promise<void> } {
  let running: RunningDaemon | undefined;
  let apart: RunningProcess | undefined;
  const requireDaemon = (): RunningDaemon => {
    if (running === undefined) throw new Error('no daemon runs');
    return running;
  };
  const issue = async (id: string) => {
    const found = (await requireDaemon().get<IssueView[]>('/issues')).find((each) => each.id === id);
    if (found === undefined) throw new Error(`${id} is not on the board`);
    return found;
  };
  const untilIssue: TestDaemon['untilIssue'] = (id, what, wanted) =>
    waitFor(
      `${id} ${what}`,
      () => issue(id),
      wanted,
      () => describeHistory(requireDaemon(), id),
      waitMs,
    );
  const daemon: TestDaemon = {
    legion,
    get client() {
      return requireDaemon();
    },
    get log() {
      return requireDaemon().log;
    },
    async start() {
      running = await legion.start();
    },
    async stop() {
      await running?.stop();
      running = undefined;
      apart = undefined;
    },
    async startProcess() {
      apart = await startDaemonProcess(legion);
      running = apart;
    },
    async kill() {
      await apart?.kill();
      running = undefined;
      apart = undefined;
    },
    async add(fields) {
      return (await requireDaemon().post<IssueView>('/issues', { ...CLEAR_ISSUE, ...fields })).id;
    },
    issue,
    detail: (id) => requireDaemon().get(`/issues/${id}`),
    untilIssue,
    untilStatus: (id, status) => untilIssue(id, `in ${status}`, (seen) => seen.status === status),
    untilLabel: (id, label) => untilIssue(id, `with ${label}`, (seen) => seen.labels.includes(label)),
    untilComments: (id, count) =>
      waitFor(
        `${id} with ${count} comments`,
        () => daemon.detail(id),
        ({ comments }) => comments.length >= count,
        () => describeHistory(requireDaemon(), id),
        waitMs,
      ),
    untilEvents: (what, wanted) =>
      waitFor(
        what,
        () => requireDaemon().events(),
        wanted,
        async () => describeHistory(requireDaemon(), undefined),
        waitMs,
      ),
    inbox: () => requireDaemon().get('/inbox'),
    prompts: (id, mode) => readPrompts(join(legion.state, 'scripted'), id, mode),
  };
  const end = async () => {
    await daemon.stop();
    await legion.endWorkers();
    legion.dispose();
  };
  return { daemon, end };
}

async function waitFor<T>(
  what: string,
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  describe: () => Promise<string>,
  waitMs: number,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`timed out: ${what}\n${await describe()}`);
    await sleep(POLL_MS);
  }
}

/**
 * Builds the message of a test that timed out: the events of its issue, and the latest events of
 * the whole legion.
 */
async function describeHistory(client: RunningDaemon, issue: string | undefined): Promise<string> {
  const events = await client.events();
  const about = events.filter((event) => issue === undefined || JSON.stringify(event).includes(`"${issue}"`));
  const { troubles } = await client.get<{ troubles: unknown }>('/health');
  const due =
    issue === undefined ? undefined : (await client.request('GET', `/issues/${issue}/explain`)).body;
  const lines = [
    ...about.slice(-60),
    'latest events:',
    ...events.slice(-15),
    ...client.log.slice(-10),
    troubles,
    due,
  ];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

function readPrompts(folder: string, issue: string, mode: Mode): string[] {
  const turns = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map(
      (line) =>
        JSON.parse(line) as { type: string; issue?: string; mode?: string; at: number; prompt: string },
    )
    .filter((line) => line.type === 'turn' && line.issue === issue && line.mode === mode);
  return turns.sort((a, b) => a.at - b.at).map(({ prompt }) => prompt);
}
