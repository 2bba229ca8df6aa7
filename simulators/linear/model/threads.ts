/** Manages comments, attachments and relations, which do not change the issue's own update time. */
import type { Attachment, Comment, ExternalUser, Issue, IssueRelation, User } from './nodes.ts';
import { toInvalidInput } from './refusal.ts';
import type { LinearWorld } from './world.ts';

export function addComment(
  world: LinearWorld,
  by: { readonly user?: User; readonly external?: ExternalUser },
  issue: Issue,
  wanted: { readonly id?: string | null; readonly body: string; readonly parent?: Comment | undefined },
): Comment {
  const { body, parent } = wanted;
  if (body.trim() === '') throw toInvalidInput('body must not be empty');
  if (parent !== undefined && parent.issue !== issue)
    throw toInvalidInput('parentId is a comment of another issue');
  if (parent?.parent !== undefined) throw toInvalidInput('parentId must be the first comment of its thread');
  const comment = world.add<Comment>({
    ...world.identity('Comment', wanted.id),
    node: 'Comment',
    issue,
    parent,
    body,
    user: by.user,
    external: by.external,
  });
  world.changed({ action: 'create', node: comment, by: by.user ?? by.external });
  return comment;
}

export function updateComment(world: LinearWorld, comment: Comment, body: string): void {
  if (body.trim() === '') throw toInvalidInput('body must not be empty');
  const updatedFrom = { body: comment.body, updatedAt: comment.updatedAt };
  comment.body = body;
  comment.updatedAt = world.now();
  world.changed({ action: 'update', node: comment, by: comment.user ?? comment.external, updatedFrom });
}

export interface NewAttachment {
  readonly id?: string | null | undefined;
  readonly url: string;
  readonly title: string;
  readonly subtitle?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Attaches a URL to an issue. If the URL is already attached, updates the existing attachment and
 * keeps its id.
 */
export function addAttachment(
  world: LinearWorld,
  by: User | undefined,
  issue: Issue,
  wanted: NewAttachment,
): Attachment {
  if (!URL.canParse(wanted.url)) throw toInvalidInput('url must be a URL address');
  const { title, subtitle, metadata } = wanted;
  const existing = world.all('Attachment').find((each) => each.issue === issue && each.url === wanted.url);
  if (existing !== undefined) {
    const updatedFrom = { title: existing.title, subtitle: existing.subtitle, updatedAt: existing.updatedAt };
    existing.title = title;
    existing.subtitle = subtitle ?? undefined;
    existing.metadata = metadata ?? {};
    existing.updatedAt = world.now();
    world.changed({ action: 'update', node: existing, by, updatedFrom });
    return existing;
  }
  const attachment = world.add<Attachment>({
    ...world.identity('Attachment', wanted.id),
    node: 'Attachment',
    issue,
    url: wanted.url,
    title,
    subtitle: subtitle ?? undefined,
    metadata: metadata ?? {},
    creator: by,
  });
  world.changed({ action: 'create', node: attachment, by });
  return attachment;
}

/** Linear documents no webhook for relations, and a relation does not update either issue. */
export function addRelation(
  world: LinearWorld,
  issue: Issue,
  related: Issue,
  { kind, id }: { readonly kind: IssueRelation['kind']; readonly id?: string | null },
): IssueRelation {
  if (issue === related) throw toInvalidInput('An issue cannot be related to itself');
  const existing = world
    .all('IssueRelation')
    .find((each) => each.issue === issue && each.related === related && each.kind === kind);
  if (existing !== undefined) throw toInvalidInput('Issue relation already exists');
  return world.add({ ...world.identity('IssueRelation', id), node: 'IssueRelation', issue, related, kind });
}
