/** Showing an address at an issue, once. */
import type { IssueId } from '../../domain/ids.ts';
import { ownId } from '../../linear/own-id.ts';
import type { Link } from '../tracker.ts';
import { mutate, unlessThere } from './made-once.ts';
import type { Room } from './room.ts';
import { requireSight } from './sight.ts';
import { CREATE_ATTACHMENT } from './write-documents.ts';

export async function attach(room: Room, issue: IssueId, { url, title }: Link): Promise<void> {
  const { client, legion } = room;
  const id = ownId(legion, 'attachment', issue, url);
  const find = async () => {
    const { answer } = await requireSight(room, issue);
    const isThere = answer.attachments.nodes.some((each) => each.id === id || each.url === url);
    return { isThere, issueId: answer.id };
  };
  const { isThere, issueId } = await find();
  if (isThere) return;
  await unlessThere(
    () => mutate(client, CREATE_ATTACHMENT, { input: { id, issueId, url, title } }),
    async () => (await find()).isThere,
  );
}
