/** Returns the state as plain data for comparisons in tests. */
import type { CommentNode, Issue, PullRequest } from './model/nodes.ts';
import { nameOf } from './model/repositories.ts';
import type { GithubWorld } from './model/world.ts';
import type { GithubSnapshot } from './simulator.ts';

export function createSnapshot(world: GithubWorld): GithubSnapshot {
  const threads = [...world.repositories.values()].flatMap((repository) => repository.threads);
  const issues = threads.filter((thread): thread is Issue => thread.type === 'Issue');
  const pullRequests = threads.filter((thread): thread is PullRequest => thread.type === 'PullRequest');
  return {
    issues: issues.map((issue) => ({
      repo: nameOf(issue.repository),
      number: issue.number,
      title: issue.title,
      state: issue.state,
      labels: issue.labels.map(({ name }) => name),
      statuses: collectStatuses(world, issue),
      comments: issue.comments.map(toSnapshotComment),
    })),
    pullRequests: pullRequests.map((pullRequest) => ({
      repo: nameOf(pullRequest.repository),
      number: pullRequest.number,
      head: pullRequest.head,
      state: pullRequest.state,
      author: pullRequest.author.login,
      title: pullRequest.title,
      body: pullRequest.body,
      labels: pullRequest.labels.map(({ name }) => name),
      reviews: pullRequest.reviews.map(({ author, state, oid }) => ({
        author: author.login,
        state,
        sha: oid,
      })),
      comments: pullRequest.comments.map(toSnapshotComment),
    })),
  };
}

/** Returns the issue's status on each of its projects, by project name. */
function collectStatuses(world: GithubWorld, issue: Issue): Record<string, string | null> {
  const on = world.projects.flatMap((project) => project.items.filter(({ content }) => content === issue));
  return Object.fromEntries(
    on.map(({ project, values }) => [
      `${project.owner.login}/${project.number}`,
      values.find(({ field }) => field.name === 'Status')?.option?.name ?? null,
    ]),
  );
}

function toSnapshotComment({ author, body }: CommentNode): { author: string; body: string } {
  return { author: author.login, body };
}
