import type { ReactNode } from 'react'
import { LinkText } from '../../components/links.tsx'
import { ClockTime } from '../../components/patterns/clock-time.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { RichRow } from '../../components/patterns/rich-row.tsx'
import { AddressText } from '../address/address-text.tsx'
import type { Source } from '../address/use-sources.ts'
import { ChannelGlyph, type Outcome } from '../destination/channel-glyph.tsx'
import { NetworkGlyph } from '../watch/network-glyph.tsx'
import type { Alert } from './alert-status.ts'
import { amountIn, tokenIcon } from './amount.ts'
import type { Titles } from './use-titles.ts'

type AlertRowProps = {
  workspace: string
  alert: Alert
  titles: Titles
  /** The source of the alert. */
  source: Source | undefined
  /** Before the row. */
  lead?: ReactNode
  /** Below the amount: severity, state and status. */
  state?: ReactNode
  /** Below the sentence. */
  details?: ReactNode
  isNew?: boolean
}

/** An alert as a row: network, sentence, names, amount, destinations with their outcome, time with seconds. */
export function AlertRow({ workspace, alert, titles, source, lead, state, details, isNew = false }: AlertRowProps) {
  const { id, message, trigger } = alert
  const amount = amountIn(message.title)
  const origin = alert.resource === undefined ? titles.trigger(trigger) : titles.destination(alert.resource)
  return (
    <RichRow
      glyph={
        <>
          {lead}
          <NetworkGlyph source={source} title={origin} token={tokenIcon(amount?.unit)} />
        </>
      }
      title={
        <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }}>
          <AddressText text={message.title} source={source} isPlain />
        </LinkText>
      }
      about={
        <>
          <span title={[trigger, alert.source, blockText(alert)].filter(Boolean).join(' · ')}>
            {[origin, source?.title].filter(Boolean).join(' · ')}
          </span>
          {details}
        </>
      }
      {...(amount && { figure: <Figure {...amount} /> })}
      figureAbout={state}
      outcomes={<Outcomes alert={alert} titleOf={titles.destination} />}
      time={<ClockTime at={alert.createdAt} />}
      isNew={isNew}
    />
  )
}

function blockText({ block }: Alert): string | undefined {
  return block && `block ${block.number.toLocaleString('en')}`
}

type Destination = Alert['destinations'][number]
const shownMax = 4
const words: Record<Outcome, string> = {
  delivered: 'delivered',
  retrying: 'retrying',
  failed: 'failed',
  queued: 'queued',
  dropped: 'not sent',
}

/** The destinations of an alert with their outcome. */
function Outcomes({ alert, titleOf }: { alert: Alert; titleOf: (fullname: string) => string }) {
  const { destinations } = alert
  return (
    <>
      {destinations.slice(0, shownMax).map((destination) => {
        const outcome = outcomeOf(destination)
        const label = `${titleOf(destination.resource)}: ${words[outcome]}`
        return <ChannelGlyph key={destination.resource} blueprint={destination.blueprint} {...{ outcome, label }} />
      })}
      {destinations.length > shownMax && `+${destinations.length - shownMax}`}
    </>
  )
}

function outcomeOf({ status, isRetrying }: Destination): Outcome {
  switch (status) {
    case 'delivered':
      return 'delivered'
    case 'dead':
      return 'failed'
    case 'dropped':
      return 'dropped'
    default:
      return isRetrying ? 'retrying' : 'queued'
  }
}
