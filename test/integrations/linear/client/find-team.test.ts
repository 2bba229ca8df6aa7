import { describe, expect, it } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { findTeam } from '../../../../src/linear/find-team.ts';

const teams = [
  { id: '7B1C9C1E-2f5a-4d0e-9a54-0d9a4f6a2b11', key: 'ENG', name: 'Engineering' },
  { id: '924320b3-c96b-410f-b8c4-43e1040229e8', key: 'OPS', name: 'Operations' },
  { id: '0a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'DES', name: 'Design' },
  { id: '1a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'DE2', name: 'design' },
  { id: '2a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'MKT', name: 'ops' },
  { id: '3a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'FIN', name: 'Finance' },
  { id: '4a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'HR', name: 'People' },
];

describe('a team is found', () => {
  it.each([
    ['7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11', 'ENG'],
    ['eng', 'ENG'],
    [' Engineering ', 'ENG'],
    ['ENGINEERING', 'ENG'],
    // A key belongs to one team, whatever another one is called.
    ['ops', 'OPS'],
  ])('by %j', (text, key) => {
    expect(findTeam(teams, text).key).toBe(key);
  });
});

function faultOf(text: string, among = teams): LegionError {
  try {
    findTeam(among, text);
  } catch (error) {
    if (error instanceof LegionError) return error;
  }
  throw new Error('it was found');
}

describe('a team is not found', () => {
  it('by a name that two have; both are named with their keys', () => {
    const { code, message } = faultOf('Design');
    expect(code).toBe('input.invalid');
    expect(message).toContain('DES ("Design"), DE2 ("design")');
  });

  it('by a name that none has; the nearest are named, the likeliest first', () => {
    const { code, message } = faultOf('Enginering');
    expect(code).toBe('linear.missing');
    expect(message).toMatch(/nearest of 7 are ENG \("Engineering"\)/);
    expect(message.match(/\("/g)).toHaveLength(5);
  });

  it('where there is none, which is said', () => {
    expect(faultOf('x\u0007', []).message).toBe(
      'there is no team "x\\u0007": the account sees no team at all',
    );
  });

  it('by nothing', () => {
    expect(faultOf(' ').code).toBe('linear.missing');
  });
});
