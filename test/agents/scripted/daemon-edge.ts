/**
 * Fake daemon: a real server that writes `daemon.json`, accepts worker requests and sends valid
 * responses.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DAEMON_FILE, type DaemonFile } from '../../../src/protocol/state-files.ts';
import type { VerbAnswer } from '../../../src/protocol/verb.ts';
import { VERB_NAMES, type VerbName } from '../../../src/protocol/verb.ts';

interface Heard {
  readonly verb: VerbName;
  readonly input: unknown;
  readonly token: string | undefined;
}

export interface DaemonEdge {
  readonly heard: readonly Heard[];
  /** Sets the daemon's response to a verb from now on. */
  answer<V extends VerbName>(verb: V, answer: VerbAnswer<V>): void;
  /** Sets the issue's title. */
  title(title: string): void;
  refuse(verb: VerbName, code: string, message: string): void;
  close(): Promise<void>;
}

const says = 'as you say';
const judged = { says, durable: true, accepted: true } as const;

function issueCalled(title: string): VerbAnswer<'issue'> {
  const column = 'In Progress';
  const issue = { id: 'DEMO-1', title, body: 'Say it.', status: column, column } as const;
  return {
    issue: { ...issue, labels: [], priority: 0, createdAt: 0, blockedBy: [] },
    comments: [],
    pullRequest: null,
    remarks: [],
  };
}

const ANSWERS: { readonly [V in VerbName]: VerbAnswer<V> } = {
  issue: issueCalled('Say hello'),
  done: judged,
  error: judged,
  ask: { says, question: 1 },
  checkpoint: { says },
  handoff_read: { handoffs: {} },
  handoff_write: { says, phase: 'implement' },
  comment: { says },
  split: { says, children: ['DEMO-2'] },
  push: { says, sha: 'a'.repeat(40), branch: 'DEMO-1' },
  pr_open: { says, number: 1 },
  pr_edit: { says },
  pr_show: {
    number: 1,
    state: 'open',
    draft: false,
    title: 'Hello',
    branch: 'DEMO-1',
    headSha: 'a'.repeat(40),
    review: 'none',
    ci: 'none',
    mergeable: 'mergeable',
    base: 'main',
    author: 'demo-1-implement',
    labels: [],
    additions: 1,
    deletions: 0,
    files: ['hello.txt'],
    body: 'Says hello.',
  },
  ci: { says, number: 1, sha: 'a'.repeat(40), status: 'none', checks: [] },
  pr_ready: { says },
  verdict: { says, sha: 'a'.repeat(40) },
  review: { says, sha: 'a'.repeat(40) },
  plan_review: { says },
  merge: { says, mergedSha: 'b'.repeat(40) },
  message: { says, message: 1 },
  status: {
    worker: 'demo-1-implement',
    issue: 'DEMO-1',
    mode: 'implement',
    attempt: 1,
    state: 'executing',
    says,
  },
};

export async function daemonEdge(state: string): Promise<DaemonEdge> {
  const heard: Heard[] = [];
  const answers = new Map<VerbName, { readonly status: number; readonly body: unknown }>();
  const server = createServer(async (request, response) => {
    const verb = VERB_NAMES.find((name) => request.url === `/worker/${name}`);
    if (verb === undefined) throw new Error(`${request.method} ${request.url} is not a verb`);
    heard.push({ verb, input: await json(request), token: tokenOf(request) });
    const { status, body } = answers.get(verb) ?? { status: 200, body: ANSWERS[verb] };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const socket = join(state, 'daemon.sock');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const file = {
    legion: 'demo',
    url: 'http://127.0.0.1:1',
    socket,
    pid: process.pid,
    startedAt: 0,
    version: '0',
  };
  writeFileSync(join(state, DAEMON_FILE), JSON.stringify(file satisfies DaemonFile));
  return {
    heard,
    answer: (verb, body) => void answers.set(verb, { status: 200, body }),
    title: (title) => void answers.set('issue', { status: 200, body: issueCalled(title) }),
    refuse: (verb, code, message) =>
      void answers.set(verb, { status: 409, body: { error: { code, message, next: 'mend it' } } }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function tokenOf({ headers }: IncomingMessage): string | undefined {
  return headers.authorization?.replace('Bearer ', '');
}
