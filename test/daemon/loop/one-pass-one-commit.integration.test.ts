import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { type DeskLegion, deskLegion } from '../services/legion.ts';

let legion: DeskLegion;
beforeAll(async () => {
  legion = await deskLegion();
});
afterAll(() => legion.close());

test('a reconcile pass over an issue writes its observations and decisions in one commit', async () => {
  const { world: context, control } = legion;
  const issue = await legion.issue('Backlog', ['user-input-needed']);
  const appends: (readonly Event['type'][])[] = [];
  const stop = context.ledger.subscribe((events) => appends.push(events.map(({ type }) => type)));
  await control.advance(issue);
  stop();
  expect(appends).toEqual([['issue.sighted', 'decision.made']]);
});
