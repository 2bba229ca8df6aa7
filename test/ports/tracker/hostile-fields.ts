/** Puts hostile values into every field that documents ask for, and checks that only their own issue is affected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { Tracker } from '../../../src/ports/tracker.ts';
import type { AnswerField } from './answer-fields.ts';
import { AN_OBJECT, drawHostileValues, expectSane, expectSaneComments } from './hostile-values.ts';
import { SIGNAL } from './issues.ts';

export interface HostileBoard {
  /** A tracker that has read nothing yet. */
  tracker(): Promise<Tracker & { troubles(): readonly string[] }>;
  /** Every issue but these is hostile. */
  readonly healthy: readonly string[];
  /** From now on answers have another value in this field of the hostile records; returns the way to end that. */
  rewrite(field: AnswerField, change: (value: unknown) => unknown): () => void;
  /** Lets so much time pass that nothing is answered from what was just read. */
  pass(): void;
  close(): Promise<void>;
}

interface Table {
  readonly fields: readonly AnswerField[];
  readonly open: () => Promise<HostileBoard>;
  /** Fields that may say that the issue is not on the board. */
  readonly leaves?: readonly string[];
  /** Fields that no read of this small board asks for, each with the reason. */
  readonly unreached?: Readonly<Record<string, string>>;
  /** Fields of which a list does not report that their value has another type, each with the reason. */
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
      test('affects only its own issue', async () => {
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
          expect(reached, `whether a read asks for ${name}`).toBe(!Object.hasOwn(unreached, name));
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
  // Twice, because the second look asks only for changes.
  for (const look of ['first', 'second']) {
    const issues = await tracker.list(SIGNAL).catch((error: unknown) => {
      throw new Error(`${what}, ${look} look: ${String(error)}`, { cause: error });
    });
    expect(
      issues.filter(({ id }) => board.healthy.includes(id)),
      `${what}, ${look} look`,
    ).toEqual(others);
    const hostile = issues.find(({ id }) => !board.healthy.includes(id));
    const said = [...tracker.troubles(), ...(hostile?.problems ?? [])];
    if (isReported || (hostile === undefined && !mayLeave))
      expect(said, `${what}: nothing is said of it`).not.toEqual([]);
    if (hostile !== undefined) expectSane(hostile);
    if (hostile !== undefined && look === 'second') await expectReadable(board, tracker, hostile, what);
  }
  board.pass();
  for (const id of board.healthy) expect(await tracker.commentsSince(id, 0, SIGNAL), what).toHaveLength(1);
}

/** What is refused about one issue is a coded error of that issue. */
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
