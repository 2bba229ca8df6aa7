/**
 * Checks the required final state of Linear and GitHub after a whole run, whatever went wrong in
 * between.
 */
import { expect } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import type { LinearSnapshot } from '../../../simulators/linear/simulator.ts';
import type { NumberedStory } from '../../../src/demo/stories.ts';
import { isOwnId } from '../../../src/integrations/linear/client/own-id.ts';
import type { LinearDaemon } from './linear-legion.ts';

/**
 * Expects that every issue is Done and exists once, and is linked to its pull request if the pull
 * request has a URL. Comments, labels, links and issues must not be duplicated.
 */
export function expectFinalState(
  { linear, github }: LinearDaemon,
  stories: readonly NumberedStory[],
  said: string,
): void {
  const { issues, labels } = linear.snapshot();
  expect(
    issues.map(({ identifier, state, stateType, trashed, archived }) => ({
      identifier,
      state,
      stateType,
      trashed,
      archived,
    })),
    said,
  ).toEqual(
    stories.map(({ id }) => ({
      identifier: id,
      state: 'Done',
      stateType: 'completed',
      trashed: false,
      archived: false,
    })),
  );
  for (const { identifier, labels: own, comments, attachments, blockedBy } of issues) {
    const about = `${said}: ${identifier}`;
    for (const once of [own, comments.map(({ body }) => body), attachments, blockedBy])
      expectOnce(once, about);
    // Legion has commented on every issue. Its first comment states how Legion merges.
    expect(
      comments.filter(({ id }) => isOwnId(id)),
      about,
    ).not.toEqual([]);
  }
  expectOnce(
    labels.map(({ name, team }) => `${team} ${name.toLowerCase()}`),
    said,
  );
  if (github !== undefined) expectShown(issues, github, stories, said);
}

function expectShown(
  issues: LinearSnapshot['issues'],
  github: NonNullable<LinearDaemon['github']>,
  stories: readonly NumberedStory[],
  said: string,
): void {
  const { pullRequests, issues: there } = github.snapshot();
  expect(there, said).toEqual([]);
  expect(pullRequests.map(({ head, state }) => `${head} ${state}`).toSorted(), said).toEqual(
    stories.map(({ id }) => `${id} MERGED`).toSorted(),
  );
  const addresses = new Map(
    pullRequests.map(({ head, number }) => [head, `${github.url}/${DEMO_REPO}/pull/${number}`]),
  );
  expect(
    Object.fromEntries(issues.map(({ identifier, attachments }) => [identifier, attachments])),
    said,
  ).toEqual(Object.fromEntries(stories.map(({ id }) => [id, [addresses.get(id)]])));
}

function expectOnce(list: readonly string[], said: string): void {
  expect(
    list.filter((each, index) => list.indexOf(each) !== index),
    said,
  ).toEqual([]);
}

/**
 * Returns the snapshot without the parts that vary between runs: ids, commits and the order of
 * concurrent events. Also omits the team's labels, because unused ones are never created.
 */
export function toComparable({ issues, states }: LinearSnapshot): unknown {
  const plain = (text: string) =>
    text.replace(/\b[0-9a-f]{40}\b|\b[0-9a-f]{7,12}\b/g, 'SHA').replace(/#\d+/g, '#N');
  return {
    states,
    issues: issues.map(({ comments, labels: own, attachments, ...issue }) => ({
      ...issue,
      labels: own.toSorted(),
      attachments: attachments.length,
      comments: comments.map(({ author, body }) => `${author}: ${plain(body)}`).toSorted(),
    })),
  };
}
