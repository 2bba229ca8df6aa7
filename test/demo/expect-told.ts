/** Checks that a problem with one issue's record is shown everywhere a person may look. */
import { expect } from 'vitest';
import type { IssueView } from '../../src/protocol/board.ts';
import type { DaemonProcess } from '../support/legion-process.ts';

/**
 * `problem` is part of the problem's text, which must not contain the issue's hostile characters.
 */
export async function expectTold(daemon: DaemonProcess, issue: string, problem: string): Promise<void> {
  const { issue: seen } = await daemon.client.get<{ issue: IssueView }>(`/issues/${issue}`);
  expect(seen.problems?.join(' ')).toContain(problem);
  for (const command of [['explain', issue], ['issue', 'show', issue], ['inbox']]) {
    const said = await daemon.runCli(...command);
    expect(said, command.join(' ')).toMatchObject({ code: 0 });
    // Lines are wrapped to the width of the terminal.
    expect(said.stdout.replace(/\s+/g, ' '), command.join(' ')).toContain(problem);
    expect(said.stdout.isWellFormed(), command.join(' ')).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    expect(said.stdout, command.join(' ')).not.toMatch(/[\x00\x1b\u202e]/);
  }
  const status = await daemon.runCli('status');
  expect(status.stdout).toContain('waiting for you: run legion inbox');
  expect(status.stdout).toMatch(
    new RegExp(`^${issue} .*may be blocked by something that Legion cannot read`, 'm'),
  );
}

export async function expectNeverStarted(daemon: DaemonProcess, issue: string): Promise<void> {
  const started = (await daemon.events()).filter(({ type }) => type === 'attempt.dispatched');
  expect(started).not.toEqual([]);
  expect(started.filter((event) => JSON.stringify(event).includes(issue))).toEqual([]);
}
