/** What must be so on GitHub and in the journal when a whole life is over, whatever went wrong meanwhile. */
import { expect } from 'vitest';
import type { GithubSnapshot } from '../../../simulators/github/simulator.ts';
import { quantities } from '../../../src/demo/stories/quantities.ts';
import type { NumberedStory } from '../../../src/demo/stories.ts';
import { unmarked } from '../../../src/github/mark.ts';
import type { GithubLife } from './github-legion.ts';

/** Every issue Done and closed with one merged pull request, and nothing said, labelled or judged twice. */
export function expectWhole(life: GithubLife, stories: readonly NumberedStory[], said: string): void {
  const { issues, pullRequests } = life.github.snapshot();
  expect(
    issues.map(({ state, statuses }) => [state, statuses[life.seed.project]]),
    said,
  ).toEqual(stories.map(() => ['CLOSED', 'Done']));
  expect(pullRequests.map(({ head, state }) => `${head} ${state}`).toSorted(), said).toEqual(
    stories.map(({ id }) => `${id} MERGED`).toSorted(),
  );
  for (const { labels, comments } of [...issues, ...pullRequests]) {
    expect(new Set(labels).size, `${said}: ${labels.join(', ')}`).toBe(labels.length);
    const marks = comments.flatMap(({ body }) => unmarked(body).name ?? []);
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

/** The snapshot without what differs from one time to another: numbers, commits and the order of what happens side by side. */
export function comparable({ issues, pullRequests }: GithubSnapshot): unknown {
  const heads = new Map(pullRequests.map(({ number, head }) => [String(number), head]));
  const plain = (text: string) =>
    text
      .replace(/\b[0-9a-f]{40}\b|\b[0-9a-f]{7,12}\b/g, 'SHA')
      .replace(/#(\d+)/g, (whole, number: string) => heads.get(number) ?? whole);
  const words = (comments: readonly { author: string; body: string }[]) =>
    comments.map(({ author, body }) => `${author}: ${plain(unmarked(body).text)}`).toSorted();
  return {
    issues: issues.map(({ comments, labels, ...issue }) => ({
      ...issue,
      labels: labels.toSorted(),
      comments: words(comments),
    })),
    pullRequests: pullRequests
      .map(({ number: _, comments, labels, reviews, body, ...pullRequest }) => ({
        ...pullRequest,
        body: plain(unmarked(body).text),
        labels: labels.toSorted(),
        reviews: reviews.map(({ author, state }) => `${author} ${state}`),
        comments: words(comments),
      }))
      .toSorted((a, b) => (a.head < b.head ? -1 : 1)),
  };
}
