/** What the process of a simulated worker does, from its first word to its end. */
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Phase } from '../domain/mode.ts';
import type { VerbName } from '../protocol/verb.ts';
import { askForMerge } from './ask-for-merge.ts';
import type { SimProcess } from './host.ts';
import { type Doer, MISDEEDS, type Misdeed, misbehave } from './misbehaviour.ts';
import { never } from './mortal.ts';
import { fileOf, SHARED_FILE } from './moving-base.ts';
import type { Earth } from './world.ts';

export interface Playing
  extends Pick<Earth, 'time' | 'random' | 'code' | 'host' | 'faults' | 'rules' | 'sessionWritten'> {
  readonly earth: Earth;
  /** Says it to the daemon, or keeps it in the outbox; rejects with the daemon's refusal, or where nobody is there. */
  readonly say: (process: SimProcess, verb: VerbName, input: object) => Promise<Said>;
}

export interface Said {
  readonly accepted?: boolean;
  readonly durable?: boolean;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** One of so many misdeeds of testers is to send back what they should test. */
const SENT_BACK_SHARE = 6;
/** How often a worker tries what needs a daemon while there is none. */
const KNOCKS = 400;

export function playWorker(playing: Playing, process: SimProcess): void {
  const worker = new Worker(playing, process);
  worker.live().catch((error: unknown) => worker.fail(error));
}

class Worker implements Doer {
  readonly #playing: Playing;
  readonly process: SimProcess;
  readonly #issue: IssueId;
  readonly #phase: Phase;
  readonly #session: string;
  readonly #misdeed: Misdeed | undefined;

  constructor(playing: Playing, process: SimProcess) {
    this.#playing = playing;
    this.process = process;
    const { LEGION_ISSUE = '', LEGION_PHASE, SIM_SESSION = '' } = process.order.env;
    this.#issue = LEGION_ISSUE;
    this.#phase = LEGION_PHASE as Phase;
    this.#session = SIM_SESSION;
    const { random, faults } = playing;
    this.#misdeed = faults.comes('misbehaving', 'misdeed') ? random.pick(MISDEEDS) : undefined;
    if (this.#misdeed !== undefined) playing.rules.struck(`agents: ${this.#misdeed}`);
  }

  async live(): Promise<void> {
    await this.pause(SECOND_MS, 20 * SECOND_MS);
    this.write({ kind: 'started', native: this.#session });
    await this.pause(SECOND_MS, 2 * MINUTE_MS);
    this.write({ kind: 'text', text: 'I look at it.' });
    if (this.#misdeed !== undefined) await misbehave(this, this.#misdeed, this.#playing);
    await this.#report(this.#misdeed === 'lie' ? undefined : await this.#work());
  }

  /** What it could not do, it says; whoever is no longer wanted just goes. */
  async fail(error: unknown): Promise<void> {
    const isOver = error instanceof LegionError && error.code === 'worker.attempt_over';
    if (!isOver) {
      const why = error instanceof Error ? error.message : String(error);
      await this.say('error', { summary: why }).catch(() => undefined);
    }
    await this.end(1);
  }

  /** Resolves to why the work goes back, where it does. */
  async #work(): Promise<string | undefined> {
    const { code, random, faults } = this.#playing;
    await this.pause(5 * SECOND_MS, 8 * MINUTE_MS);
    const handoff = () => this.say('handoff_write', { summary: `${this.#phase} of ${this.#issue}` });
    switch (this.#phase) {
      case 'architect':
      case 'plan':
        await handoff();
        return undefined;
      case 'implement':
        await this.say('checkpoint', {
          stage: 'work',
          completed: [],
          remaining: ['all'],
          lastAction: 'began',
        });
        this.#catchUp();
        code.work(this.#issue, this.#files());
        await this.pause(SECOND_MS, MINUTE_MS);
        await this.say('push', {});
        await this.say('pr_open', { title: this.#issue, body: `Closes ${this.#issue}` });
        await handoff();
        return undefined;
      case 'test': {
        if (random.chance(faults.rates.misbehaving / SENT_BACK_SHARE)) return 'there is nothing to test';
        const result = random.chance(faults.rates.misbehaving / 3) ? 'fail' : 'pass';
        await this.say('verdict', { result, suites: ['unit'] });
        return undefined;
      }
      case 'review': {
        const verdict = random.chance(faults.rates.misbehaving / 3) ? 'request-changes' : 'approve';
        await this.say('review', { verdict, text: 'I have read it.' });
        return undefined;
      }
      case 'retro':
        code.work(this.#issue, [`docs/solutions/${this.#issue}.md`]);
        await this.say('push', {});
        await handoff();
        return undefined;
      case 'merge':
        if (this.#catchUp()) await this.say('push', {});
        return askForMerge(this, this.#issue, this.#playing.earth);
    }
  }

  /** Whether it rebased: because the branch conflicts, or out of habit. */
  #catchUp(): boolean {
    const { code, faults } = this.#playing;
    const head = code.heads.get(this.#issue);
    if (head === undefined || code.ahead(head).length === 0) return false;
    const isHabit = faults.comes('rebasing', 'needless rebase');
    if (!isHabit && code.conflicts(head).length === 0) return false;
    code.rebase(this.#issue);
    return true;
  }

  #files(): readonly string[] {
    const own = fileOf(this.#issue);
    return this.#playing.faults.comes('overlapping', 'issues overlap') ? [own, SHARED_FILE] : [own];
  }

  /** What was found to be missing is made good once. */
  async #report(sentBack: string | undefined): Promise<void> {
    const first = await this.say('done', { summary: `${this.#phase} is done`, sentBack });
    if (first.accepted === false) {
      const again = await this.#work();
      await this.say('done', { summary: `${this.#phase} is done now`, sentBack: again });
    }
    this.process.isHealthy = false;
    this.write({ kind: 'turn ended' });
    await this.pause(10, 5 * SECOND_MS);
    await this.end(0);
  }

  /** What needs the daemon is tried again until it is there. */
  async say(verb: VerbName, input: object): Promise<Said> {
    for (let knocks = 1; ; knocks += 1) {
      this.write({ kind: 'tool started', tool: verb, id: `${verb} ${knocks}` });
      try {
        const said = await this.#alive(this.#playing.say(this.process, verb, input));
        this.write({ kind: 'tool ended', id: `${verb} ${knocks}`, failed: false });
        return said;
      } catch (error) {
        this.write({ kind: 'tool ended', id: `${verb} ${knocks}`, failed: true });
        const isAway = error instanceof LegionError && error.retryable;
        if (!isAway || knocks === KNOCKS) throw error;
        await this.pause(5 * SECOND_MS, MINUTE_MS);
      }
    }
  }

  async pause(leastMs: number, mostMs: number): Promise<void> {
    const { time, random } = this.#playing;
    await this.#alive(time.sleep(random.between(leastMs, mostMs)));
    // Its session file moves while it works.
    this.#playing.sessionWritten(this.#session);
  }

  /** Whoever has ended waits for ever. */
  async #alive<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      return this.process.exit === undefined ? result : await never();
    } catch (error) {
      if (this.process.exit !== undefined) await never();
      throw error;
    }
  }

  write(line: object): void {
    this.#playing.host.write(this.process, line);
  }

  async end(code: number): Promise<void> {
    this.process.isHealthy = false;
    this.#playing.host.end(this.process, { code, signal: null });
    await never();
  }
}
