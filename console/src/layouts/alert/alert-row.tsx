import type { ReactNode } from 'react'
import { LinkText } from '../../components/link-text.tsx'
import { ClockTime } from '../../components/patterns/clock-time.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Glyph } from '../../components/patterns/glyph.tsx'
import { RichRow } from '../../components/patterns/rich-row.tsx'
import { AddressText } from '../address/address-text.tsx'
import type { Alert } from './alert-status.ts'
import { amountIn } from './amount.ts'
import { Outcomes } from './outcomes.tsx'
import type { Titles } from './use-titles.ts'

type AlertRowProps = {
  workspace: string
  alert: Alert
  titles: Titles
  /** Below the amount: severity, state and status. */
  state?: ReactNode
  /** Below the sentence. */
  details?: ReactNode
  isNew?: boolean
}

/** An alert as a row: network, sentence, names, amount, destinations with their outcome, time with seconds. */
export function AlertRow({ workspace, alert, titles, state, details, isNew = false }: AlertRowProps) {
  const { id, message, trigger } = alert
  const source = alert.source === undefined ? undefined : titles.source(alert.source)
  const amount = amountIn(message.title)
  const triggerTitle = titles.trigger(trigger)
  return (
    <RichRow
      glyph={source ? <Glyph {...source} /> : <Glyph kind="timer" title={triggerTitle} />}
      title={
        <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }}>
          <AddressText text={message.title} source={source} isPlain />
        </LinkText>
      }
      about={
        <>
          <span title={[trigger, alert.source, blockText(alert)].filter(Boolean).join(' · ')}>
            {[triggerTitle, source?.title].filter(Boolean).join(' · ')}
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
