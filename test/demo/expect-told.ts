/** A problem of one issue's record is told wherever a person may look. */
import { expect } from 'vitest';
import type { IssueView } from '../../src/protocol/board.ts';
import type { Life } from '../support/legion-process.ts';

/** `problem` is a part of its text; the hostile characters of the issue are in none of it. */
export async function expectTold(life: Life, issue: string, problem: string): Promise<void> {
  const { issue: seen } = await life.door.get<{ issue: IssueView }>(`/issues/${issue}`);
  expect(seen.problems?.join(' ')).toContain(problem);
  for (const command of [['explain', issue], ['issue', 'show', issue], ['inbox']]) {
    const said = await life.legion(...command);
    expect(said, command.join(' ')).toMatchObject({ code: 0 });
    // Lines are folded to the width of the terminal.
    expect(said.stdout.replace(/\s+/g, ' '), command.join(' ')).toContain(problem);
    expect(said.stdout.isWellFormed(), command.join(' ')).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    expect(said.stdout, command.join(' ')).not.toMatch(/[\x00\x1b\u202e]/);
  }
  const status = await life.legion('status');
  expect(status.stdout).toContain('waiting for you: legion inbox');
  expect(status.stdout).toMatch(
    new RegExp(`^${issue} .*may be blocked by something that Legion cannot read`, 'm'),
  );
}

export async function expectNeverStarted(life: Life, issue: string): Promise<void> {
  const started = (await life.events()).filter(({ type }) => type === 'attempt.dispatched');
  expect(started).not.toEqual([]);
  expect(started.filter((event) => JSON.stringify(event).includes(issue))).toEqual([]);
}
