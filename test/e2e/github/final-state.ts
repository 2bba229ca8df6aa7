/**
 * Checks the required final state of GitHub and the journal after a whole run, whatever went wrong
 * in between.
 */
import { expect } from 'vitest';
import type { GithubSnapshot } from '../../../simulators/github/simulator.ts';
import { quantities } from '../../../src/demo/stories/quantities.ts';
import type { NumberedStory } from '../../../src/demo/stories.ts';
import { splitMark } from '../../../src/integrations/github/client/published-text.ts';
import type { GithubDaemon } from './github-legion.ts';

/**
 * Expects that every issue is Done and closed with one merged pull request, and that no comments,
 * labels or reviews are duplicated.
 */
export function expectFinalState(
  daemon: GithubDaemon,
  stories: readonly NumberedStory[],
  said: string,
): void {
  const { issues, pullRequests } = daemon.github.snapshot();
  expect(
    issues.map(({ state, statuses }) => [state, statuses[daemon.seed.project]]),
    said,
  ).toEqual(stories.map(() => ['CLOSED', 'Done']));
  expect(pullRequests.map(({ head, state }) => `${head} ${state}`).toSorted(), said).toEqual(
    stories.map(({ id }) => `${id} MERGED`).toSorted(),
  );
  for (const { labels, comments } of [...issues, ...pullRequests]) {
    expect(new Set(labels).size, `${said}: ${labels.join(', ')}`).toBe(labels.length);
    const marks = comments.flatMap(({ body }) => splitMark(body).name ?? []);
    expect(new Set(marks).size, `${said}: ${marks.join(', ')}`).toBe(marks.length);
  }
  for (const { head, reviews } of pullRequests) {
    const { title } = stories.find(({ id }) => id === head) ?? {};
    const verdicts = title === quantities.title ? ['CHANGES_REQUESTED', 'APPROVED'] : ['APPROVED'];
    expect(
      reviews.map(({ author, state }) => `${author} ${state}`),
      `${said}: ${head}`,
    ).toEqual(verdicts.map((verdict) => `legion-review ${verdict}`));
  }
}

/**
 * Returns the snapshot without the parts that vary between runs: numbers, commits and the order of
 * concurrent events.
 */
export function toComparable({ issues, pullRequests }: GithubSnapshot): unknown {
  const heads = new Map(pullRequests.map(({ number, head }) => [String(number), head]));
  const plain = (text: string) =>
    text
      .replace(/\b[0-9a-f]{40}\b|\b[0-9a-f]{7,12}\b/g, 'SHA')
      .replace(/#(\d+)/g, (whole, number: string) => heads.get(number) ?? whole);
  const words = (comments: readonly { author: string; body: string }[]) =>
    comments.map(({ author, body }) => `${author}: ${plain(splitMark(body).text)}`).toSorted();
  return {
    issues: issues.map(({ comments, labels, ...issue }) => ({
      ...issue,
      labels: labels.toSorted(),
      comments: words(comments),
    })),
    pullRequests: pullRequests
      .map(({ number: _, comments, labels, reviews, body, ...pullRequest }) => ({
        ...pullRequest,
        body: plain(splitMark(body).text),
        labels: labels.toSorted(),
        reviews: reviews.map(({ author, state }) => `${author} ${state}`),
        comments: words(comments),
      }))
      .toSorted((a, b) => (a.head < b.head ? -1 : 1)),
  };
}
