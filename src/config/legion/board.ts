/** The part of `legion.yaml` that says whose board and whose code a legion works on. */
import { z } from 'zod';
import { readLegionId } from '../../core/model/ids.ts';
import { STATUSES } from '../../core/model/status.ts';
import { choice, duration, leaf, list, text, whole } from '../schema/leaf.ts';
import { NAME, NAME_ALLOWED, section, sectionOf } from '../schema/section.ts';

/** A project board of GitHub: `owner/number`. */
export const PROJECT = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[1-9]\d{0,9}$/;

/** `owner/name` on github.com, or `host/owner/name`; no part begins with a mark, so none is `..` or an option. */
const REPOSITORY =
  /^(?:[a-z0-9][a-z0-9.-]{0,252}\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

const PATH = /^(?:\/|~\/)/;
export const path = () => text(4_096, 'an absolute path, or one that begins with ~/', PATH);

/** Longer than any board allows. */
const COLUMN_LENGTH = 200;
const column = z.string().trim().min(1).max(COLUMN_LENGTH);

const repository = section({
  repo: text(300, 'owner/name or host/owner/name', REPOSITORY),
  path: path().optional(),
  base: text(200, 'a branch name', /^[A-Za-z0-9][A-Za-z0-9._/-]*$/).optional(),
  labels: list(text(100, 'a label'), 50, 'a list of labels').optional(),
  projects: list(text(200, 'a project name'), 50, 'a list of project names').optional(),
});

export const board = {
  legion: leaf(
    z.string().refine((id) => readLegionId(id).ok),
    { allowed: 'a name, a GitHub owner/project-number or the UUID of a Linear team', kind: 'text' },
  ),
  short_id: text(63, NAME_ALLOWED, NAME),
  backend: choice(['local', 'github', 'linear']),
  forge: choice(['local', 'github']),
  port: whole(0, 65_535),
  repos: z
    .array(z.preprocess((entry) => (typeof entry === 'string' ? { repo: entry } : entry), repository))
    .max(200),
  extra_projects: list(
    text(60, 'a GitHub owner/project-number', PROJECT),
    50,
    'a list of GitHub owner/project-number',
  ),
  github: section({
    url: text(
      500,
      'an address such as https://github.com or https://github.example.com',
      /^https?:\/\/[^\s/@?#]+$/,
    ).optional(),
    write_spacing: duration().optional(),
  }),
  linear: section({
    url: text(500, 'an address such as https://api.linear.app', /^https?:\/\/[^\s/@?#]+$/).optional(),
  }),
  authors: section({
    trust: choice(['writers', 'anyone']).optional(),
    also: list(text(100, 'the name of an account'), 500, 'a list of names of accounts').optional(),
  }),
  statuses: sectionOf(
    'status',
    STATUSES,
    leaf(z.union([column.transform((name) => [name]), z.array(column).min(1).max(20)]), {
      allowed: 'the name of a column, or a list of them',
      kind: 'list',
    }),
  ),
};
