/** Lays a scene out as lines of a screen: the board gets what the rest leaves. Pure. */

import { counted, span } from '../../../domain/format.ts';
import { SCRIPTED_BANNER } from '../../../domain/scripted.ts';
import { eventParts } from '../../present/event.ts';
import { cutTo } from '../../present/fit.ts';
import { type Line, plain, styled } from '../../present/line.ts';
import { boardLines } from './board-lines.ts';
import type { Picture, Scene } from './picture.ts';

/** Of the lines below the head: what waits for a person, then the events; each shown only as far as there is any. */
const INBOX_SHARE = 1 / 5;
const EVENTS_SHARE = 1 / 4;
const LEAST_LINES = 3;

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Exactly `rows` lines or fewer. */
export function layout(scene: Scene, size: Size, now: number): readonly Line[] {
  const head = headLines(scene, now);
  const foot: Line = [styled('dim', 'q ends · legion inbox · legion explain ISSUE')];
  const room = size.rows - head.length - 1;
  if (scene.picture === undefined || room < LEAST_LINES) return [...head, foot].slice(0, size.rows);

  const inbox = cut(inboxLines(scene.picture, size.columns, now), share(room, INBOX_SHARE), 'first');
  const events = cut(eventLines(scene), share(room, EVENTS_SHARE), 'last');
  const below = [...titled('Waits for you', inbox), ...titled('Events', events)];
  const kept = below.length > room - LEAST_LINES ? titled('Waits for you', inbox) : below;
  const board = cut(boardLines(scene.picture, size.columns, now), room - kept.length, 'first');
  const gap = Array.from({ length: Math.max(0, room - kept.length - board.length) }, (): Line => []);
  return [...head, ...board, ...gap, ...kept, foot].slice(0, size.rows);
}

function headLines({ picture, away }: Scene, now: number): readonly Line[] {
  const lost: readonly Line[] =
    away === undefined ? [] : [[styled('red', `daemon away: ${away}; trying again`)]];
  if (picture === undefined) return [[plain('reading the board …')], ...lost];
  const { legion, startedAt, workers, starts, troubles, scripted } = picture.health;
  const waiting = picture.inbox.length;
  const issues = picture.issues.length;
  const { stopping = 0 } = workers;
  const leaving = stopping > 0 ? `, ${stopping} stopping` : '';
  const counts = `${workers.live} of ${workers.limit} workers${leaving} · ${counted(issues, 'issue')}`;
  return [
    [
      styled('bold', legion),
      plain(' · '),
      waiting === 0 ? styled('dim', 'nothing waits for you') : styled('yellow', `${waiting} waiting for you`),
      plain(` · ${counts} · up ${span(now - startedAt)}`),
    ],
    ...lost,
    ...(scripted === true ? [[styled('yellow', SCRIPTED_BANNER)]] : []),
    ...(starts.allowed ? [] : [[styled('yellow', `no worker is started: ${starts.why ?? 'paused'}`)]]),
    ...troubles.map(({ code, message }) => [styled('red', `${message} [${code}]`)]),
    [],
  ];
}

function inboxLines({ inbox }: Picture, columns: number, now: number): readonly Line[] {
  return inbox.map(({ kind, issue, title, since, next }) => [
    styled('yellow', `  ${issue ?? 'legion'} ${kind}`),
    // The command that settles it must stay in sight.
    plain(`  ${cutTo(title, Math.floor(columns / 3))}`),
    styled('dim', `  ${next}  ${span(now - since)}`),
  ]);
}

function eventLines({ events }: Scene): readonly Line[] {
  return events.map((event) => {
    const { at, subject, what, detail } = eventParts(event);
    return [
      styled('dim', `  ${at}  `),
      styled('cyan', subject === '' ? '' : `${subject}  `),
      plain(what),
      styled('dim', detail === '' ? '' : `  ${detail}`),
    ];
  });
}

function share(room: number, part: number): number {
  return Math.max(LEAST_LINES, Math.floor(room * part));
}

function titled(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [[styled('bold', title)], ...lines];
}

/** Says how many there is no room for. */
function cut(lines: readonly Line[], most: number, keep: 'first' | 'last'): readonly Line[] {
  if (lines.length <= most) return lines;
  if (keep === 'last') return lines.slice(-Math.max(0, most));
  const kept = lines.slice(0, Math.max(0, most - 1));
  return [...kept, [styled('dim', `  … and ${lines.length - kept.length} more lines`)]].slice(
    0,
    Math.max(0, most),
  );
}
