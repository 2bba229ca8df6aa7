/** The page of one issue: what it is, and everything there is to know about it, each part at an address of its own. */
import { useEffect } from 'react';
import { PageTitle } from '../../attention/attention.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useShortcut } from '../../keys/shortcuts.tsx';
import { setFields, useQueryFields } from '../../router/location.ts';
import type { PageProps } from '../../router/page-props.ts';
import { plain } from '../../text/plain.ts';
import { AttemptsTab } from './attempts/attempts-tab.tsx';
import { CiTab } from './ci/ci-tab.tsx';
import { useDetail } from './detail.ts';
import { DiffTab } from './diff/diff-tab.tsx';
import { DiscussionTab } from './discussion/discussion-tab.tsx';
import { GatesTab } from './gates/gates-tab.tsx';
import { HandoffsTab } from './handoffs/handoffs-tab.tsx';
import { IssueHeader } from './header/issue-header.tsx';
import type { IssueDetail } from './issue-detail.ts';
import { useKeptCurrent } from './keep-current.ts';
import { StoryTab } from './story/story-tab.tsx';
import { FILLING, readTab, TABS, type TabId } from './tabs.ts';
import { TranscriptTab } from './transcript/transcript-tab.tsx';
import { UnreadableIssue } from './unreadable-issue.tsx';
import { WhyTab } from './why/why-tab.tsx';
import '../../styles/issue.css';
import '../../styles/issue-parts.css';
import '../../styles/issue-transcript.css';
import '../../styles/issue-diff.css';

export function IssuePage({ parts }: PageProps) {
  const { id = '' } = parts;
  useKeptCurrent(id);
  const { data: detail, error, refetch } = useDetail(id);
  const tab = readTab(useQueryFields());
  useEffect(() => {
    // On a phone the row of tabs is wider than the window.
    const place = 1 + TABS.findIndex((each) => each.id === tab);
    const chosen = document.querySelector(`.issue-page .tab:nth-child(${place})`);
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  if (detail === undefined && error !== null) {
    return <UnreadableIssue id={id} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={`page issue-page ${FILLING.has(tab) ? 'is-filling' : ''}`}>
      <PageTitle of={detail === undefined ? id : `${id} ${plain(detail.issue.title)}`} />
      <IssueHeader id={id} detail={detail} />
      {TABS.map((each, index) => (
        <TabKey key={each.id} number={index + 1} tab={each} />
      ))}
      <Tabs name={`Parts of ${id}`} tabs={TABS} chosen={tab} onChoose={choose}>
        <Part tab={tab} id={id} detail={detail} />
      </Tabs>
    </div>
  );
}

/** A step of the history, so that the way back leads through the parts one has seen. */
function choose(tab: string): void {
  setFields({ tab: tab === 'why' ? null : tab }, { replace: false });
}

function TabKey({ number, tab }: { readonly number: number; readonly tab: (typeof TABS)[number] }) {
  useShortcut({
    keys: String(number),
    says: tab.says,
    group: 'Parts of an issue',
    run: () => choose(tab.id),
  });
  return null;
}

function Part({
  tab,
  id,
  detail,
}: {
  readonly tab: TabId;
  readonly id: string;
  readonly detail: IssueDetail | undefined;
}) {
  switch (tab) {
    case 'why':
      return <WhyTab id={id} />;
    case 'timeline':
      return <StoryTab id={id} />;
    case 'transcript':
      return <TranscriptTab workers={detail?.workers} />;
    case 'diff':
      return <DiffTab id={id} />;
    case 'ci':
      return <CiTab id={id} />;
    case 'gates':
      return <GatesTab id={id} />;
    case 'handoffs':
      return <HandoffsTab id={id} />;
    case 'attempts':
      return <AttemptsTab id={id} />;
    case 'discussion':
      return <DiscussionTab detail={detail} />;
  }
}
