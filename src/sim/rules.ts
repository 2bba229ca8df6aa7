/** What must hold at every moment of a story, checked from outside: not by what a daemon believes, but by what happened. */
import type { Trouble } from '../daemon/troubles.ts';
import { BoardRules } from './board-rules.ts';
import { Chronicle } from './chronicle.ts';
import { JournalRules } from './journal-rules.ts';
import { PersonRules } from './person-rules.ts';
import type { Time } from './time.ts';
import { WorkerRules } from './worker-rules.ts';

export class Rules extends Chronicle {
  readonly journal: JournalRules;
  readonly people: PersonRules;
  readonly board: BoardRules;
  readonly workers: WorkerRules;

  constructor(time: Time) {
    super(time);
    this.journal = new JournalRules(this);
    this.people = new PersonRules(this, time);
    this.board = new BoardRules(this, time);
    this.workers = new WorkerRules(this, time, this.people);
  }

  /** Nothing that has no code is ever thrown. */
  troubled({ code, message }: Trouble): void {
    this.tell(`trouble ${code}: ${message}`);
    if (code === 'daemon.defect') this.breaks(`a defect: ${message}`);
  }
}
