/**
 * Tests that a hostile value, in any field that the forge reads from GitHub, affects only its own
 * branch.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCHEMA } from '../../../../simulators/github/graphql/schema.ts';
import type { RewritableNode } from '../../../../simulators/github/model/nodes.ts';
import { CI_STATUSES } from '../../../../src/core/model/pull-request.ts';
import * as reading from '../../../../src/integrations/github/forge/documents.ts';
import type { Forge, ForgePullRequest } from '../../../../src/ports/forge.ts';
import { NEVER, pullRequest } from '../../../ports/forge/conformance/forge-under-test.ts';
import { type AnswerField, fieldsAsked } from '../../../ports/tracker/answer-fields.ts';
import { AN_OBJECT, drawHostileValues, expectPlain } from '../../../ports/tracker/hostile-values.ts';
import { REPO, type World, WRITER, world } from './world.ts';

const BRANCHES = ['eng-1', 'eng-2', 'eng-3'] as const;
const HOSTILE = 'eng-2';
const MINUTE_MS = 60_000;

const wanted = { branches: 1, links: [0], attached: 1 };
/** Documents that only writes send. No read of a pull request uses them. */
const FOR_WRITES = /^\s*(?:mutation|query (?:Before\w+|PullRequestToChange)\b)/;
const documents = [
  ...Object.values(reading)
    .filter((document) => typeof document === 'string')
    .filter((document) => !FOR_WRITES.test(document)),
  reading.buildBranchQuery('PullRequests', 'Full', wanted),
  reading.buildBranchQuery('PullRequestDigest', 'Light', wanted),
];
const fields = fieldsAsked({ schema: SCHEMA, documents, records: ['PullRequest', 'Commit'], shared: [] });

type Opened = Pick<ForgePullRequest, 'number' | 'headSha'>;

let present: World;
let others: readonly unknown[];
let hostile: Opened;

beforeAll(async () => {
  present = world('one');
  await present.make();
  const forge = await present.open();
  const { checks, people } = present.github();
  const found: Opened[] = [];
  for (const branch of BRANCHES)
    found.push(await pullRequest(present, forge, branch, { [`${branch}.txt`]: 'a' }));
  hostile = found[1] as Opened;
  for (const { headSha } of found) {
    checks.run(REPO, headSha, { name: 'unit', conclusion: 'SUCCESS' });
    checks.status(REPO, headSha, 'ci/other', 'FAILURE', 'Red');
  }
  await people.review(WRITER, REPO, hostile.number, 'CHANGES_REQUESTED', 'No');
  people.comment(WRITER, REPO, hostile.number, 'A word');
  await forge.label(hostile.number, { add: ['odd'], remove: [] });
  // The simulator cannot create line comments.
  rewrite({ record: 'PullRequest', path: 'reviews.nodes[].comments.nodes' }, () => [LINE]);
  present.clock.advance(MINUTE_MS);
  others = othersIn(await (await openForge()).pullRequests(BRANCHES, NEVER));
  present.github().faults.points(1_000_000);
});
afterAll(() => present.dispose());

describe.each(fields.map((field, index) => [`${field.record}.${field.path}`, field, index] as const))(
  '%s',
  (name, field, index) => {
    test('affects only its own branch if its value is hostile', async () => {
      for (const [what, value] of drawHostileValues(field.type, index)) {
        let reached = false;
        const end = rewrite(field, () => {
          reached = true;
          return value;
        });
        try {
          await expectIsolated(field, `${what} in ${name}`, value === AN_OBJECT);
        } finally {
          end();
        }
        expect(reached, `a read requests ${name}`).toBe(true);
      }
    });
  },
);

/** Links the issue of the hostile branch to the hostile pull request as well. */
function openForge(): Promise<Forge> {
  return present.open({ attached: (branch) => (branch === HOSTILE ? [hostile.number] : []) });
}

const LINE = { body: 'Odd', path: 'a.txt', line: 1, originalLine: 1, createdAt: '2030-01-01T00:00:00Z' };

function rewrite({ record, path }: Pick<AnswerField, 'record' | 'path'>, change: () => unknown): () => void {
  const matches = (node: RewritableNode) =>
    record === 'PullRequest'
      ? node.type === 'PullRequest' && node.number === hostile.number
      : node.type === 'Commit' && node.oid === hostile.headSha;
  return present.github().faults.rewrite({ matches, path, change });
}

async function expectIsolated(field: AnswerField, what: string, isReported: boolean): Promise<void> {
  const forge = await openForge();
  // Reads twice: the first read is a full one, and the second is a digest.
  for (const look of ['whole', 'digest']) {
    const all = await forge.pullRequests(BRANCHES, NEVER);
    expect(othersIn(all), `${what}, ${look}`).toEqual(others);
    const found = all.get(HOSTILE);
    if (typeof found === 'object') expectSanePullRequest(found);
    else if (isReported || found === 'unknown') expect(forge.whyUnknown?.(HOSTILE), what).toBeTruthy();
  }
  if (field.record === 'Commit') await expectSaneChecks(forge, what);
  if (/^(?:reviews|comments)\b/.test(field.path)) await expectSaneRemarks(forge, what);
  await forge.close();
}

async function expectSaneChecks(forge: Forge, what: string): Promise<void> {
  for (const check of await forge.checks(hostile.headSha, NEVER).catch(codedError(what))) {
    expectPlain(check.name);
    expect(check.url ?? 'https:').toMatch(/^https?:/);
    expect((check.summary ?? '').length).toBeLessThanOrEqual(4_000);
  }
  const failing = await forge.failingCheck(hostile.headSha, NEVER).catch(codedError(what));
  if (failing !== undefined && 'name' in failing) expectPlain(failing.name);
}

async function expectSaneRemarks(forge: Forge, what: string): Promise<void> {
  for (const remark of await forge.remarks(hostile.number, NEVER).catch(codedError(what))) {
    expectPlain(remark.by);
    expect(remark.text.isWellFormed() && Number.isFinite(remark.at)).toBe(true);
  }
}

function expectSanePullRequest(found: ForgePullRequest): void {
  for (const text of [found.title, found.author, found.branch, ...found.labels]) expectPlain(text);
  expect(found.body).not.toMatch(/[\0\r\u202e]/);
  expect([found.number, found.additions, found.deletions].every(Number.isSafeInteger)).toBe(true);
  expect(CI_STATUSES).toContain(found.ci);
  expect(['mergeable', 'conflicting', 'unknown']).toContain(found.mergeable);
  expect([found.headSha, found.baseSha].every((sha) => /^[0-9a-f]{40}$/.test(sha))).toBe(true);
  expect(found.changedFiles.every((path) => typeof path === 'string')).toBe(true);
}

function othersIn(found: Awaited<ReturnType<Forge['pullRequests']>>): readonly unknown[] {
  return ['eng-1', 'eng-3'].map((branch) => found.get(branch));
}

function codedError(what: string): (error: unknown) => [] {
  return (error) => {
    expect(error, what).toHaveProperty('code', expect.stringMatching(/^[a-z]+\.[a-z_]+$/));
    return [];
  };
}
