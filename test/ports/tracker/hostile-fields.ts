/**
 * Puts hostile values into every requested field and checks that they affect only the issue that
 * contains them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Issue } from '../../../src/core/model/issue.ts';
import type { Tracker } from '../../../src/ports/tracker.ts';
import type { AnswerField } from './answer-fields.ts';
import { AN_OBJECT, drawHostileValues, expectSane, expectSaneComments } from './hostile-values.ts';
import { SIGNAL } from './issues.ts';

export interface HostileBoard {
  /** Opens a tracker that has read nothing yet. */
  tracker(): Promise<Tracker & { problems(): readonly string[] }>;
  /** Ids of the issues without hostile values. */
  readonly healthy: readonly string[];
  /**
   * Rewrites this field of the hostile records in all responses. Returns a function that stops the
   * rewriting.
   */
  rewrite(field: AnswerField, change: (value: unknown) => unknown): () => void;
  /** Advances the clock until all cached responses have expired. */
  pass(): void;
  close(): Promise<void>;
}

interface Table {
  readonly fields: readonly AnswerField[];
  readonly open: () => Promise<HostileBoard>;
  /** Fields whose hostile value may make the issue disappear from the board. */
  readonly leaves?: readonly string[];
  /** Fields that no read of this small board requests, each with the reason. */
  readonly unreached?: Readonly<Record<string, string>>;
  /** Fields for which a list does not report a value of the wrong type, each with the reason. */
  readonly unreported?: Readonly<Record<string, string>>;
}

export function testHostileFields({
  fields,
  open,
  leaves = [],
  unreached = {},
  unreported = {},
}: Table): void {
  let board: HostileBoard;
  let others: readonly Issue[];
  beforeAll(async () => {
    board = await open();
    others = await listHealthy(board);
    expect(others).toHaveLength(board.healthy.length);
  });
  afterAll(() => board.close());

  describe.each(fields.map((field, index) => [nameOf(field), field, index] as const))(
    '%s',
    (name, field, index) => {
      test('affects only its own issue if its value is hostile', async () => {
        for (const [what, value] of drawHostileValues(field.type, index)) {
          let reached = false;
          const end = board.rewrite(field, () => {
            reached = true;
            return value;
          });
          try {
            const mayLeave = leaves.includes(name);
            const isSilent = Object.hasOwn(unreported, name) || Object.hasOwn(unreached, name);
            const isReported = value === AN_OBJECT && !isSilent;
            await expectIsolated(board, others, `${what} in ${name}`, { mayLeave, isReported });
          } finally {
            end();
          }
          expect(reached, `whether a read requests ${name}`).toBe(!Object.hasOwn(unreached, name));
        }
      });
    },
  );
}

async function expectIsolated(
  board: HostileBoard,
  others: readonly Issue[],
  what: string,
  { mayLeave, isReported }: { readonly mayLeave: boolean; readonly isReported: boolean },
): Promise<void> {
  board.pass();
  const tracker = await board.tracker();
  // Reads twice, because the second pass reads only changes.
  for (const look of ['first', 'second']) {
    const issues = await tracker.list(SIGNAL).catch((error: unknown) => {
      throw new Error(`${what}, ${look} pass: ${String(error)}`, { cause: error });
    });
    expect(
      issues.filter(({ id }) => board.healthy.includes(id)),
      `${what}, ${look} pass`,
    ).toEqual(others);
    const hostile = issues.find(({ id }) => !board.healthy.includes(id));
    const said = [...tracker.problems(), ...(hostile?.problems ?? [])];
    if (isReported || (hostile === undefined && !mayLeave))
      expect(said, `${what}: not reported`).not.toEqual([]);
    if (hostile !== undefined) expectSane(hostile);
    if (hostile !== undefined && look === 'second') await expectReadable(board, tracker, hostile, what);
  }
  board.pass();
  for (const id of board.healthy) expect(await tracker.commentsSince(id, 0, SIGNAL), what).toHaveLength(1);
}

/** Reads the issue and its comments. A read that fails must reject with an error code. */
async function expectReadable(
  board: HostileBoard,
  tracker: Tracker,
  hostile: Issue,
  what: string,
): Promise<void> {
  board.pass();
  const comments = await tracker.commentsSince(hostile.id, 0, SIGNAL).catch(codedError(what));
  if (Array.isArray(comments)) expectSaneComments(comments);
  const read = await tracker.read(hostile.id, SIGNAL).catch(codedError(what));
  if (typeof read === 'object') expectSane(read);
}

function codedError(what: string): (error: unknown) => 'refused' {
  return (error) => {
    expect(error, what).toHaveProperty('code', expect.stringMatching(/^[a-z]+\.[a-z_]+$/));
    return 'refused';
  };
}

function nameOf({ record, path }: AnswerField): string {
  return `${record}.${path}`;
}

async function listHealthy(board: HostileBoard): Promise<readonly Issue[]> {
  const issues = await (await board.tracker()).list(SIGNAL);
  return issues.filter(({ id }) => board.healthy.includes(id));
}
