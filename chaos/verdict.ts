/** Whether the promises held, from what was seen from outside: pure, so that each verdict can be shown to turn red. */

/** From the death of a daemon until the next one is ready. */
export const READY_GOAL_MS = 5_000;

export interface Seen {
  /** The titles of all issues that were added. */
  readonly titles: readonly string[];
  readonly board: readonly { readonly id: string; readonly title: string; readonly status: string }[];
  /** The subjects of all commits of the base. */
  readonly subjects: readonly string[];
  /** The first lines of the notes that are on the base, one for each piece of work. */
  readonly notes: readonly string[];
  /** Messages of workers that nobody has read. */
  readonly unread: readonly string[];
  readonly overlaps: readonly string[];
  readonly decoys: { readonly there: number; readonly harmed: readonly string[] };
  /** What SQLite says of each store; `ok` if nothing. */
  readonly stores: Readonly<Record<string, string>>;
  readonly journal: readonly JournalRow[];
  /** What a daemon had told before it was killed. */
  readonly told: Iterable<{ readonly seq: number; readonly type: string; readonly at: number }>;
  readonly readyMs: readonly number[];
  readonly adopted: number;
  readonly unadopted: readonly string[];
  /** Attempts the harness has killed, or whose runner: `worker/attempt`. */
  readonly killed: ReadonlySet<string>;
  /** What went so wrong that the run could not go on. */
  readonly failure?: string | undefined;
}

export interface JournalRow {
  readonly seq: number;
  readonly at: number;
  readonly epoch: number;
  readonly type: string;
  /** `worker/attempt` where it is about one. */
  readonly attempt: string | undefined;
}

export interface Verdict {
  readonly promise: string;
  readonly seen: string;
  /** Empty where it was kept. */
  readonly wrong: readonly string[];
}

export function verdicts(seen: Seen): readonly Verdict[] {
  const { titles, overlaps, decoys, readyMs, adopted, unadopted, unread, failure } = seen;
  const starts = readyMs.map(Math.round).sort((one, other) => one - other);
  const [middle = 0, slowest = 0] = [starts[Math.floor(starts.length / 2)], starts.at(-1)];
  return [
    { promise: 'no issue is lost', seen: `${titles.length} issues`, wrong: lost(seen) },
    {
      promise: 'no report is lost or counts twice',
      seen: accepted(seen),
      wrong: [...unread, ...doubled(seen)],
    },
    { promise: 'no worker is there twice', seen: `${overlaps.length} overlaps`, wrong: overlaps },
    { promise: 'nobody healthy is ended', seen: `${deaths(seen).length} deaths`, wrong: falseDeaths(seen) },
    { promise: 'no foreign process is signalled', seen: `${decoys.there} decoys`, wrong: decoys.harmed },
    { promise: 'the stores are intact', seen: `${seen.journal.length} events`, wrong: damage(seen) },
    {
      promise: `ready again within ${READY_GOAL_MS / 1_000} s`,
      seen: `${starts.length} starts, p50 ${middle} ms, slowest ${slowest} ms`,
      wrong: slowest > READY_GOAL_MS ? [`ready again only after ${slowest} ms`] : [],
    },
    { promise: 'live workers are adopted', seen: `${adopted} adopted`, wrong: unadopted },
    { promise: 'it comes to its end', seen: '', wrong: failure === undefined ? [] : [failure] },
  ];
}

/** On the board once, Done, and on the base once: as a commit, and as the work that is in it. */
function lost({ titles, board, subjects, notes }: Seen): string[] {
  const unknown = board.filter(({ title }) => !titles.includes(title));
  return [
    ...titles.flatMap((title) => {
      const found = board.filter((issue) => issue.title === title);
      const open = found.filter(({ status }) => status !== 'Done');
      const commits = subjects.filter((subject) => subject.includes(`: ${title} (`)).length;
      const written = notes.filter((note) => note === `# ${title}`).length;
      return [
        ...(found.length === 1 ? [] : [`“${title}” is on the board ${found.length} times`]),
        ...open.map(({ id, status }) => `${id} stays in ${status}`),
        ...(commits === 1 ? [] : [`“${title}” is on the base ${commits} times`]),
        ...(written === 1 ? [] : [`the work of “${title}” is on the base ${written} times`]),
      ];
    }),
    ...unknown.map(({ id, title }) => `nobody has added ${id}, “${title}”`),
  ];
}

function accepted({ journal }: Seen): string {
  return `${journal.filter(({ type }) => type === 'attempt.report_accepted').length} reports`;
}

function doubled({ journal }: Seen): string[] {
  const reports = journal.filter(({ type }) => type === 'attempt.report_accepted');
  return [...Map.groupBy(reports, ({ attempt }) => attempt)].flatMap(([attempt, each]) =>
    each.length > 1 ? [`the report of ${attempt} was accepted ${each.length} times`] : [],
  );
}

function deaths({ journal }: Seen): readonly JournalRow[] {
  return journal.filter(({ type }) => type === 'attempt.crashed' || type === 'kill.performed');
}

function falseDeaths(seen: Seen): string[] {
  return deaths(seen)
    .filter(({ attempt = '' }) => !seen.killed.has(attempt))
    .map(({ seq, type, attempt }) => `${attempt}: ${type} (event ${seq}), and nobody had killed it`);
}

/** SQLite finds no damage, the numbers have no gap, no writer came after its successor, and nothing told is missing. */
function damage({ stores, journal, told }: Seen): string[] {
  const rows = new Map(journal.map((row) => [row.seq, row]));
  const damaged = Object.entries(stores).filter(([, says]) => says !== 'ok');
  const forgotten = [...told].filter(({ seq, type, at }) => {
    const row = rows.get(seq);
    return row?.type !== type || row.at !== at;
  });
  return [
    ...damaged.map(([name, says]) => `${name}: ${says}`),
    ...('journal.db' in stores ? [] : ['there is no journal']),
    ...journal.flatMap(({ seq, epoch }, index) => {
      const before = journal[index - 1] ?? { seq: 0, epoch: 0 };
      return [
        ...(seq === before.seq + 1 ? [] : [`event ${seq} follows event ${before.seq}`]),
        ...(epoch >= before.epoch ? [] : [`event ${seq} is of epoch ${epoch}, after ${before.epoch}`]),
      ];
    }),
    ...forgotten.map(({ seq, type }) => `event ${seq} (${type}) was told and is not in the journal`),
  ];
}
