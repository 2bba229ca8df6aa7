/** What hangs on an issue and leaves its own time alone: comments, attachments, relations to others. */
import type { Attachment, Comment, ExternalUser, Issue, IssueRelation, User } from './nodes.ts';
import { invalid } from './refusal.ts';
import type { World } from './world.ts';

export function addComment(
  world: World,
  by: { readonly user?: User; readonly external?: ExternalUser },
  issue: Issue,
  wanted: { readonly id?: string | null; readonly body: string; readonly parent?: Comment | undefined },
): Comment {
  const { body, parent } = wanted;
  if (body.trim() === '') throw invalid('body must not be empty');
  if (parent !== undefined && parent.issue !== issue) throw invalid('parentId is a comment of another issue');
  if (parent?.parent !== undefined) throw invalid('parentId must be the first comment of its thread');
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

export interface NewAttachment {
  readonly id?: string | null | undefined;
  readonly url: string;
  readonly title: string;
  readonly subtitle?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** An address is attached to an issue once; a second time makes what is there anew, and it keeps its id. */
export function attach(world: World, by: User | undefined, issue: Issue, wanted: NewAttachment): Attachment {
  if (!URL.canParse(wanted.url)) throw invalid('url must be a URL address');
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

/** Linear documents no webhook for relations, and neither issue is another for it. */
export function relate(
  world: World,
  issue: Issue,
  related: Issue,
  { kind, id }: { readonly kind: IssueRelation['kind']; readonly id?: string | null },
): IssueRelation {
  if (issue === related) throw invalid('An issue cannot be related to itself');
  const existing = world
    .all('IssueRelation')
    .find((each) => each.issue === issue && each.related === related && each.kind === kind);
  if (existing !== undefined) throw invalid('Issue relation already exists');
  return world.add({ ...world.identity('IssueRelation', id), node: 'IssueRelation', issue, related, kind });
}
