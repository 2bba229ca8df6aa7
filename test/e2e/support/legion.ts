/** A legion for one test, with what a person at its door asks for; put away with its daemon and workers, however that ends. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, vi } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import type { IssueView, NewIssueRequest } from '../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../src/protocol/endpoints/issues.ts';
import type { InboxItem } from '../../../src/protocol/operator.ts';
import type { Door } from '../../support/http-client.ts';
import {
  type LegionOptions,
  type Running,
  type TestLegion,
  testLegion,
} from '../../support/running-daemon.ts';
import { type RunningApart, startApart } from '../../support/running-process.ts';

/** A whole life takes three seconds on a quiet machine; several of them at once on a busy one many times that. */
const WAIT_MOST_MS = 90_000;
const TEST_MOST_MS = 240_000;
const LOOK_MS = 100;

export interface Life {
  readonly legion: TestLegion;
  /** The daemon that runs now; another one after `start`. */
  readonly door: Door;
  readonly log: readonly string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The daemon in a process of its own. */
  startApart(): Promise<void>;
  /** `kill -9` of the daemon that was started apart. */
  kill(): Promise<void>;
  /** A clear issue, unless something else is given; resolves to its id. */
  add(given?: Partial<NewIssueRequest>): Promise<string>;
  issue(id: string): Promise<IssueView>;
  detail(id: string): Promise<IssueDetail>;
  untilIssue(id: string, what: string, wanted: (issue: IssueView) => boolean): Promise<IssueView>;
  untilStatus(id: string, status: IssueView['status']): Promise<IssueView>;
  untilLabel(id: string, label: string): Promise<IssueView>;
  /** Once there are as many comments on it: a label is written before the comment that explains it. */
  untilComments(id: string, count: number): Promise<IssueDetail>;
  untilEvents(what: string, wanted: (events: readonly Event[]) => boolean): Promise<readonly Event[]>;
  inbox(): Promise<readonly InboxItem[]>;
  /** Every prompt a worker was given, oldest first. */
  prompts(issue: string, mode: Mode): readonly string[];
}

/** What a life needs that is to be merged without a person: something that checks it, and the permission. */
export const MERGING = {
  '.legion/config.yml': "merge: { auto_merge_allowed: true }\ncommands: { quality_gate: ['true'] }\n",
};

const CLEAR: Partial<NewIssueRequest> = {
  title: 'Add a greeting module',
  body: 'The library should export a function that greets a person by name; an empty name must be refused.',
  labels: ['chore'],
};

export interface LifeOptions extends LegionOptions {
  /** Whether the operator lets the repository's commands run from the beginning; so it is unless told otherwise. */
  readonly approved?: boolean;
}

/** `patience`: how many times as long as usual to wait, for workers that take their time. */
export function stage(patience = 1): (options?: LifeOptions) => Promise<Life> {
  vi.setConfig({ testTimeout: patience * TEST_MOST_MS });
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return async (options = {}) => {
    const legion = await testLegion(options);
    const { life, end } = lifeOf(legion, patience * WAIT_MOST_MS);
    ends.push(end);
    await life.start();
    if (options.approved ?? true) await approveCommands(life.door);
    return life;
  };
}

export async function approveCommands({ get, post }: Door): Promise<void> {
  const [shown] =
    await get<{ repo: string; fingerprint: string; approved: boolean }[]>('/repositories/commands');
  if (shown?.approved === false)
    await post('/repositories/commands/approve', { repo: shown.repo, fingerprint: shown.fingerprint });
}

function lifeOf(legion: TestLegion, waitMs: number): { life: Life; end: () => Promise<void> } {
  let running: Running | undefined;
  let apart: RunningApart | undefined;
  const door = (): Running => {
    if (running === undefined) throw new Error('no daemon runs');
    return running;
  };
  const issue = async (id: string) => {
    const found = (await door().get<IssueView[]>('/issues')).find((each) => each.id === id);
    if (found === undefined) throw new Error(`${id} is not on the board`);
    return found;
  };
  const untilIssue: Life['untilIssue'] = (id, what, wanted) =>
    waitFor(
      `${id} ${what}`,
      () => issue(id),
      wanted,
      () => storyOf(door(), id),
      waitMs,
    );
  const life: Life = {
    legion,
    get door() {
      return door();
    },
    get log() {
      return door().log;
    },
    async start() {
      running = await legion.start();
    },
    async stop() {
      await running?.stop();
      running = undefined;
      apart = undefined;
    },
    async startApart() {
      apart = await startApart(legion);
      running = apart;
    },
    async kill() {
      await apart?.kill();
      running = undefined;
      apart = undefined;
    },
    async add(given) {
      return (await door().post<IssueView>('/issues', { ...CLEAR, ...given })).id;
    },
    issue,
    detail: (id) => door().get(`/issues/${id}`),
    untilIssue,
    untilStatus: (id, status) => untilIssue(id, `in ${status}`, (seen) => seen.status === status),
    untilLabel: (id, label) => untilIssue(id, `with ${label}`, (seen) => seen.labels.includes(label)),
    untilComments: (id, count) =>
      waitFor(
        `${id} with ${count} comments`,
        () => life.detail(id),
        ({ comments }) => comments.length >= count,
        () => storyOf(door(), id),
        waitMs,
      ),
    untilEvents: (what, wanted) =>
      waitFor(
        what,
        () => door().events(),
        wanted,
        async () => storyOf(door(), undefined),
        waitMs,
      ),
    inbox: () => door().get('/inbox'),
    prompts: (id, mode) => promptsIn(join(legion.state, 'scripted'), id, mode),
  };
  const end = async () => {
    await life.stop();
    await legion.endWorkers();
    legion.dispose();
  };
  return { life, end };
}

async function waitFor<T>(
  what: string,
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  story: () => Promise<string>,
  waitMs: number,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`not so: ${what}\n${await story()}`);
    await sleep(LOOK_MS);
  }
}

/** What a test that waited in vain is told: the story of its issue, and how everything ended. */
async function storyOf(door: Running, issue: string | undefined): Promise<string> {
  const events = await door.events();
  const about = events.filter((event) => issue === undefined || JSON.stringify(event).includes(`"${issue}"`));
  const { troubles } = await door.get<{ troubles: unknown }>('/health');
  const due = issue === undefined ? undefined : (await door.request('GET', `/issues/${issue}/explain`)).body;
  const told = [
    ...about.slice(-60),
    'the last of all:',
    ...events.slice(-15),
    ...door.log.slice(-10),
    troubles,
    due,
  ];
  return told.map((line) => JSON.stringify(line)).join('\n');
}

function promptsIn(folder: string, issue: string, mode: Mode): string[] {
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
