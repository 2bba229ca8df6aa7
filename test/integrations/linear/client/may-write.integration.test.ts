import { expect, test } from 'vitest';
import { findMissingPermissions } from '../../../../src/linear/may-write.ts';
import { linearStage } from './linear-client.ts';
import { never } from './wire.ts';

const stage = linearStage();

test('a key that may only read lacks a permission, and nothing is written to find out', async () => {
  const { linear, client } = stage();
  const key = linear.people.apiKey('ada', ['read']);
  expect(await findMissingPermissions(client({ key }), never)).toEqual([
    expect.stringMatching(/^Linear: the credential may read, but not write: .*permission Write/),
  ]);
  expect(await findMissingPermissions(client(), never)).toEqual([]);
  expect(linear.snapshot().issues).toEqual([]);
});
