/**
 * Defines the board of a demo. The demo acts as a person: it submits issues and comments there, and
 * then checks the results.
 */

import { LegionError } from '../../../../core/model/fault.ts';
import type { DemoFolder } from '../../../../demo/lay-out.ts';
import type { DemoServices } from '../../../../demo/options.ts';
import { PERSON } from '../../../../demo/person.ts';
import { listFreshBoardStories, type NumberedStory } from '../../../../demo/stories.ts';
import { issueActionEndpoints } from '../../../../protocol/endpoints/issue-actions.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import type { DaemonClient } from '../../../daemon-client.ts';

export interface DemoBoard {
  /** Locations of the board and the code, for the configuration. */
  readonly serviceOptions: DemoServices;
  /** The demo's stories, with the issue ids that this board assigned. */
  readonly stories: readonly NumberedStory[];
  /** Puts the issue on the board, so that the legion starts to work on it. */
  submit(story: NumberedStory, daemon: DaemonClient): Promise<void>;
  clarify(issue: string, text: string, daemon: DaemonClient): Promise<void>;
  answer(question: AskedQuestion, text: string, daemon: DaemonClient): Promise<void>;
  approve(issue: string, daemon: DaemonClient): Promise<void>;
  /** Updates the sample repository's main branch to the merged state. */
  updateMain(demo: DemoFolder): Promise<void>;
  /** After every issue is Done, lists the mistakes that are visible on the board. */
  findMistakes(signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface AskedQuestion {
  readonly issue: string;
  readonly question: number;
}

/**
 * Returns the local board. It numbers issues from one and merges into the sample repository
 * directly.
 */
export function createDemoLocalBoard(): DemoBoard {
  return {
    ...COMMAND_LINE_PERSON,
    serviceOptions: {},
    stories: listFreshBoardStories(),
    async submit({ id, title, body, labels }, daemon) {
      const issue = await daemon.call(issueEndpoints.add, { body: { title, body, labels } });
      // The scenario refers to its issues by the ids that a fresh board assigns.
      if (issue.id !== id)
        throw new LegionError('daemon.defect', `The board assigned the id ${issue.id}, expected ${id}.`);
    },
    async clarify(issue, text, daemon) {
      const body = { text, author: PERSON };
      await daemon.call(issueEndpoints.comment, { params: { id: issue }, body });
    },
    updateMain: async () => undefined,
    close: async () => undefined,
  };
}

/** Answers and approves with `legion` commands. Checks nothing on the board afterwards. */
export const COMMAND_LINE_PERSON: Pick<DemoBoard, 'answer' | 'approve' | 'findMistakes'> = {
  async answer({ issue, question }, text, daemon) {
    const body = { text, by: PERSON, question };
    await daemon.call(issueActionEndpoints.answer, { params: { id: issue }, body });
  },
  async approve(issue, daemon) {
    const body = { by: PERSON };
    await daemon.call(issueActionEndpoints.approve, { params: { id: issue }, body });
  },
  findMistakes: async () => [],
};
