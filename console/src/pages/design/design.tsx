import { Button } from '@mantine/core'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconAlert } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Glyph } from '../../components/patterns/glyph.tsx'
import { Sentence, SentenceValue } from '../../components/patterns/sentence.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import { Label, Status } from '../../components/status.tsx'
import { Charts } from './charts.tsx'
import classes from './design.module.css'
import { Pipelines } from './pipelines.tsx'
import { Rows } from './rows.tsx'
import { Tokens } from './tokens.tsx'

/** Every pattern of DESIGN.md on one page, in the colour scheme that the top bar chooses. */
export function DesignPage() {
  return (
    <Page
      title="Design language"
      glyph={<Glyph kind="evm" title="Ethereum" size={44} />}
      about={<Status value="running" label="One line of state" />}
      actions={
        <>
          <Button variant="default">Secondary</Button>
          <Button>Primary</Button>
        </>
      }
    >
      <Tokens />
      <Section title="Sentence">
        <Sentence>
          When a transfer exceeds <SentenceValue>1,000,000 USDC</SentenceValue> on{' '}
          <SentenceValue>Ethereum</SentenceValue>, send to <SentenceValue>Ops webhook</SentenceValue>, every time.
        </Sentence>
      </Section>
      <Pipelines />
      <Rows />
      <Charts />
      <Section title="Facts and figures">
        <Facts
          facts={[
            ['Fired', <Figure key="fired" value="303" />],
            ['Median run', <Figure key="run" value="402" unit="ms" />],
            ['Amount', <Figure key="amount" size="card" value="94.2" unit="%" />],
          ]}
        />
        <Figure size="hero" value="312,480" unit="stETH" />
      </Section>
      <Section title="Status and severity">
        <p className={classes.line}>
          {['running', 'firing', 'failed', 'pending', 'paused'].map((value) => (
            <Status key={value} value={value} />
          ))}
        </p>
        <p className={classes.line}>
          <Severity value="info" />
          <Severity value="warning" />
          <Severity value="critical" />
          <Label>draft</Label>
        </p>
      </Section>
      <Notice tone="warn" title="Ops webhook has been failing for 26 minutes">
        27 alerts wait in its queue.
      </Notice>
      <Notice tone="bad" title="The server is not available (HTTP 503)" />
      <Notice tone="good" title="Saved" />
      <Notice tone="info" title="A digest is sent at 08:00" />
      <Section title="Empty state">
        <EmptyState icon={IconAlert} title="No alerts yet" text="Alerts of your subscriptions appear here live.">
          <Button>Create subscription</Button>
        </EmptyState>
      </Section>
      <Section title="Dangerous action" about="4 subscriptions stop. Past alerts stay. You cannot undo this.">
        <ConfirmAction
          title="Delete Whale transfers?"
          text="4 subscriptions stop. Past alerts stay. You cannot undo this."
          verb="Delete trigger"
          act={async () => undefined}
        >
          {(open) => <DangerButton onClick={open}>Delete trigger…</DangerButton>}
        </ConfirmAction>
      </Section>
    </Page>
  )
}
