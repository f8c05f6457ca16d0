import { Button } from '@mantine/core'
import { HistoryChart } from '../../charts/history-chart.tsx'
import { Sparkline } from '../../charts/sparkline.tsx'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconAlert, IconFilter, IconMessage, IconProject, IconResource, IconSource } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { ClockTime } from '../../components/patterns/clock-time.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Glyph } from '../../components/patterns/glyph.tsx'
import { NameCell } from '../../components/patterns/name-cell.tsx'
import { Pipeline, type Stage } from '../../components/patterns/pipeline.tsx'
import { RichRow, RichRows } from '../../components/patterns/rich-row.tsx'
import { Sentence, SentenceValue } from '../../components/patterns/sentence.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import { Label, Status } from '../../components/status.tsx'
import { tokenIcon } from '../../layouts/alert/amount.ts'
import { ChannelGlyph } from '../../layouts/destination/channel-glyph.tsx'
import classes from './design.module.css'

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

const stages: Stage[] = [
  { name: 'Source', icon: IconSource, state: 'passed', durationMs: 4, value: 'Transfer event', about: 'Ethereum' },
  { name: 'Condition', icon: IconFilter, state: 'passed', durationMs: 1, value: '2,450,000 USDC', about: 'Passed' },
  { name: 'Data', icon: IconProject, state: 'error', durationMs: 1006, value: 'Price', about: 'Timed out after 1 s' },
  { name: 'Message', icon: IconMessage, state: 'idle', value: '“2,450,000 USDC moved”' },
  { name: 'Destinations', icon: IconResource, state: 'firing', value: '2 delivered', about: 'Ops webhook: HTTP 500' },
]

function Pipelines() {
  return (
    <Section title="Pipeline">
      <Pipeline stages={stages} />
    </Section>
  )
}

const colours = [
  ...['canvas', 'surface-raised', 'surface-sunken', 'line', 'ink', 'ink-soft', 'muted'],
  ...['brand', 'brand-soft', 'data', 'firing', 'firing-soft', 'ok', 'ok-soft', 'bad', 'bad-soft', 'busy', 'rail'],
]
const sizes = ['xs', 'sm', 'md', 'lg', 'xl', '2xl', 'hero']

function Tokens() {
  return (
    <>
      <Section title="Colours">
        <ul className={classes.colours}>
          {colours.map((name) => (
            <li key={name}>
              <span className={classes.swatch} style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Type">
        {sizes.map((size) => (
          <p key={size} className={classes.size} style={{ fontSize: `var(--text-${size})` }}>
            {size}: 1,283 alerts
          </p>
        ))}
      </Section>
    </>
  )
}

const counts = [31, 27, 22, 19, 24, 33, 46, 58, 71, 83, 92, 88, 74, 69, 78, 85, 81, 66, 54, 47, 41, 38, 24, 4]
const failed = (at: number) => (at >= 22 ? 8 : 0)

function Charts() {
  return (
    <>
      <Section title="Bar chart">
        <HistoryChart
          label="The last 24 hours: 1,255 alerts, 16 deliveries failed"
          names={{ good: 'Alerts', failed: 'Failed deliveries' }}
          bars={counts.map((good, at) => ({
            label: `${String(at).padStart(2, '0')}:00`,
            good,
            failed: failed(at),
            isOpen: at === 23,
          }))}
          labelled={(at) => at % 6 === 0}
        />
      </Section>
      <Section title="Sparkline">
        <p className={classes.line}>
          <Sparkline values={[3, 5, 2, 6, 4, 7, 3]} /> Live, 4 s old
          <Sparkline values={[1, 1, 2, 1, 6, 9, 12]} isFiring /> 38 s behind
          <Sparkline values={[]} /> Idle
        </p>
      </Section>
    </>
  )
}

const at = '2030-01-01T02:04:12.000Z'

function Rows() {
  return (
    <>
      <RichRowsShown />
      <Section title="Name cell">
        <NameCell
          fullname="acme.treasury.whales"
          glyph={<Glyph kind="evm" title="Ethereum" />}
          name={<strong>Whale transfers</strong>}
          about="When a transfer exceeds 1,000,000 USDC on Ethereum, send an alert."
        />
      </Section>
    </>
  )
}

function RichRowsShown() {
  return (
    <Section title="Rich rows">
      <RichRows label="Rich rows">
        <RichRow
          glyph={<Glyph kind="evm" title="Ethereum" token={tokenIcon('USDC')} />}
          title="Meridian Fund sent USDC to Binance 14"
          about="Whale transfers · Ethereum"
          figure={<Figure value="2,450,000" unit="USDC" />}
          figureAbout={<Status value="retrying" />}
          outcomes={
            <>
              <ChannelGlyph blueprint="common.delivery.telegram" outcome="delivered" label="On-call: delivered" />
              <ChannelGlyph blueprint="common.delivery.slack" outcome="failed" label="#treasury: failed" />
              <ChannelGlyph blueprint="common.delivery.webhook" outcome="retrying" label="Ops webhook: retrying" />
            </>
          }
          time={<ClockTime at={at} />}
        />
        <RichRow
          glyph={<Glyph kind="substrate" title="Polkadot" />}
          title="Northwind 02 paid a staking reward to Treasury"
          about="Staking rewards · Polkadot"
          figure={<Figure value="128.4402" unit="DOT" />}
          outcomes={
            <>
              <ChannelGlyph blueprint="common.delivery.discord" outcome="queued" label="Team: queued" />
              <ChannelGlyph blueprint="common.delivery.email" outcome="delivered" label="Finance: delivered" />
            </>
          }
          time={<ClockTime at={at} />}
        />
      </RichRows>
    </Section>
  )
}
